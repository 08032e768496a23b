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
/// A removed file works for the process that has it open, and everything that was written is lost at its end.
struct OpenedFiles: Sendable {
    private let files: [(path: String, identity: FileIdentity)]

    /// - Parameter path: the path of the database, which is open and has a write-ahead log.
    init(of path: String) {
        files = [path, path + "-wal"].compactMap { path in FileIdentity(at: path).map { (path, $0) } }
    }

    /// Whether the files still are at their paths.
    var areInPlace: Bool {
        files.allSatisfy { file in FileIdentity(at: file.path)?.isSameFile(as: file.identity) == true }
    }
}
