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

    init(index: UInt64, path: [TreeHash], checkpoint: SignedNote) {
        self.index = index
        self.path = path
        self.checkpoint = checkpoint
    }

    /// Reads a proof without the line of extra data, which is not authenticated.
    ///
    /// - Throws: `EncodingError`.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        let limit = AuditLimits.witnessRequest
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unsupported }
        guard let (lines, rest) = ProofLines.split(text), let first = lines.first, first == Self.header else {
            throw .unsupported
        }
        guard let second = lines.dropFirst().first, let index = ProofLines.number(second, after: "index ") else {
            throw .unsupported
        }
        let path = try ProofLines.hashes(lines.dropFirst(2))
        self.init(index: index, path: path, checkpoint: try SignedNote(decoding: [UInt8](rest.utf8)))
        guard encoded == bytes else { throw .notCanonical }
    }

    /// The proof as text.
    public var encoded: [UInt8] {
        [UInt8]("\(Self.header)\nindex \(index)\n\(ProofLines.text(path))\n".utf8) + checkpoint.encoded
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
