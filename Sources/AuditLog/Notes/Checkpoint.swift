public import Encoding

/// The state of a log: its name, its size and its root (C2SP tlog-checkpoint).
public struct Checkpoint: Hashable, Sendable {
    /// The name of the log.
    public let origin: String
    /// The number of entries.
    public let size: UInt64
    /// The root of the tree of all entries.
    public let root: TreeHash

    /// Creates a checkpoint.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for an origin that is not a name, or a size out of range.
    public init(origin: String, size: UInt64, root: TreeHash) throws(AuditLogError) {
        guard NoteKey.isValid(name: origin), size <= AuditLimits.size else { throw .outsideLimits }
        self.origin = origin
        self.size = size
        self.root = root
    }

    /// Reads the text of a note. Lines of extensions are refused, because no witness vouches for them.
    ///
    /// - Throws: `EncodingError`.
    public init(parsing text: String) throws(EncodingError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, lines[3].isEmpty else { throw lines.count > 4 ? .unsupported : .truncated }
        guard let size = UInt64(lines[1]), let root = TreeHash(try Base64.decode(lines[2])),
            size != 0 || root == .empty, let checkpoint = try? Checkpoint(origin: lines[0], size: size, root: root)
        else { throw .unsupported }
        guard checkpoint.text == text else { throw .notCanonical }
        self = checkpoint
    }

    /// Reads a note that the log's key signed. Nil if it did not, or if the note is not a checkpoint of the key's name.
    public init?(_ note: SignedNote, signedBy key: NoteKey) {
        guard note.isSigned(by: key), let checkpoint = try? Checkpoint(parsing: note.text),
            // Strings of other bytes can be equal by Unicode's rules. They would be two histories of one log.
            checkpoint.origin.utf8.elementsEqual(key.name.utf8)
        else { return nil }
        self = checkpoint
    }

    /// The text to sign: three lines.
    public var text: String { "\(origin)\n\(size)\n\(Base64.encode(root.bytes))\n" }
}
