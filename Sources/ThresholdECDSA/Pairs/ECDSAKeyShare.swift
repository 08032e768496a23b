public import Curves
internal import Secrets
public import Threshold

extension ECDSA {
    /// One participant's share of an ECDSA key, with its pairs with the other participants.
    public struct KeyShare: ~Copyable, Sendable {
        /// The share itself. It stays within this package, so that it cannot be used for Schnorr signatures.
        package let key: Threshold.KeyShare<Secp256k1>
        /// The epoch: how often the shares were renewed.
        public let epoch: Int
        /// The identity of the pairing, 32 bytes.
        let setup: [UInt8]
        var pairs: [ParticipantIndex: Pair]
        /// Whether the share was stored in an older format, whose pairs are not read. It has no pairs, and signs
        /// nothing before the next renewal.
        public let isOutdated: Bool
        private let admission: SecretMemory.Admission

        /// - Throws: `ThresholdError.exhausted(_:)`.
        init(
            key: consuming Threshold.KeyShare<Secp256k1>, epoch: Int, setup: [UInt8], pairs: [Pair],
            isOutdated: Bool = false
        ) throws(ThresholdError) {
            self.init(
                key: key, epoch: epoch, setup: setup, pairs: pairs,
                isOutdated: isOutdated, admission: try Threshold.admit(Self.memory(pairs: pairs.count), as: .share))
        }

        /// - Parameter admission: the reservation of ``memory(pairs:)``.
        init(
            key: consuming Threshold.KeyShare<Secp256k1>, epoch: Int, setup: [UInt8], pairs: [Pair],
            isOutdated: Bool = false, admission: consuming SecretMemory.Admission
        ) {
            self.admission = admission
            self.key = key
            self.epoch = epoch
            self.setup = setup
            self.isOutdated = isOutdated
            self.pairs = Dictionary(pairs.map { ($0.peer, $0) }) { first, _ in first }
        }

        /// Returns the memory of a share with this many pairs, in bytes.
        static func memory(pairs count: Int) -> Int { count * Pair.encodedSize + AdmittedSize.scalar }

        /// The public half of the key.
        public var group: GroupKey<Secp256k1> { key.group }
        /// The participant that has the share.
        public var index: ParticipantIndex { key.index }

        /// Returns the pair with a peer.
        ///
        /// - Throws: `ThresholdError.banned(_:)`, `ThresholdError.outdatedShare`.
        func pair(with peer: ParticipantIndex) throws(ThresholdError) -> Pair {
            guard !isOutdated else { throw .outdatedShare }
            guard let pair = pairs[peer] else { throw .banned(peer) }
            return pair
        }
    }
}
