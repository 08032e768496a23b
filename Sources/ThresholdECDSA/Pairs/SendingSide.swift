internal import Secrets
internal import Threshold

extension ECDSA.PairSetup {
    /// A of a pair, after it has answered B's first message.
    final class SendingSide: Sendable {
        let pair: PairSession
        let message: [UInt8]
        /// The names of the first two messages.
        private let names: [[UInt8]]
        private let seed: SecretBytes
        /// The bits of the extension; the first 256 are w.
        private let choice: SecretBytes
        private let pads: SecretBytes

        /// - Throws: `ThresholdError.cheating(by:)`.
        init(
            _ pair: PairSession, answering opened: OpenedMessage, seed: consuming SecretBytes,
            random: some RandomSource
        ) throws(ThresholdError) {
            let transfer = try blaming(pair.receiver) { () throws(ThresholdError) in
                try ECDSA.BaseSender(answering: opened.body, transfer: pair.transfer, random: random)
            }
            let grown = ECDSA.TreeSender(pads: transfer.pads, trees: pair.trees(of: pair.sender, for: .widening))
            let choice = SecretBytes(count: ECDSA.ExtensionShape.widening.rowSize, from: random)
            let widening = ECDSA.ExtensionReceiver(
                choice: choice, roots: grown.roots, shape: .widening, session: pair.widening, sender: pair.receiver,
                receiver: pair.sender)
            let first = PairSession.name(of: opened.bytes)
            message = pair.message(.second, after: [first])
                .seal(transfer.message + grown.message + widening.message, seed: seed, random: random)
            pads = widening.pads(width: 1)
            names = [first, PairSession.name(of: message)]
            self.pair = pair
            self.seed = seed
            self.choice = choice
        }

        /// Opens B's second message.
        ///
        /// - Throws: as ``SetupMessage/open(_:seed:)``.
        func open(_ bytes: [UInt8]) throws(ThresholdError) -> OpenedMessage {
            try pair.message(.third, after: names).open(bytes, seed: seed)
        }

        /// Checks B's trees and its extension, and grows the last trees. Returns the last message, and the pair.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        func receive(_ opened: OpenedMessage, random: some RandomSource) throws(ThresholdError) -> FinishedPair {
            let body = try blaming(pair.receiver) { () throws(ThresholdError) in try ThirdBody(opened.body) }
            let coPaths = try blaming(pair.receiver) { () throws(ThresholdError) in
                try ECDSA.TreeReceiver.coPaths(
                    from: body.trees, pads: pads, choice: choice,
                    trees: pair.trees(of: pair.receiver, for: .reversing), sender: pair.receiver)
            }
            let lastPads = try blaming(pair.receiver) { () throws(ThresholdError) in
                try ECDSA.ExtensionSender(
                    answering: body.reverse, coPaths: coPaths, shape: .reversing, session: pair.reverse,
                    sender: pair.sender, receiver: pair.receiver
                ).pads(width: 1)
            }
            let grown = ECDSA.TreeSender(pads: lastPads, trees: pair.trees(of: pair.sender, for: .reversing))
            let names = names + [PairSession.name(of: opened.bytes)]
            let last = pair.message(.fourth, after: names).seal(grown.message, seed: seed, random: random)
            return FinishedPair(
                ECDSA.Pair(peer: pair.receiver, seed: seed.clone(), coPaths: coPaths, roots: grown.takeRoots()),
                digest: pair.digest(names + [PairSession.name(of: last)]), message: last)
        }
    }

    /// A pair that is complete in the view of one of the two participants.
    struct FinishedPair: Sendable {
        let pair: ECDSA.Pair
        let digest: [UInt8]
        /// The message for the peer, if one is left to be sent.
        let message: [UInt8]?

        init(_ pair: ECDSA.Pair, digest: [UInt8], message: [UInt8]?) {
            self.pair = pair
            self.digest = digest
            self.message = message
        }
    }
}
