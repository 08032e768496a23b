internal import Secrets

extension ECDSA.PairSetup {
    /// A of a pair, after it has answered B's first message.
    final class SendingSide: Sendable {
        let pair: PairSession
        let message: [UInt8]
        /// The names of the first two messages.
        private let names: [[UInt8]]
        private let seed: SecretBytes
        /// The bits of the extension, of which the first 256 are w.
        private let choice: SecretBytes
        private let pads: SecretBytes
        private let receiver: ECDSA.ReceiverSeeds

        /// - Throws: as ``SetupMessage/open(_:seed:)``, or ``ThresholdError/cheating(by:)``.
        init(
            _ pair: PairSession, answering bytes: [UInt8], seed: consuming SecretBytes, random: some RandomSource
        ) throws(ThresholdError) {
            let body = try pair.message(.first, after: []).open(bytes, seed: seed)
            let transfer = try blaming(pair.receiver) { () throws(ThresholdError) in
                try ECDSA.BaseSender(answering: body, transfer: pair.transfer, random: random)
            }
            let grown = ECDSA.TreeSender(pads: transfer.pads, trees: pair.trees(from: pair.sender))
            let choice = SecretBytes(count: ECDSA.rowSize, from: random)
            let reverse = ECDSA.ExtensionReceiver(
                choice: choice, seeds: grown.seeds, session: pair.reverse, sender: pair.receiver, receiver: pair.sender)
            let first = PairSession.name(of: bytes)
            message = pair.message(.second, after: [first])
                .seal(transfer.message + grown.message + reverse.message, seed: seed, random: random)
            pads = reverse.pads(width: 1)
            receiver = grown.seeds
            names = [first, PairSession.name(of: message)]
            self.pair = pair
            self.seed = seed
            self.choice = choice
        }

        /// Checks B's trees. Gives what is kept.
        ///
        /// - Throws: as ``SetupMessage/open(_:seed:)``, or ``ThresholdError/cheating(by:)``.
        func finish(_ bytes: [UInt8]) throws(ThresholdError) -> FinishedPair {
            let body = try pair.message(.third, after: names).open(bytes, seed: seed)
            let sender = try blaming(pair.receiver) { () throws(ThresholdError) in
                try ECDSA.TreeReceiver.seeds(
                    from: body, pads: pads, choice: choice, trees: pair.trees(from: pair.receiver),
                    sender: pair.receiver)
            }
            return FinishedPair(
                ECDSA.Pair(
                    peer: pair.receiver, seed: seed.clone(), sender: sender,
                    receiver: ECDSA.ReceiverSeeds(receiver.bytes.clone())),
                digest: pair.digest(names + [PairSession.name(of: bytes)]), message: nil)
        }
    }
}
