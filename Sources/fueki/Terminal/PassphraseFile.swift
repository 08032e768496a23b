internal import Secrets

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A passphrase, or another secret text, kept in a file, for scripts. It is read straight into guarded memory.
enum PassphraseFile {
    /// The first line of the file, without its line ending. `-` is standard input.
    static func firstLine(of path: String) throws(Failure) -> SecretBytes {
        // One byte more than the longest, so that a longer line is noticed and not cut.
        let text = try beginning(of: path, size: PassphrasePrompt.longest + 1)
        let length = text.withUnsafeBytes { bytes in bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count }
        guard length > 0 else { throw .badPassphrase("the file's first line is empty") }
        guard length <= PassphrasePrompt.longest else {
            throw .badPassphrase("the file's first line is longer than \(PassphrasePrompt.longest) bytes")
        }
        return text.prefix(length)
    }

    /// All that the file holds, and no more than `size` bytes of it. `-` is standard input.
    static func beginning(of path: String, size longest: Int) throws(Failure) -> SecretBytes {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path, errno) }
        defer { close(file) }

        var size = 0
        let text = try SecretBytes(count: longest) { (memory) throws(Failure) in
            while size < memory.count, let base = memory.baseAddress {
                let more = read(file, base + size, memory.count - size)
                if more < 0 && errno == EINTR { continue }
                guard more >= 0 else { throw .unreadable(path, errno) }
                if more == 0 { break }
                size += more
            }
        }
        return text.prefix(size)
    }
}
