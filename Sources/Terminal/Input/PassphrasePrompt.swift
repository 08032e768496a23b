internal import Files
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
    /// - Parameters:
    ///   - most: the maximum number of bytes in the line.
    ///   - isOptional: whether the line may be empty.
    package borrowing func ask(
        _ question: String, most: Int = SecretFile.longestPassphrase, isOptional: Bool = false
    ) throws(Failure) -> SecretBytes {
        show(question)
        defer { show("\n") }
        var length = 0
        let line = try SecretBytes(count: most) { (memory) throws(Failure) in
            length = try readLine(into: memory)
        }
        guard length > 0 || isOptional else { throw .badPassphrase("it is empty") }
        return line.prefix(length)
    }

    /// The number of attempts to type the same passphrase twice.
    private static let attempts = 3

    /// Asks for a new passphrase, which is typed twice. If the two differ, or the same words would not open what is made
    /// with it, asks again.
    ///
    /// - Parameters:
    ///   - proposal: makes a passphrase, which is shown after an empty answer; nil if none is proposed.
    ///   - note: shows why it asks again.
    /// - Throws: ``Failure/badPassphrase(_:)`` after the last attempt, and as ``ask(_:most:isOptional:)``.
    package borrowing func askNew(
        _ question: String, proposal: (() -> SecretBytes)?, note: (String) -> Void
    ) throws(Failure) -> SecretBytes {
        if proposal != nil { show("Leave it empty to have one proposed.\n") }
        var attempt = 1
        while attempt <= Self.attempts {
            let isLast = attempt == Self.attempts
            let first = try ask(question, isOptional: proposal != nil)
            if first.count == 0, let proposal {
                if let typed = try askProposed(proposal(), note: note) { return typed }
                // A declined proposal does not count as a failed attempt.
                continue
            }
            attempt += 1
            if let flaw = PassphraseText.flaw(in: first) {
                if isLast { throw flaw.failure }
                note("\(flaw.failure.message); try again")
                continue
            }
            if try ask("Repeat it: ").matches(first) { return first }
            if !isLast { note("these two are not the same; try again") }
        }
        throw .badPassphrase("the two are not the same")
    }

    /// Shows a proposed passphrase on the terminal, and asks the user to type it.
    ///
    /// - Returns: nil after an empty answer: the user wants another one.
    private borrowing func askProposed(
        _ proposed: borrowing SecretBytes, note: (String) -> Void
    ) throws(Failure) -> SecretBytes? {
        show("Proposed, and shown only now. Write it down:\n\n    ")
        proposed.withUnsafeBytes { show($0) }
        show("\n\n")
        for attempt in 1...Self.attempts {
            let typed = try ask("Type it (leave it empty to choose another one): ", isOptional: true)
            if typed.count == 0 { return nil }
            if typed.matches(proposed) { return typed }
            if attempt < Self.attempts { note("this is not the proposed passphrase; try again") }
        }
        throw .badPassphrase("it is not the proposed one")
    }

    private borrowing func readLine(into memory: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var length = 0
        var key = KeySequence.none
        while true {
            var character: UInt8 = 0
            let count = read(terminal.file, &character, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { throw .cancelled() }
            if key.takes(character) { continue }
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
            // Other control characters are ignored: control-Z, a tab.
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
        text.withUTF8 { show(UnsafeRawBufferPointer($0)) }
    }

    private borrowing func show(_ bytes: UnsafeRawBufferPointer) {
        _ = write(terminal.file, bytes.baseAddress, bytes.count)
    }
}

/// The bytes that a terminal sends for a key without a character, such as an arrow or Delete (ECMA-48, 5.4): `ESC [`,
/// parameters, and a final byte; or `ESC O` and one byte. They would become characters that the user did not type.
private enum KeySequence {
    case none, escape, parameters, last

    /// Returns whether the byte belongs to such a key.
    mutating func takes(_ byte: UInt8) -> Bool {
        switch self {
        case .none:
            if byte == 0x1B { self = .escape }
            return byte == 0x1B
        case .escape:
            self = byte == UInt8(ascii: "[") ? .parameters : byte == UInt8(ascii: "O") ? .last : .none
            // After a lone Escape, the byte is a key of its own; another Escape begins again.
            return self == .none ? takes(byte) : true
        case .parameters:
            if byte < 0x20 { self = .none }
            let isLast = (0x40...0x7E).contains(byte)
            if isLast { self = .none }
            return isLast || self == .parameters
        case .last:
            self = .none
            return byte >= 0x20
        }
    }
}
