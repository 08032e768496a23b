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

    static var limit: Int {
        var limits = rlimit()
        guard getrlimit(openFiles, &limits) == 0 else { return Int.max }
        return Int(clamping: limits.rlim_cur)
    }
}

extension ConnectionLimits {
    /// Reads the limits of the settings, and lowers the number of connections if the limit of open files is too low.
    ///
    /// - Parameter files: the number of files that the process may open.
    init(_ settings: ServerConfiguration.ConnectionSettings, files: Int) {
        let possible = files - Limits.ownFiles - Limits.reservedConnections
        // With very few files it is better to run out of files at times than to accept no connection.
        total = max(1, min(settings.total, max(possible, files / 4)))
        ofAddress = min(settings.ofAddress, total)
        ofCustomer = max(ofAddress, total / Limits.customerShare)
    }
}
