internal import Curves
internal import Encoding
public import Secrets
public import Threshold

extension ECDSA.KeyShare {
    /// The peers without a pair, ascending: those that cheated, or all peers of an outdated share. The share signs
    /// nothing with them before the next renewal.
    public var banned: [ParticipantIndex] {
        group.parameters.indices.filter { $0 != index && pairs[$0] == nil }
    }

    /// Destroys the pair with a peer that cheated (`ThresholdError.cheating(by:)`). Replace the stored share at once,
    /// since each further attempt could reveal more of the pair to the peer.
    ///
    /// This changes only this value. Running sessions have copies of the pair: drop every session in which the peer is
    /// a signer, and send none of its messages.
    ///
    /// - Throws: `ThresholdError.unknownParticipant(_:)` for the participant itself, or one that the group does not
    ///   have.
    public mutating func ban(_ peer: ParticipantIndex) throws(ThresholdError) {
        guard peer != index, group.parameters.contains(peer) else { throw .unknownParticipant(peer) }
        pairs[peer] = nil
    }

    /// Returns the share and all pairs, to be stored sealed. See `docs/formats/ecdsa-messages.md`.
    public borrowing func encoded() -> SecretBytes {
        // An outdated share stays outdated when it is stored again, without pairs.
        var writer = MessageWriter<Secp256k1>(kind: isOutdated ? .ecdsaKeyShareWithSeeds : .ecdsaKeyShare)
        writer.epoch(epoch)
        writer.bytes(setup)
        let head = writer.bytes
        let tail = key.encoded()
        let places = group.parameters.indices.filter { $0 != index }.map { (peer: $0, pair: pairs[$0]) }
        let size = places.reduce(head.count + tail.count + 1) {
            $0 + 1 + ($1.pair == nil ? 1 : ECDSA.Pair.encodedSize)
        }
        return SecretBytes(count: size) { memory in
            memory.copyBytes(from: head)
            var offset = head.count
            func append(_ byte: Int) {
                memory[offset] = UInt8(byte)
                offset += 1
            }
            append(places.count)
            for (peer, pair) in places {
                append(pair == nil ? PairState.banned : PairState.kept)
                guard let pair else {
                    append(peer.value)
                    continue
                }
                pair.encode(
                    into: UnsafeMutableRawBufferPointer(rebasing: memory[offset..<(offset + ECDSA.Pair.encodedSize)]))
                offset += ECDSA.Pair.encodedSize
            }
            tail.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: $0) }
        }
    }

    /// Reads a share. The pairs of an older format are not read: the share is outdated.
    ///
    /// - Throws: `ThresholdError.malformed(_:)`, `ThresholdError.invalidParameters`, `ThresholdError.invalidElement`,
    ///   `ThresholdError.unknownParticipant(_:)`, `ThresholdError.inconsistentKey` or `ThresholdError.exhausted(_:)`.
    public init(decoding bytes: borrowing SecretBytes) throws(ThresholdError) {
        // Only public data become an array; secrets go from guarded memory to guarded memory.
        let headSize = 3 + 4 + 32
        guard bytes.count > headSize else { throw .malformed(.truncated) }
        let head = bytes.withUnsafeBytes { Array($0.prefix(headSize)) }
        let isOld = head[1] == MessageKind.ecdsaKeyShareWithSeeds.code
        var reader = try MessageReader<Secp256k1>(head, kind: isOld ? .ecdsaKeyShareWithSeeds : .ecdsaKeyShare)
        let epoch = try reader.epoch()
        let setup = try reader.bytes(32)

        var offset = headSize
        func next() throws(ThresholdError) -> Int {
            guard offset < bytes.count else { throw .malformed(.truncated) }
            defer { offset += 1 }
            return bytes.withUnsafeBytes { Int($0[offset]) }
        }
        var peers: [ParticipantIndex] = []
        var pairs: [ECDSA.Pair] = []
        let count = try next()
        guard count < ThresholdLimits.participants else {
            throw .malformed(.tooLong(limit: ThresholdLimits.participants))
        }
        for _ in 0..<count {
            switch try next() {
            case PairState.banned: peers.append(try ParticipantIndex(try next()))
            case PairState.kept where isOld:
                guard bytes.count - offset >= oldPairSize else { throw .malformed(.truncated) }
                peers.append(try ParticipantIndex(bytes.withUnsafeBytes { Int($0[offset]) }))
                offset += oldPairSize
            case PairState.kept:
                guard bytes.count - offset >= ECDSA.Pair.encodedSize else { throw .malformed(.truncated) }
                let pair = try ECDSA.Pair(decoding: bytes, at: offset)
                offset += ECDSA.Pair.encodedSize
                peers.append(pair.peer)
                pairs.append(pair)
            default: throw .malformed(.unsupported)
            }
        }
        let key = try Threshold.KeyShare<Secp256k1>(decoding: bytes.part(offset, bytes.count - offset))
        guard peers == key.group.parameters.indices.filter({ $0 != key.index }) else { throw .malformed(.notCanonical) }
        try self.init(key: key, epoch: epoch, setup: setup, pairs: pairs, isOutdated: isOld)
    }

    /// The state of a peer's pair.
    private enum PairState {
        static let banned = 0
        static let kept = 1
    }
}

/// The size of a pair with all seeds of its trees: index, seed, Δ, 64 trees of 15 seeds and 64 of 16.
private let oldPairSize = 1 + 32 + 32 + 64 * (15 + 16) * 32

extension MessageKind {
    static let ecdsaKeyShareWithSeeds = MessageKind(code: 0x03)
    static let ecdsaKeyShare = MessageKind(code: 0x04)
}
