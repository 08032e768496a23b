internal import SecureStorage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The file of a database, which nobody but its owner may read: mode 0600 in a folder of mode 0700.
enum SQLiteFile {
    /// Makes the folder and an empty file, where they are missing, and refuses those that others have access to.
    static func prepare(_ path: String) throws(StoreError) {
        guard path.hasPrefix("/"), !path.utf8.contains(0), !path.hasSuffix("/") else { throw .invalidAddress }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        do {
            try FolderCreation.make(folder.isEmpty ? "/" : folder)
        } catch {
            throw error == .diskFull ? .diskFull : .unavailable
        }
        // SQLite gives its companion files the mode of this one.
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            switch errno {
            case ENOSPC, EDQUOT: throw .diskFull
            case ELOOP: throw .insecure
            default: throw .unavailable
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .insecure }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else { throw .insecure }
        var above = stat()
        guard stat(folder.isEmpty ? "/" : folder, &above) == 0 else { throw .unavailable }
        // Whoever may write to the folder can put another file in this one's place.
        guard above.st_mode & 0o022 == 0, above.st_uid == geteuid() else { throw .insecure }
    }

    /// Takes access to the log and its index from others: they may have been made by another program.
    static func restrictCompanions(of path: String) {
        for companion in ["-wal", "-shm"] { chmod(path + companion, 0o600) }
    }
}
