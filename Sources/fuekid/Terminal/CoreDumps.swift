#if canImport(Darwin)
    internal import Darwin
    private let coreSize = RLIMIT_CORE
#elseif canImport(Musl)
    internal import Musl
    private let coreSize = RLIMIT_CORE
#else
    internal import Glibc
    private let coreSize = __rlimit_resource_t(RLIMIT_CORE.rawValue)
#endif

/// The file that the system writes when a process crashes, with whatever keys were in its memory.
enum CoreDumps {
    /// There are none of this process from now on.
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreSize, &none)
    }
}
