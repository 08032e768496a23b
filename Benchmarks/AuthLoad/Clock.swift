#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

enum Clock {
    /// The seconds of the monotonic clock.
    static var monotonic: Double { read(CLOCK_MONOTONIC) }
    /// The seconds since 1970.
    static var seconds: Double { read(CLOCK_REALTIME) }
    /// The seconds of CPU time of this thread.
    static var thread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
