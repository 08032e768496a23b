internal import Files
internal import Foundation

/// A file for its owner only, which gets its name when it is complete and durable, and only if the name is free.
struct NewFile: Sendable {
    let path: String
    /// Its temporary path, in the same folder.
    let temporaryPath: String
    private let folder: String

    /// Makes the file, empty.
    init(at path: String) throws(StoreError) {
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0),
            let slash = path.lastIndex(of: "/")
        else { throw .invalidAddress }
        guard !FolderCreation.isOccupied(path) else { throw .alreadyExists }
        folder = slash == path.startIndex ? "/" : String(path[..<slash])
        self.path = path
        temporaryPath = "\(path).\(getpid()).tmp"
        unlink(temporaryPath)
        let file = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.lastError }
        close(file)
    }

    /// Copies another file into it.
    ///
    /// - Parameter companion: the suffix of a companion file, to copy that one instead.
    func fill(_ companion: String = "", from source: String) throws(StoreError) {
        let input = open(source + companion, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw Self.lastError }
        defer { close(input) }
        let output = open(temporaryPath + companion, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw Self.lastError }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.lastError }
            if count == 0 { return }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Self.lastError }
                rest = rest.dropFirst(written)
            }
        }
    }

    /// Flushes the file, and gives it its name.
    func keep() throws(StoreError) {
        try Self.flush(temporaryPath, O_RDONLY | O_NOFOLLOW)
        // Unlike renaming, this replaces nothing.
        guard link(temporaryPath, path) == 0 else { throw errno == EEXIST ? .alreadyExists : Self.lastError }
        unlink(temporaryPath)
        do throws(StoreError) {
            try Self.flush(folder, O_RDONLY | O_DIRECTORY)
        } catch {
            // After a failure no file is left that might not survive a loss of power.
            unlink(path)
            throw error
        }
    }

    /// Removes the unfinished file.
    func discard() {
        for companion in SQLiteBackup.companions { unlink(temporaryPath + companion) }
    }

    private static func flush(_ path: String, _ flags: Int32) throws(StoreError) {
        let file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw lastError }
        defer { close(file) }
        guard fsync(file) == 0 else { throw lastError }
    }

    private static var lastError: StoreError {
        switch errno {
        case ENOSPC, EDQUOT: .diskFull
        case ENOENT: .notFound
        case EEXIST: .alreadyExists
        case ELOOP: .insecure
        case let code: .failed(code: "system \(code)")
        }
    }
}
