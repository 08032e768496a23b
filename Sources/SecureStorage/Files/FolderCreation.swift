#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Makes folders that survive a loss of power, as their files do.
package enum FolderCreation {
    /// Makes a folder for its owner only (mode 0700), and its missing parents. An existing folder is left as it is.
    package static func make(_ path: String) throws(SecureStorageError) {
        if isFolder(path) { return }
        let location = try FileLocation(path)
        if location.folder != "/", location.folder != "." { try make(location.folder) }
        let parent = try Folder(at: location.folder)
        guard mkdirat(parent.raw, location.name, 0o700) == 0 else {
            // Another process may have been faster.
            if FileSystem.lastError == EEXIST, isFolder(path) { return }
            throw .systemError(at: .openFolder)
        }
        try parent.flush()
    }

    /// Removes a folder, if it is empty.
    package static func removeIfEmpty(_ path: String) { rmdir(path) }

    /// Removes a file that the caller has just made.
    package static func removeFile(_ path: String) throws(SecureStorageError) {
        let location = try FileLocation(path)
        try Folder(at: location.folder).remove(location.name)
    }

    /// Removes a file and the remains of an interrupted write, durably. A missing file is not an error.
    package static func removeForGood(_ path: String) throws(SecureStorageError) {
        let location = try FileLocation(path)
        guard isFolder(location.folder) else { return }
        let folder = try Folder(at: location.folder)
        let lock = try FileLock(on: path)
        try folder.remove(AtomicFile.temporaryName(of: location.name))
        try folder.remove(location.name)
        try folder.flush()
        _ = consume lock
    }

    /// Whether anything exists at the path.
    package static func isOccupied(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
