internal import Curves
internal import Encoding
internal import Secrets

extension ECDSA.PairSetup {
    /// B of a pair, after its first message.
    final class ReceivingSide: Sendable {
        let pair: PairSession
        let message: [UInt8]
        private let seed: SecretBytes
        private let transfer: ECDSA.BaseReceiver

        init(_ pair: PairSession, seed: consuming SecretBytes, random: some RandomSource) {
            transfer = ECDSA.BaseReceiver(transfer: pair.transfer, random: random)
            message = pair.message(.first, after: []).seal(transfer.message, seed: seed, random: random)
            self.pair = pair
            self.seed = seed
        }

        /// Checks A's message, and grows the second trees. Gives the last message, and what is kept.
        ///
        /// - Throws: as ``SetupMessage/open(_:seed:)``, or ``ThresholdError/cheating(by:)``.
        func receive(_ bytes: [UInt8], random: some RandomSource) throws(ThresholdError) -> FinishedPair {
            let first = PairSession.name(of: message)
            let body = try pair.message(.second, after: [first]).open(bytes, seed: seed)
            let sender = try blaming(pair.sender) { () throws(ThresholdError) in try senderSeeds(body) }
            let pads = try blaming(pair.sender) { () throws(ThresholdError) in
                try ECDSA.ExtensionSender(
                    answering: SecondBody.reverse(body), seeds: sender, session: pair.reverse, sender: pair.receiver,
                    receiver: pair.sender
                ).pads(width: 1)
            }
            let grown = ECDSA.TreeSender(pads: pads, trees: pair.trees(from: pair.receiver))
            let names = [first, PairSession.name(of: bytes)]
            let last = pair.message(.third, after: names).seal(grown.message, seed: seed, random: random)
            return FinishedPair(
                ECDSA.Pair(peer: pair.sender, seed: seed.clone(), sender: sender, receiver: grown.seeds),
                digest: pair.digest(names + [PairSession.name(of: last)]), message: last)
        }

        /// The seeds of the first trees.
        private func senderSeeds(_ body: [UInt8]) throws(ThresholdError) -> ECDSA.SenderSeeds {
            guard body.count == SecondBody.size else { throw .malformed(.unsupported) }
            return try ECDSA.TreeReceiver.seeds(
                from: SecondBody.trees(body), pads: transfer.pads(answer: SecondBody.transfer(body)),
                choice: transfer.choice, trees: pair.trees(from: pair.sender), sender: pair.sender)
        }
    }

    /// What A sends to B: its answer of the base transfers, the first trees, and the extension.
    enum SecondBody {
        static let treesOffset = ECDSA.BaseTransfer.Layout.answers
        static let reverseOffset = treesOffset + ECDSA.PuncturedTrees.messageSize
        static let size = reverseOffset + ECDSA.Extension.messageSize

        static func transfer(_ body: [UInt8]) -> [UInt8] { Array(body[..<treesOffset]) }
        static func trees(_ body: [UInt8]) -> [UInt8] { Array(body[treesOffset..<reverseOffset]) }
        static func reverse(_ body: [UInt8]) -> [UInt8] { Array(body[reverseOffset...]) }
    }

    /// A pair that is set up, as far as one of the two can tell.
    struct FinishedPair: Sendable {
        let pair: ECDSA.Pair
        let digest: [UInt8]
        /// For the peer, if one is left to be sent.
        let message: [UInt8]?

        init(_ pair: ECDSA.Pair, digest: [UInt8], message: [UInt8]?) {
            self.pair = pair
            self.digest = digest
            self.message = message
        }
    }
}
