public import Encoding

/// A text with signatures (C2SP signed-note).
///
/// - Warning: Reading a note verifies nothing. Use its text after ``Checkpoint/init(_:signedBy:)`` or another check.
public struct SignedNote: Equatable, Sendable {
    /// One line of a note below its text.
    public struct Signature: Hashable, Sendable {
        /// The name of the key.
        public let name: String
        /// The id of the key, four bytes.
        public let keyID: [UInt8]
        /// The signature itself.
        public let bytes: [UInt8]

        /// Creates a signature by a key.
        init(by key: NoteKey, _ bytes: [UInt8]) {
            name = key.name
            keyID = key.id
            self.bytes = bytes
        }

        /// Reads a line without its line ending.
        init(line: Substring) throws(EncodingError) {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts[0] == "\u{2014}", NoteKey.isValid(name: parts[1]) else {
                throw .unsupported
            }
            let material = try Base64.decode(parts[2])
            guard material.count > 4 else { throw .truncated }
            name = parts[1]
            keyID = Array(material.prefix(4))
            bytes = Array(material.dropFirst(4))
        }

        /// The line with its line ending.
        public var line: String { "\u{2014} \(name) \(Base64.encode(keyID + bytes))\n" }

        func isBy(_ key: NoteKey) -> Bool { name.utf8.elementsEqual(key.name.utf8) && keyID == key.id }
    }

    /// The signed text, with its last line ending.
    public let text: String
    /// The signatures in order.
    public let signatures: [Signature]

    init(text: String, signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    /// Reads a note.
    ///
    /// - Throws: `EncodingError`.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        guard bytes.count <= AuditLimits.note else { throw .tooLong(limit: AuditLimits.note) }
        if let offset = bytes.firstIndex(where: { $0 < 0x20 && $0 != 0x0A }) { throw .badCharacter(offset: offset) }
        guard let whole = String(validating: bytes, as: UTF8.self) else { throw .unsupported }
        // The last empty line ends the text.
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "", let separator = lines.dropLast().lastIndex(of: ""), separator > 0 else {
            throw .truncated
        }
        let signatureLines = lines[(separator + 1)..<(lines.count - 1)]
        guard !signatureLines.isEmpty else { throw .truncated }
        guard signatureLines.count <= AuditLimits.signatures else { throw .tooLong(limit: AuditLimits.signatures) }
        var signatures: [Signature] = []
        for line in signatureLines { signatures.append(try Signature(line: line)) }
        self.init(text: lines[..<separator].map { $0 + "\n" }.joined(), signatures: signatures)
    }

    /// The note as bytes.
    public var encoded: [UInt8] { [UInt8]((text + "\n" + signatures.map(\.line).joined()).utf8) }

    /// Returns the note with more signatures; those that it has already are not added again.
    public func adding(_ more: [Signature]) -> SignedNote {
        var all = signatures
        for signature in more where !all.contains(signature) { all.append(signature) }
        return SignedNote(text: text, signatures: all)
    }

    /// Returns the times of this witness's cosignatures, in seconds since 1970: nil if one of them is not valid, empty
    /// for a note without any.
    public func cosignatureTimes(by witness: NoteKey) -> [UInt64]? {
        guard witness.kind == .cosignature else { return [] }
        var times: [UInt64] = []
        for signature in signatures where signature.isBy(witness) {
            guard let cosignature = Cosignature(decoding: signature.bytes),
                witness.verifies(cosignature.signature, of: Cosignature.message(time: cosignature.time, text: text))
            else { return nil }
            times.append(cosignature.time)
        }
        return times
    }

    /// Returns whether the key signed the text. A wrong signature of that key makes the note unusable, also beside a
    /// valid one.
    func isSigned(by key: NoteKey) -> Bool {
        let own = signatures.filter { $0.isBy(key) }
        return key.kind == .signature && !own.isEmpty
            && own.allSatisfy { key.verifies($0.bytes, of: [UInt8](text.utf8)) }
    }
}

/// A witness's signature of a checkpoint, with its time (C2SP tlog-cosignature, version 1).
struct Cosignature {
    /// The time in seconds since 1970.
    let time: UInt64
    let signature: [UInt8]

    /// Nil unless the bytes are eight of a time that fits 63 bits, and 64 of a signature. The time 0 is none: it would
    /// say that the witness has seen nothing longer in 1970.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count == 72, var reader = try? ByteReader(bytes, limit: 72),
            let time = try? reader.bigEndian(UInt64.self), (1...UInt64(Int64.max)).contains(time)
        else { return nil }
        self.time = time
        signature = Array(reader.rest())
    }

    static func message(time: UInt64, text: String) -> [UInt8] {
        [UInt8]("cosignature/v1\ntime \(time)\n\(text)".utf8)
    }
}
