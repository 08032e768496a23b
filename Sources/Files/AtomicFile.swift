#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A small file that is always whole: a reader at any moment, also after a loss of power, finds the old bytes or the
/// new ones.
///
/// A write goes to a temporary file in the same folder (`.NAME.tmp`, newly made, for the owner only), which is flushed
/// and renamed over the old one; then the folder is flushed. Only then does the write return.
package enum AtomicFile {
    /// The required access mode of a file that is read.
    package enum Access: Sendable {
        /// Only its owner, who is the present user: mode 0600. For files that this machine keeps.
        case ownerOnly
        /// Any: for sealed or public files on media without owners and modes, such as a backup stick.
        case anyone
    }

    /// The users who may read a new file.
    package enum Readers: Sendable {
        /// Its owner: mode 0600.
        case owner
        /// Everyone whom the umask permits: at most mode 0644. For files that are made for others.
        case anyone
    }

    /// Whether a write may replace a file.
    package enum Replacing: Sendable { case allowed, refused }

    /// Replaces or makes a file, holding its lock meanwhile.
    ///
    /// - Throws: ``FileError``: the earlier file is unharmed. If only the last step failed, flushing the
    ///   folder, the new bytes are in place but might not survive a loss of power; a file that did not exist before is
    ///   removed again.
    package static func write(
        _ bytes: [UInt8], to path: String, replacing: Replacing
    ) throws(FileError) {
        let location = try FileLocation(path)
        let folder = try Folder(at: location.folder)
        let lock = try FileLock(on: path)
        try folder.remove(temporaryName(of: location.name))
        if case .refused = replacing, folder.contains(location.name) { throw .alreadyExists }
        try write(bytes, to: location.name, in: folder, holding: lock, replacing: replacing)
    }

    /// Makes a new file in a folder that other programs use, and touches nothing else there: no lock is taken, and the
    /// temporary file has a free name.
    ///
    /// - Throws: ``FileError/alreadyExists`` if the name is taken, and the errors of writing.
    package static func create(_ bytes: [UInt8], at path: String, for readers: Readers) throws(FileError) {
        let location = try FileLocation(path)
        let folder = try Folder(at: location.folder)
        guard !folder.contains(location.name) else { throw .alreadyExists }
        let temporary = freeName(in: folder)
        do {
            try fill(temporary, with: bytes, in: folder, for: readers)
            try folder.name(temporary, as: location.name)
        } catch {
            try? folder.remove(temporary)
            throw error
        }
        try flush(folder, withNew: location.name)
    }

    /// Returns a free name. If another process takes it first, making the file fails, and nothing is harmed.
    private static func freeName(in folder: borrowing Folder) -> String {
        var number = 0
        while true {
            let name = ".fueki-\(getpid())-\(number).tmp"
            if !folder.contains(name) { return name }
            number += 1
        }
    }

    /// Reads a whole file.
    package static func read(_ path: String, limit: Int, access: Access) throws(FileError) -> [UInt8] {
        let location = try FileLocation(path)
        return try read(location.name, in: try Folder(at: location.folder), limit: limit, access: access)
    }

    /// Returns the name of the temporary file. One fixed name suffices, because its writer holds the lock.
    package static func temporaryName(of name: String) -> String { ".\(name).tmp" }

    /// Replaces or makes a file in a folder. The caller holds its lock.
    package static func write(
        _ bytes: [UInt8], to name: String, in folder: borrowing Folder, holding lock: FileLock,
        replacing: Replacing = .allowed
    ) throws(FileError) {
        let temporary = temporaryName(of: name)
        do {
            try fill(temporary, with: bytes, in: folder, for: .owner)
            try folder.rename(temporary, to: name)
        } catch {
            // The remains are useless, and the next opening would remove them. The first error is reported.
            try? folder.remove(temporary)
            throw error
        }
        switch replacing {
        case .allowed: try folder.flush()
        case .refused: try flush(folder, withNew: name)
        }
    }

    /// Flushes the folder after making a new file. If that fails, the file is removed again, so that it neither
    /// prevents another attempt nor looks like a finished file.
    private static func flush(_ folder: borrowing Folder, withNew name: String) throws(FileError) {
        do { try folder.flush() } catch {
            try? folder.remove(name)
            throw error
        }
    }

    private static func fill(
        _ name: String, with bytes: [UInt8], in folder: borrowing Folder, for readers: Readers
    ) throws(FileError) {
        let mode: mode_t =
            switch readers {
            case .owner: 0o600
            case .anyone: 0o644
            }
        let file = try folder.file(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode, step: .write)
        var offset = 0
        while offset < bytes.count {
            let count = FileSystem.write(file.raw, bytes[offset...])
            if count < 0, FileSystem.lastError == EINTR { continue }
            guard count > 0 else { throw count < 0 ? .systemError(at: .write) : .diskFull }
            offset += count
        }
        // An error here is final: the system may have dropped the bytes, and a second flush would not report it.
        guard FileSystem.flush(file.raw) == 0 else { throw .systemError(at: .flush) }
        try file.closed()
    }

    /// Reads a whole file of a folder.
    package static func read(
        _ name: String, in folder: borrowing Folder, limit: Int, access: Access
    ) throws(FileError) -> [UInt8] {
        let file = try folder.file(name, flags: O_RDONLY)
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw .systemError(at: .read) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .insecureFile }
        if case .ownerOnly = access {
            guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .insecureFile }
        }
        guard status.st_size <= limit else { throw .outsideLimits(.size) }
        // One byte more than the file has, to notice that it grew.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var filled = 0
        while filled < bytes.count {
            let count = FileSystem.read(file.raw, into: &bytes, from: filled)
            if count < 0, FileSystem.lastError == EINTR { continue }
            guard count >= 0 else { throw .systemError(at: .read) }
            if count == 0 { break }
            filled += count
        }
        guard filled <= limit else { throw .outsideLimits(.size) }
        return [UInt8](bytes[..<filled])
    }
}
