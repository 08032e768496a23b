public import Curves
internal import Secrets

extension ECDSA {
    /// One participant's share of an ECDSA key, and what it keeps of each other participant to sign with it.
    public struct KeyShare: ~Copyable, Sendable {
        /// The share itself. Stays within this package, so that nobody makes Schnorr signatures with it.
        package let key: Threshold.KeyShare<Secp256k1>
        /// How often the shares were renewed.
        public let epoch: Int
        /// The identity of the pairs' set-up, 32 bytes.
        let setup: [UInt8]
        var pairs: [ParticipantIndex: Pair]
        /// Whether the share was stored in an older format, the pairs of which are not read. It has none, and signs nothing before the
        /// shares are renewed.
        public let isOutdated: Bool
        private let admission: SecretMemory.Admission

        /// - Throws: ``ThresholdError/exhausted(_:)``.
        init(
            key: consuming Threshold.KeyShare<Secp256k1>, epoch: Int, setup: [UInt8], pairs: [Pair],
            isOutdated: Bool = false
        ) throws(ThresholdError) {
            self.init(
                key: key, epoch: epoch, setup: setup, pairs: pairs,
                isOutdated: isOutdated, admission: try admit(Self.memory(pairs: pairs.count), as: .share))
        }

        /// - Parameter admission: of ``memory(pairs:)``.
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

        /// What a share with so many pairs holds, in bytes.
        static func memory(pairs count: Int) -> Int { count * Pair.encodedSize + admittedScalar }

        /// What is public of the key.
        public var group: GroupKey<Secp256k1> { key.group }
        /// Whose share it is.
        public var index: ParticipantIndex { key.index }

        /// What is kept of one peer.
        ///
        /// - Throws: ``ThresholdError/banned(_:)``, ``ThresholdError/outdatedShare``.
        func pair(with peer: ParticipantIndex) throws(ThresholdError) -> Pair {
            guard !isOutdated else { throw .outdatedShare }
            guard let pair = pairs[peer] else { throw .banned(peer) }
            return pair
        }
    }
}
