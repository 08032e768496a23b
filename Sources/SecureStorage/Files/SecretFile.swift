package import Secrets

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A passphrase, or another secret text, in a file, for whoever starts a program without typing. It is read straight into
/// guarded memory.
package enum SecretFile {
    /// Why there is no secret text to have.
    package enum Flaw: Error, Equatable, Sendable {
        /// The system refused to open or read it. `code` is its `errno`.
        case unreadable(code: Int32)
        case empty
        /// The first line is longer than so many bytes.
        case tooLong(Int)
    }

    /// A passphrase longer than this is a file given by mistake.
    package static let longestPassphrase = Limits.passphrase

    /// The first line of the file, without its line ending. `-` is standard input.
    package static func firstLine(of path: String) throws(Flaw) -> SecretBytes {
        // One byte more than the longest, so that a longer line is noticed and not cut.
        let text = try beginning(of: path, size: longestPassphrase + 1)
        let length = text.withUnsafeBytes { bytes in bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count }
        guard length > 0 else { throw .empty }
        guard length <= longestPassphrase else { throw .tooLong(longestPassphrase) }
        return text.prefix(length)
    }

    /// All that the file holds, and no more than `size` bytes of it. `-` is standard input.
    package static func beginning(of path: String, size longest: Int) throws(Flaw) -> SecretBytes {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(code: errno) }
        defer { close(file) }

        var size = 0
        let text = try SecretBytes(count: longest) { (memory) throws(Flaw) in
            while size < memory.count, let base = memory.baseAddress {
                let more = read(file, base + size, memory.count - size)
                if more < 0 && errno == EINTR { continue }
                guard more >= 0 else { throw .unreadable(code: errno) }
                if more == 0 { break }
                size += more
            }
        }
        return text.prefix(size)
    }

    /// Who may get at a file beside its owner.
    package enum Others: Sendable {
        /// Its group, or everybody.
        case groupOrAll
        /// Everybody: the group has been let in on purpose, as a node does with its cookie.
        case all
    }

    /// Whether others may open the file: by its own mode, and by those of all folders above it, which may keep them out. Nothing is
    /// said of standard input, pipes and what else is no regular file, nor of what is not there.
    package static func isWithinReach(of others: Others, _ path: String) -> Bool {
        var status = stat()
        guard path != "-", let whole = realpath(path, nil) else { return false }
        defer { free(whole) }
        guard stat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        // Bits of the group and of all, and what a folder needs to let them pass.
        var classes: [(file: mode_t, folder: mode_t)] = [(0o007, 0o001)]
        if case .groupOrAll = others { classes.append((0o070, 0o010)) }
        classes.removeAll { status.st_mode & $0.file == 0 }
        var folder = String(cString: whole)[...]
        while !classes.isEmpty, let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard stat(folder.isEmpty ? "/" : String(folder), &status) == 0 else { return false }
            classes.removeAll { status.st_mode & $0.folder == 0 }
        }
        return !classes.isEmpty
    }

    /// Whether others than its owner may read it, as far as its mode tells. Nothing is said of what is not there.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }
}
