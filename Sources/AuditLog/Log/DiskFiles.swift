internal import Files
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The files of a log in a folder of the disk. Files are for their owner only, and links are not followed.
final class DiskFiles: LogFiles {
    private let folder: Int32
    private let isWritable: Bool
    private let open = Mutex<[String: Int32]>([:])

    /// Opens an existing folder.
    init(at path: String, isWritable: Bool) throws(AuditLogError) {
        let descriptor = Self.opened(path)
        guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .systemError }
        folder = descriptor
        self.isWritable = isWritable
    }

    private static func opened(_ path: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        #else
            Darwin.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        #endif
    }

    deinit {
        open.withLock { for descriptor in $0.values { close(descriptor) } }
        close(folder)
    }

    func names() throws(AuditLogError) -> [String] {
        // The stream closes its descriptor, so it gets one of its own.
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .systemError }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }

    func size(of name: String) throws(AuditLogError) -> Int? {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .systemError
        }
        // A link, a pipe or a folder in place of a file of the log is not one of ours.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(sequence: 0) }
        return Int(status.st_size)
    }

    func read(_ name: String, from offset: Int, count: Int) throws(AuditLogError) -> [UInt8] {
        try withDescriptor(of: name) { descriptor throws(AuditLogError) in
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { memory, filled in
                while filled < memory.count, let base = memory.baseAddress {
                    let more = pread(descriptor, base + filled, memory.count - filled, off_t(offset + filled))
                    if more < 0, errno == EINTR { continue }
                    if more < 0 { code = errno }
                    guard more > 0 else { break }
                    filled += more
                }
            }
            guard code == 0 else { throw .writeFailed(code: code) }
            return bytes
        }
    }

    func create(_ name: String) throws(AuditLogError) {
        let descriptor = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .systemError }
        open.withLock { Self.keep(descriptor, of: name, in: &$0) }
    }

    func write(_ bytes: [UInt8], to name: String, at offset: Int) throws(AuditLogError) {
        try withDescriptor(of: name) { descriptor throws(AuditLogError) in
            var code: Int32 = 0
            bytes.withUnsafeBytes { bytes in
                var written = 0
                while written < bytes.count, let base = bytes.baseAddress {
                    let count = pwrite(descriptor, base + written, bytes.count - written, off_t(offset + written))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else {
                        code = count < 0 ? errno : ENOSPC
                        return
                    }
                    written += count
                }
            }
            guard code == 0 else { throw AuditLogError(code: code) }
        }
    }

    func truncate(_ name: String, to size: Int) throws(AuditLogError) {
        try withDescriptor(of: name) { descriptor throws(AuditLogError) in
            guard ftruncate(descriptor, off_t(size)) == 0 else { throw .systemError }
        }
    }

    func flush(_ name: String) throws(AuditLogError) {
        try withDescriptor(of: name) { descriptor throws(AuditLogError) in
            guard flushData(descriptor) == 0 else { throw .systemError }
        }
    }

    func flushNames() throws(AuditLogError) {
        guard flushFolder(folder) == 0 else { throw .systemError }
    }

    func remove(_ name: String) throws(AuditLogError) {
        if let descriptor = open.withLock({ $0.removeValue(forKey: name) }) { close(descriptor) }
        guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw .systemError }
    }

    /// Calls `body` with the descriptor of a file. No other thread closes it meanwhile: its number could then be that
    /// of another file, whose bytes would be read or overwritten.
    private func withDescriptor<Result: Sendable>(
        of name: String, _ body: (Int32) throws(AuditLogError) -> Result
    ) throws(AuditLogError) -> Result {
        try open.withLock { open throws(AuditLogError) in
            if let descriptor = open[name] { return try body(descriptor) }
            // `O_NONBLOCK`: a pipe is not waited for.
            let flags = (isWritable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let descriptor = openat(folder, name, flags)
            guard descriptor >= 0 else { throw errno == ENOENT ? .notFound : .systemError }
            Self.keep(descriptor, of: name, in: &open)
            return try body(descriptor)
        }
    }

    /// Keeps a descriptor for the next call. A log has many old files, which are read once: few stay open.
    private static func keep(_ descriptor: Int32, of name: String, in open: inout [String: Int32]) {
        if open.count >= 16 {
            for descriptor in open.values { close(descriptor) }
            open.removeAll()
        }
        open[name] = descriptor
    }
}

extension AuditLogError {
    /// The system's last error. Use it before any other system call.
    static var systemError: AuditLogError { AuditLogError(code: errno) }

    init(code: Int32) {
        switch code {
        case ENOSPC, EDQUOT: self = .diskFull
        case ELOOP: self = .damaged(sequence: 0)
        default: self = .writeFailed(code: code)
        }
    }

    init(_ error: FileError) {
        switch error {
        case .notFound: self = .notFound
        case .alreadyExists: self = .alreadyExists
        case .lockedByAnother(let processID): self = .lockedByAnother(processID: processID)
        case .diskFull: self = .diskFull
        case .inputOutput(_, let code): self = .writeFailed(code: code)
        default: self = .damaged(sequence: 0)
        }
    }
}

/// How two folders lie to each other.
enum FolderRelation {
    /// Returns the folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns whether one folder is the other, or is in it. A folder that does not exist yet counts by its parent.
    static func areNested(_ one: String, _ other: String) -> Bool {
        let (one, other) = (absolute(one) + "/", absolute(other) + "/")
        return one.hasPrefix(other) || other.hasPrefix(one)
    }

    /// Returns the path without links; that of the nearest existing folder with the rest behind it.
    private static func absolute(_ path: String) -> String {
        if let whole = realpath(path, nil) {
            defer { free(whole) }
            return String(cString: whole)
        }
        let parent = folder(of: path)
        guard parent != path, parent != "." else { return (parent == "." ? absolute(".") + "/" : "") + path }
        return absolute(parent) + "/" + (path.split(separator: "/").last ?? "")
    }
}
