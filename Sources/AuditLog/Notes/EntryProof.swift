public import Encoding

/// A proof that a log has an entry, to be verified without the log (C2SP tlog-proof).
public struct EntryProof: Equatable, Sendable {
    private static let header = "c2sp.org/tlog-proof@v1"

    /// The sequence number of the entry.
    public let index: UInt64
    /// The hashes from the leaf up.
    public let path: [TreeHash]
    /// The checkpoint of the tree, with its signatures.
    public let checkpoint: SignedNote
    /// Data that an application put beside the proof; nil without any.
    ///
    /// - Warning: It is not authenticated: ``verifies(_:log:witnesses:)`` does not look at it.
    public let extra: [UInt8]?

    init(index: UInt64, path: [TreeHash], checkpoint: SignedNote, extra: [UInt8]? = nil) {
        self.index = index
        self.path = path
        self.checkpoint = checkpoint
        self.extra = extra
    }

    /// Reads a proof.
    ///
    /// - Throws: `EncodingError`.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        let limit = AuditLimits.entryProof
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unsupported }
        guard let (head, rest) = ProofLines.split(text) else { throw .unsupported }
        var lines = head
        guard lines.popFirst() == Self.header else { throw .unsupported }
        var extra: [UInt8]?
        if let line = lines.first, line.hasPrefix(Self.extraPrefix) {
            let data = try Base64.decode(String(line.dropFirst(Self.extraPrefix.count)))
            // Without data the line is left out.
            guard !data.isEmpty else { throw .notCanonical }
            guard data.count <= AuditLimits.proofExtra else { throw .tooLong(limit: AuditLimits.proofExtra) }
            extra = data
            lines = lines.dropFirst()
        }
        guard let line = lines.popFirst(), let index = ProofLines.number(line, after: "index ") else {
            throw .unsupported
        }
        let path = try ProofLines.hashes(lines)
        self.init(index: index, path: path, checkpoint: try SignedNote(decoding: [UInt8](rest.utf8)), extra: extra)
        guard encoded == bytes else { throw .notCanonical }
    }

    private static let extraPrefix = "extra "

    /// The proof as text.
    public var encoded: [UInt8] {
        let extra = extra.map { "\(Self.extraPrefix)\(Base64.encode($0))\n" } ?? ""
        let head = "\(Self.header)\n\(extra)index \(index)\n\(ProofLines.text(path))\n"
        return [UInt8](head.utf8) + checkpoint.encoded
    }

    /// Returns whether the log whose key signs checkpoints has this entry, and each of the witnesses has seen the
    /// checkpoint.
    ///
    /// - Parameters:
    ///   - entry: the sealed bytes of the entry.
    ///   - witnesses: all of them must have cosigned.
    public func verifies(_ entry: [UInt8], log key: NoteKey, witnesses: [NoteKey]) -> Bool {
        guard let tree = Checkpoint(checkpoint, signedBy: key),
            witnesses.allSatisfy({ checkpoint.cosignatureTimes(by: $0)?.isEmpty == false })
        else { return false }
        return TreeProof.verifies(
            inclusionOf: .leaf(entry), at: index, path: path, size: tree.size, root: tree.root)
    }
}

/// The lines that proofs and requests to witnesses have in common.
enum ProofLines {
    /// Splits a text at its first empty line.
    static func split(_ text: String) -> (lines: ArraySlice<String>, rest: String)? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let separator = lines.firstIndex(of: "") else { return nil }
        return (lines[..<separator].map(String.init)[...], lines[(separator + 1)...].joined(separator: "\n"))
    }

    /// Reads a decimal number without needless zeros.
    static func number(_ line: String, after prefix: String) -> UInt64? {
        guard line.hasPrefix(prefix), let number = UInt64(line.dropFirst(prefix.count)),
            line == prefix + String(number)
        else { return nil }
        return number
    }

    static func hashes(_ lines: ArraySlice<String>) throws(EncodingError) -> [TreeHash] {
        guard lines.count <= AuditLimits.proofHashes else { throw .tooLong(limit: AuditLimits.proofHashes) }
        var hashes: [TreeHash] = []
        for line in lines {
            guard let hash = TreeHash(try Base64.decode(line)) else { throw .unsupported }
            hashes.append(hash)
        }
        return hashes
    }

    static func text(_ hashes: [TreeHash]) -> String { hashes.map { Base64.encode($0.bytes) + "\n" }.joined() }
}
