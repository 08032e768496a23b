#if canImport(Darwin)
    internal import Darwin
    private let openFiles = RLIMIT_NOFILE
#else
    internal import Glibc
    private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#endif

/// The limit of open files of this process. Connections count as files.
package enum OpenFiles {
    /// Raises the soft limit to the hard limit. Many systems have a soft limit of 1,024, for programs that use
    /// `select`.
    package static func raiseLimit() {
        var limits = rlimit()
        guard getrlimit(openFiles, &limits) == 0, limits.rlim_cur < limits.rlim_max else { return }
        limits.rlim_cur = limits.rlim_max
        setrlimit(openFiles, &limits)
    }

    package static var limit: Int {
        var limits = rlimit()
        guard getrlimit(openFiles, &limits) == 0 else { return Int.max }
        return Int(clamping: limits.rlim_cur)
    }
}
