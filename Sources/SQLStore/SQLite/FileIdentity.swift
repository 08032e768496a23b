internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The device and the inode of a file: another file at the same path has others.
package struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The number of bytes.
    package let size: Int64

    /// Reads the identity of the file at a path; nil without a file, or if the system refuses it.
    package init?(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
    }

    /// Whether both are the same file, whatever its length.
    package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

/// The files of an open database, at the paths where they were when it was opened.
///
/// A removed file works for the process that has it open, and everything that was written is lost at its end. A file that
/// was cut in place has lost pages. The database's file only grows while it is open: this program runs no `VACUUM`, and
/// sets no `auto_vacuum`. The log may shrink at each copying.
final class OpenedFiles: Sendable {
    private let files: [(path: String, identity: FileIdentity)]
    /// The largest size of the database's file so far, in bytes.
    private let largest: Mutex<Int64>

    /// - Parameter path: the path of the database, which is open and has a write-ahead log.
    init(of path: String) {
        files = [path, path + "-wal"].compactMap { path in FileIdentity(at: path).map { (path, $0) } }
        largest = Mutex(FileIdentity(at: path)?.size ?? 0)
    }

    /// Whether the files still are at their paths, and the database's file is not shorter than before.
    var areInPlace: Bool {
        for (index, file) in files.enumerated() {
            guard let present = FileIdentity(at: file.path), present.isSameFile(as: file.identity) else { return false }
            let isWhole = largest.withLock { largest in
                guard index == 0 else { return true }
                largest = max(largest, present.size)
                return present.size == largest
            }
            if !isWhole { return false }
        }
        return true
    }
}
