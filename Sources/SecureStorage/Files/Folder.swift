#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An open descriptor that is closed when it goes.
struct Descriptor: ~Copyable {
    let raw: Int32

    /// The error, if the descriptor is one that was not opened.
    init(_ raw: Int32, opening step: SecureStorageError.FileStep) throws(SecureStorageError) {
        guard raw >= 0 else { throw .systemError(at: step) }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Closes it, and says if the system could not.
    consuming func closed() throws(SecureStorageError) {
        let raw = raw
        discard self
        // After a failed close the descriptor is gone too: a second attempt could close somebody else's.
        guard close(raw) == 0 else { throw .systemError(at: .write) }
    }
}

/// A folder held open, so that every step of a write happens in the same folder, whatever is renamed meanwhile.
struct Folder: ~Copyable {
    private let descriptor: Descriptor

    var raw: Int32 { descriptor.raw }

    /// - Throws: ``SecureStorageError/notFound`` if there is no such folder, or its last part is a symbolic link.
    init(at path: String) throws(SecureStorageError) {
        descriptor = try Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), opening: .openFolder)
    }

    /// Opens a file of the folder. A symbolic link is not followed, and a pipe is not waited for.
    borrowing func file(
        _ name: String, flags: Int32, mode: mode_t = 0, step: SecureStorageError.FileStep = .open
    ) throws(SecureStorageError) -> Descriptor {
        try Descriptor(openat(raw, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode), opening: step)
    }

    /// Whether something of that name is there.
    borrowing func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || FileSystem.lastError != ENOENT
    }

    /// Removes a file, if there is one.
    borrowing func remove(_ name: String) throws(SecureStorageError) {
        guard unlinkat(raw, name, 0) == 0 || FileSystem.lastError == ENOENT else { throw .systemError(at: .remove) }
    }

    borrowing func rename(_ name: String, to newName: String) throws(SecureStorageError) {
        guard renameat(raw, name, raw, newName) == 0 else { throw .systemError(at: .rename) }
    }

    /// Gives a file its name, unless something of that name is there.
    ///
    /// - Throws: ``SecureStorageError/alreadyExists``.
    borrowing func name(_ temporary: String, as name: String) throws(SecureStorageError) {
        if linkat(raw, temporary, raw, name, 0) == 0 { return try remove(temporary) }
        switch FileSystem.lastError {
        case EEXIST: throw .alreadyExists
        case EPERM, ENOTSUP, EOPNOTSUPP, EMLINK:
            // A stick's file system knows no second names. Between this look and the renaming another program could make a
            // file; there is no better way.
            guard !contains(name) else { throw .alreadyExists }
            try rename(temporary, to: name)
        default: throw .systemError(at: .rename)
        }
    }

    borrowing func flush() throws(SecureStorageError) {
        guard FileSystem.flush(raw) == 0 else { throw .systemError(at: .flushFolder) }
    }
}

/// A path, as the folder and the name within it.
struct FileLocation: Sendable {
    let folder: String
    let name: String

    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if the path names no file.
    init(_ path: String) throws(SecureStorageError) {
        let slash = path.lastIndex(of: "/")
        name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        switch slash {
        case nil: folder = "."
        case path.startIndex?: folder = "/"
        case let slash?: folder = String(path[..<slash])
        }
        // 255 bytes is what file systems take, less what the names of the lock and of the temporary file add.
        guard (1...240).contains(name.utf8.count), name != ".", name != "..", !path.utf8.contains(0)
        else { throw .outsideLimits(.name) }
    }
}

extension SecureStorageError {
    /// The system's last error, as the error of a store. To be called before anything else touches the system.
    static func systemError(at step: FileStep) -> SecureStorageError {
        switch FileSystem.lastError {
        case ENOENT where step == .open || step == .openFolder: .notFound
        case ENOSPC, EDQUOT: .diskFull
        // What `O_NOFOLLOW` says of a symbolic link.
        case ELOOP: .insecureFile
        case let code: .inputOutput(step, code: code)
        }
    }
}
