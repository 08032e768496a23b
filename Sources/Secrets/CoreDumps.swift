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

/// The file that the system writes when a process crashes. It does not contain guarded memory, but it contains
/// registers and the stack, where numbers are during computations.
package enum CoreDumps {
    /// Forbids core dumps of this process from now on.
    package static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreSize, &none)
    }
}
