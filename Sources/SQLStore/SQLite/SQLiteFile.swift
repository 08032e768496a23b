internal import Files
internal import Foundation

/// The file of a database, which only its owner may read: mode 0600 in a folder of mode 0700.
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
        close(file)
        // A user who can write to the folder can replace the file.
        guard isOurs(path, type: .typeRegular, refusing: 0o077),
            isOurs(
                URL(fileURLWithPath: folder.isEmpty ? "/" : folder).resolvingSymlinksInPath().path,
                type: .typeDirectory, refusing: 0o022)
        else { throw .insecure }
    }

    /// Returns whether the file has the expected type, belongs to this process's user, and grants none of these rights.
    private static func isOurs(_ path: String, type: FileAttributeType, refusing rights: Int) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = attributes[.posixPermissions] as? NSNumber,
            let owner = attributes[.ownerAccountID] as? NSNumber
        else { return false }
        return attributes[.type] as? FileAttributeType == type && mode.intValue & rights == 0
            && owner.uint32Value == geteuid()
    }

    /// Takes access to the log and its index from others: they may have been made by another program.
    static func restrictCompanions(of path: String) {
        for companion in ["-wal", "-shm"] { chmod(path + companion, 0o600) }
    }
}
