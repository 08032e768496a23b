#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An open descriptor that is closed with this value.
struct Descriptor: ~Copyable {
    let raw: Int32

    /// Takes an opened descriptor, or throws the system's error if opening failed.
    init(_ raw: Int32, opening step: FileError.Step) throws(FileError) {
        guard raw >= 0 else { throw .systemError(at: step) }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Closes it, and throws if the system could not.
    consuming func closed() throws(FileError) {
        let raw = raw
        discard self
        // After a failed close the descriptor is gone, too: a second attempt could close another one.
        guard close(raw) == 0 else { throw .systemError(at: .write) }
    }
}

/// A folder held open, so that every step of a write happens in the same folder, even if it is renamed meanwhile.
package struct Folder: ~Copyable {
    private let descriptor: Descriptor

    var raw: Int32 { descriptor.raw }

    /// - Throws: ``FileError/notFound`` if the folder does not exist, or the last part of the path is a
    ///   symbolic link.
    package init(at path: String) throws(FileError) {
        descriptor = try Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), opening: .openFolder)
    }

    /// Opens a folder in another one.
    init(_ name: String, in parent: borrowing Folder) throws(FileError) {
        descriptor = try Descriptor(
            openat(parent.raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), opening: .openFolder)
    }

    /// Returns the names in the folder, without the folder itself and its parent.
    borrowing func names() throws(FileError) -> [String] {
        // The stream closes its descriptor, so it gets one of its own.
        let copy = openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .systemError(at: .openFolder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Opens a file of the folder. A symbolic link is not followed, and a pipe is not waited for.
    borrowing func file(
        _ name: String, flags: Int32, mode: mode_t = 0, step: FileError.Step = .open
    ) throws(FileError) -> Descriptor {
        try Descriptor(openat(raw, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode), opening: step)
    }

    /// Returns whether the name is taken.
    package borrowing func contains(_ name: String) -> Bool {
        var status = stat()
        return fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || FileSystem.lastError != ENOENT
    }

    /// Removes a file, if there is one.
    package borrowing func remove(_ name: String) throws(FileError) {
        guard unlinkat(raw, name, 0) == 0 || FileSystem.lastError == ENOENT else { throw .systemError(at: .remove) }
    }

    borrowing func rename(_ name: String, to newName: String) throws(FileError) {
        guard renameat(raw, name, raw, newName) == 0 else { throw .systemError(at: .rename) }
    }

    /// Gives a file its name, unless the name is taken.
    ///
    /// - Throws: ``FileError/alreadyExists``.
    borrowing func name(_ temporary: String, as name: String) throws(FileError) {
        if linkat(raw, temporary, raw, name, 0) == 0 { return try remove(temporary) }
        switch FileSystem.lastError {
        case EEXIST: throw .alreadyExists
        case EPERM, ENOTSUP, EOPNOTSUPP, EMLINK:
            // The file system of a USB stick has no hard links. Another program could make a file between this check
            // and the renaming; this cannot be prevented.
            guard !contains(name) else { throw .alreadyExists }
            try rename(temporary, to: name)
        default: throw .systemError(at: .rename)
        }
    }

    borrowing func flush() throws(FileError) {
        guard FileSystem.flush(raw) == 0 else { throw .systemError(at: .flushFolder) }
    }
}

/// A path, split into the folder and the name within it.
package struct FileLocation: Sendable {
    package let folder: String
    package let name: String

    /// - Throws: ``FileError/outsideLimits(_:)`` if the path does not name a file.
    package init(_ path: String) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        switch slash {
        case nil: folder = "."
        case path.startIndex?: folder = "/"
        case let slash?: folder = String(path[..<slash])
        }
        // File systems allow 255 bytes, less what the names of the lock and of the temporary file add.
        guard (1...240).contains(name.utf8.count), name != ".", name != "..", !path.utf8.contains(0)
        else { throw .outsideLimits(.name) }
    }
}

extension FileError {
    /// Returns the error for the system's last one. Call it before any other system call.
    static func systemError(at step: Step) -> FileError {
        switch FileSystem.lastError {
        case ENOENT where step == .open || step == .openFolder: .notFound
        case ENOSPC, EDQUOT: .diskFull
        // The error of `O_NOFOLLOW` for a symbolic link.
        case ELOOP: .insecureFile
        case let code: .inputOutput(step, code: code)
        }
    }
}
