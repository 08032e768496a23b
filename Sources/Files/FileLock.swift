#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The exclusive right to write a file, among all processes. It is released with this value.
///
/// The lock is on a file of its own beside the locked one, `NAME.lock`, because the locked one is replaced at every
/// write. The lock file contains the process id of its owner, and is removed at the end. One that a crash left behind
/// locks no one out, since the system itself released the lock.
///
/// - Note: The lock is advisory: it keeps out programs that ask for it, not malicious ones.
package final class FileLock: Sendable {
    private let descriptor: Descriptor
    private let folder: Folder
    private let name: String

    /// Takes the lock of the file at a path, which need not exist, or reports its owner; never waits.
    ///
    /// - Throws: ``FileError/lockedByAnother(processID:)``, and the errors of writing.
    package init(on path: String) throws(FileError) {
        let location = try FileLocation(path)
        let folder = try Folder(at: location.folder)
        let name = location.name + ".lock"
        while true {
            let descriptor = try folder.file(name, flags: O_RDWR | O_CREAT, mode: 0o600, step: .lock)
            guard FileSystem.lockWithoutWaiting(descriptor.raw) == 0 else {
                guard FileSystem.lastError == EWOULDBLOCK else { throw .systemError(at: .lock) }
                throw .lockedByAnother(processID: Self.holder(in: descriptor))
            }
            // The previous owner removed its lock file at the end. If that was the one that we opened, our lock
            // no longer protects anything, and we begin again.
            guard Self.isStill(descriptor, at: name, in: folder) else { continue }
            Self.sign(descriptor)
            self.descriptor = descriptor
            self.folder = folder
            self.name = name
            return
        }
    }

    deinit {
        // While the lock is held: afterwards the file might be another owner's.
        unlinkat(folder.raw, name, 0)
    }

    private static func isStill(_ descriptor: borrowing Descriptor, at name: String, in folder: borrowing Folder)
        -> Bool
    {
        var held = stat()
        var there = stat()
        return fstat(descriptor.raw, &held) == 0 && fstatat(folder.raw, name, &there, AT_SYMLINK_NOFOLLOW) == 0
            && held.st_ino == there.st_ino && held.st_dev == there.st_dev
    }

    /// Writes our process id, to inform processes that find the file locked. Nothing depends on it.
    private static func sign(_ descriptor: borrowing Descriptor) {
        let text = [UInt8]("\(getpid())\n".utf8)
        guard ftruncate(descriptor.raw, 0) == 0 else { return }
        _ = pwrite(descriptor.raw, text, text.count, 0)
    }

    private static func holder(in descriptor: borrowing Descriptor) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor.raw, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
