package import Secrets
internal import SecureStorage
package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Asks for a passphrase on the controlling terminal, without echo. The characters go directly into guarded memory.
package struct PassphrasePrompt: ~Copyable {
    private let terminal: SilentTerminal

    /// - Throws: ``Failure/noTerminal(insteadUse:)`` without a terminal.
    ///
    /// - Parameter option: the option that makes the question unnecessary.
    package init(insteadUse option: String = "--passphrase-file FILE") throws(Failure) {
        guard let terminal = SilentTerminal() else { throw .noTerminal(insteadUse: option) }
        self.terminal = terminal
    }

    /// Writes the question and reads one line.
    ///
    /// - Throws: ``Failure/cancelled`` on control-C or the end of input, ``Failure/badPassphrase`` if it is empty or too long.
    ///
    /// - Parameter most: the maximum number of bytes in the line.
    package borrowing func ask(
        _ question: String, most: Int = SecretFile.longestPassphrase
    ) throws(Failure) -> SecretBytes {
        show(question)
        defer { show("\n") }
        var length = 0
        let line = try SecretBytes(count: most) { (memory) throws(Failure) in
            length = try readLine(into: memory)
        }
        guard length > 0 else { throw .badPassphrase("it is empty") }
        return line.prefix(length)
    }

    private borrowing func readLine(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var length = 0
        while true {
            var character: UInt8 = 0
            let count = read(terminal.file, &character, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { throw .cancelled() }
            switch character {
            case 0x0A, 0x0D: return length
            case 0x03, 0x04: throw .cancelled()
            case 0x08, 0x7F:
                // A typed character may be several bytes of UTF-8: the continuation bytes are removed as well.
                while length > 0 {
                    length -= 1
                    if memory[length] & 0xC0 != 0x80 { break }
                }
            case 0x15: length = 0
            // Other control characters are ignored: control-Z, a tab, the beginning of an arrow key.
            case 0..<0x20: continue
            default:
                guard length < memory.count else { throw .badPassphrase("it is longer than \(memory.count) bytes") }
                memory[length] = character
                length += 1
            }
        }
    }

    private borrowing func show(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(terminal.file, $0.baseAddress, $0.count) }
    }
}
