public import Curves
internal import Encoding
public import Secrets

/// One participant's share of a threshold key: secret, and useless without t - 1 others.
public struct KeyShare<Group: Curve>: ~Copyable, Sendable {
    /// The index of the participant that has the share.
    public let index: ParticipantIndex
    /// The value of the secret polynomial at `index`. It stays within this package: other code signs with a share, and
    /// need not read it.
    package let secret: SecretScalar<Group>
    /// The public half of the share's key.
    public let group: GroupKey<Group>

    /// Creates a share, if it matches the group key.
    ///
    /// - Throws: ``ThresholdError/unknownParticipant(_:)`` if the group has no such participant,
    ///   ``ThresholdError/inconsistentKey`` if the secret does not belong to its verification share.
    public init(
        index: ParticipantIndex, secret: consuming SecretScalar<Group>, group: GroupKey<Group>
    ) throws(ThresholdError) {
        guard secret.timesGenerator() == (try group.verificationShare(of: index)) else { throw .inconsistentKey }
        self.index = index
        self.secret = secret
        self.group = group
    }

    /// The public part of this share.
    public var verificationShare: Group.Point { group.verificationShares[index.value - 1] }

    /// Returns a second copy of the share, in guarded memory of its own.
    public borrowing func clone() -> KeyShare { KeyShare(uncheckedIndex: index, secret: secret.clone(), group: group) }

    private init(uncheckedIndex index: ParticipantIndex, secret: consuming SecretScalar<Group>, group: GroupKey<Group>)
    {
        self.index = index
        self.secret = secret
        self.group = group
    }
}

extension KeyShare {
    /// Returns the encoding: header and index, the secret (32 bytes), and the encoded group key. See
    /// `docs/formats/threshold-messages.md`.
    public borrowing func encoded() -> SecretBytes {
        var writer = MessageWriter<Group>(kind: .keyShare)
        writer.index(index)
        let head = writer.bytes
        let tail = group.encoded
        let secret = self.secret.encoded()
        return SecretBytes(count: head.count + secret.count + tail.count) { memory in
            memory.copyBytes(from: head)
            secret.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: memory[head.count...]).copyMemory(from: $0)
            }
            UnsafeMutableRawBufferPointer(rebasing: memory[(head.count + secret.count)...]).copyBytes(from: tail)
        }
    }

    /// Decodes a share from secret bytes.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters``,
    ///   ``ThresholdError/invalidElement``, ``ThresholdError/unknownParticipant(_:)`` or ``ThresholdError/inconsistentKey``.
    public init(decoding bytes: borrowing SecretBytes) throws(ThresholdError) {
        // Only the public parts become arrays; the secret goes from guarded memory to guarded memory.
        let headSize = 4
        guard bytes.count > headSize + scalarSize else { throw .malformed(.truncated) }
        let (head, tail) = bytes.withUnsafeBytes {
            (Array($0.prefix(headSize)), Array($0.dropFirst(headSize + scalarSize)))
        }

        var reader = try MessageReader<Group>(head, kind: .keyShare)
        let index = try reader.index()
        try reader.finish()
        let group = try GroupKey<Group>(decoding: tail)

        let secret: SecretScalar<Group>
        do { secret = try SecretScalar(canonical: bytes.part(headSize, scalarSize)) } catch {
            throw .invalidElement
        }
        try self.init(index: index, secret: secret, group: group)
    }
}
