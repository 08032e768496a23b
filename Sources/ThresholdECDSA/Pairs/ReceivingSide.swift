internal import Curves
internal import Secrets
internal import Threshold

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

        /// Returns the source of its randomness once it has A's message.
        ///
        /// - Parameter fresh: 32 fresh random bytes.
        func randomness(
            fresh: borrowing SecretBytes, share: borrowing SecretScalar<Secp256k1>, answering message: [UInt8]
        ) -> SetupRandom {
            SetupRandom(
                fresh: fresh, share: share, seed: seed, of: pair.receiver, answering: PairSession.name(of: message))
        }

        /// Opens A's message.
        ///
        /// - Throws: as ``SetupMessage/open(_:seed:)``.
        func open(_ bytes: [UInt8]) throws(ThresholdError) -> OpenedMessage {
            try pair.message(.second, after: [PairSession.name(of: message)]).open(bytes, seed: seed)
        }

        /// Checks A's message, grows the second trees, and chooses in the extension after them.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        func receive(_ opened: OpenedMessage, random: SetupRandom) throws(ThresholdError) -> GrownReceivingSide {
            let pads = try blaming(pair.sender) { () throws(ThresholdError) in try self.pads(SecondBody(opened.body)) }
            return GrownReceivingSide(
                pair, names: [message, opened.bytes].map(PairSession.name(of:)), seed: seed.clone(),
                grown: ECDSA.TreeSender(pads: pads, trees: pair.trees(of: pair.receiver, for: .reversing)),
                random: random)
        }

        /// Returns the pads of the second trees.
        private func pads(_ body: SecondBody) throws(ThresholdError) -> ECDSA.SenderPads {
            let coPaths = try ECDSA.TreeReceiver.coPaths(
                from: body.trees, pads: transfer.pads(answer: body.transfer), choice: transfer.choice,
                trees: pair.trees(of: pair.sender, for: .widening), sender: pair.sender)
            return try ECDSA.ExtensionSender(
                answering: body.widening, coPaths: coPaths, shape: .widening, session: pair.widening,
                sender: pair.receiver, receiver: pair.sender
            ).pads(width: 1)
        }
    }

    /// B of a pair, after its second message.
    final class GrownReceivingSide: Sendable {
        let pair: PairSession
        let message: [UInt8]
        /// The names of the first three messages.
        private let names: [[UInt8]]
        private let seed: SecretBytes
        private let roots: ECDSA.TreeRoots
        /// The bits of the extension; the first 256 are w.
        private let choice: SecretBytes
        private let pads: SecretBytes

        init(
            _ pair: PairSession, names: [[UInt8]], seed: consuming SecretBytes, grown: consuming ECDSA.TreeSender,
            random: SetupRandom
        ) {
            let choice = SecretBytes(count: ECDSA.ExtensionShape.reversing.rowSize, from: random)
            let reverse = ECDSA.ExtensionReceiver(
                choice: choice, roots: grown.roots, shape: .reversing, session: pair.reverse, sender: pair.sender,
                receiver: pair.receiver)
            message = pair.message(.third, after: names)
                .seal(grown.message + reverse.message, seed: seed, random: random)
            pads = reverse.pads(width: 1)
            roots = grown.takeRoots()
            self.names = names + [PairSession.name(of: message)]
            self.pair = pair
            self.seed = seed
            self.choice = choice
        }

        /// Opens A's last message.
        ///
        /// - Throws: as ``SetupMessage/open(_:seed:)``.
        func open(_ bytes: [UInt8]) throws(ThresholdError) -> OpenedMessage {
            try pair.message(.fourth, after: names).open(bytes, seed: seed)
        }

        /// Checks A's trees, and returns the pair.
        ///
        /// - Throws: `ThresholdError.cheating(by:)`.
        func finish(_ opened: OpenedMessage) throws(ThresholdError) -> FinishedPair {
            let coPaths = try blaming(pair.sender) { () throws(ThresholdError) in
                try ECDSA.TreeReceiver.coPaths(
                    from: opened.body, pads: pads, choice: choice, trees: pair.trees(of: pair.sender, for: .reversing),
                    sender: pair.sender)
            }
            return FinishedPair(
                ECDSA.Pair(peer: pair.sender, seed: seed.clone(), coPaths: coPaths, roots: roots.clone()),
                digest: pair.digest(names + [PairSession.name(of: opened.bytes)]), message: nil)
        }
    }
}
