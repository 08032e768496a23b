#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The free space of disks.
package enum FreeSpace {
    /// Returns the bytes that this process may still write in the file system of a folder; nil if the system does not
    /// tell.
    package static func bytes(at folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
