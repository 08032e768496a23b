#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

enum Clock {
    /// Seconds of the monotonic clock.
    static var monotonic: Double { read(CLOCK_MONOTONIC) }
    /// Seconds since 1970.
    static var seconds: Double { read(CLOCK_REALTIME) }
    /// Seconds that this thread has computed for.
    static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
