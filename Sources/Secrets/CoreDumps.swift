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

/// The file that the system writes when a process crashes. Guarded memory is left out of it; registers and the stack, where
/// numbers are while they are computed with, are not.
package enum CoreDumps {
    /// There are none of this process from now on.
    package static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreSize, &none)
    }
}
