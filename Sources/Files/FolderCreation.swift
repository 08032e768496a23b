#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Makes folders that survive a loss of power, as their files do.
package enum FolderCreation {
    /// Makes a folder for its owner only (mode 0700), and its missing parents. An existing folder is left as it is.
    package static func make(_ path: String) throws(FileError) {
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
    package static func removeFile(_ path: String) throws(FileError) {
        let location = try FileLocation(path)
        try Folder(at: location.folder).remove(location.name)
    }

    /// Removes a file and the remains of an interrupted write, durably. A missing file is not an error.
    package static func removeForGood(_ path: String) throws(FileError) {
        let location = try FileLocation(path)
        guard isFolder(location.folder) else { return }
        let folder = try Folder(at: location.folder)
        let lock = try FileLock(on: path)
        try folder.remove(AtomicFile.temporaryName(of: location.name))
        try folder.remove(location.name)
        try folder.flush()
        _ = consume lock
    }

    /// Gives a folder or a file another name beside its old one, durably.
    ///
    /// - Throws: ``FileError/alreadyExists`` if the name is taken.
    package static func rename(_ path: String, to newName: String) throws(FileError) {
        let location = try FileLocation(path)
        let parent = try Folder(at: location.folder)
        guard !parent.contains(newName) else { throw .alreadyExists }
        try parent.rename(location.name, to: newName)
        try parent.flush()
    }

    /// Removes a folder with the files and folders in it, durably. No process may still use it. A missing folder is
    /// not an error, so that an interrupted removal can be repeated. A symbolic link is removed, not followed.
    package static func removeTree(_ path: String) throws(FileError) {
        let location = try FileLocation(path)
        let parent = try Folder(at: location.folder)
        try removeTree(location.name, in: parent)
        try parent.flush()
    }

    private static func removeTree(_ name: String, in parent: borrowing Folder) throws(FileError) {
        // A file or a link goes at once; the system refuses that for a folder (EISDIR on Linux, EPERM on Darwin).
        if unlinkat(parent.raw, name, 0) == 0 || FileSystem.lastError == ENOENT { return }
        guard FileSystem.lastError == EISDIR || FileSystem.lastError == EPERM else { throw .systemError(at: .remove) }
        let folder = try Folder(name, in: parent)
        for entry in try folder.names() { try removeTree(entry, in: folder) }
        guard unlinkat(parent.raw, name, AT_REMOVEDIR) == 0 || FileSystem.lastError == ENOENT else {
            throw .systemError(at: .remove)
        }
    }

    /// Returns whether anything exists at the path.
    package static func isOccupied(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns the names in a folder; none if the folder does not exist.
    ///
    /// - Throws: ``FileError/outsideLimits(_:)`` if there are more than `limit`.
    package static func names(in path: String, limit: Int) throws(FileError) -> [String] {
        guard isFolder(path) else { return [] }
        let names = try Folder(at: path).names()
        guard names.count <= limit else { throw .outsideLimits(.count) }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
