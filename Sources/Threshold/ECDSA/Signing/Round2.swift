internal import Curves
internal import Secrets

extension ECDSA {
    /// A signer after its second messages: for each other signer it has chosen the factor of their multiplication, and
    /// extended their oblivious transfer.
    public struct Round2: ~Copyable, Sendable {
        /// One for each other signer.
        public let messages: [ParticipantIndex: [UInt8]]

        private let session: SigningSession
        private let identity: [UInt8]
        private let commitments: [NonceCommitment]
        private let salt: [UInt8]
        private let nonce: SecretScalar<Secp256k1>
        private let mask: SecretScalar<Secp256k1>
        private let secret: SecretScalar<Secp256k1>
        private let randomness: SignerRandomness
        /// One for each of the session's pairs.
        private let receivers: [FactorReceiver]

        init(
            session: SigningSession, identity: [UInt8], commitments: [NonceCommitment], salt: [UInt8],
            nonce: consuming SecretScalar<Secp256k1>, mask: consuming SecretScalar<Secp256k1>,
            secret: consuming SecretScalar<Secp256k1>, randomness: consuming SignerRandomness
        ) {
            var messages: [ParticipantIndex: [UInt8]] = [:]
            var receivers: [FactorReceiver] = []
            for pair in session.pairs {
                let receiver = FactorReceiver(
                    pair: pair, index: session.index, identity: identity, randomness: randomness)
                messages[pair.peer] = SealedMessage(
                    kind: .extensionMessage, session: identity, sender: session.index, recipient: pair.peer
                ).seal(receiver.transfer.message, with: pair, nonce: randomness.sealNonce(to: pair.peer, step: 2))
                receivers.append(receiver)
            }
            self.messages = messages
            self.receivers = receivers
            self.session = session
            self.identity = identity
            self.commitments = commitments
            self.salt = salt
            self.nonce = nonce
            self.mask = mask
            self.secret = secret
            self.randomness = randomness
        }

        /// Round 3: multiplies its part of the nonce, and its part of the key, with the factor of each other signer.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
        ///   ``ThresholdError/malformed(_:)``, ``ThresholdError/disagreement(with:)`` if a signer has seen other first
        ///   messages, ``ThresholdError/unauthentic(from:)``, ``ThresholdError/cheating(by:)``.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Round3 {
            let (session, identity) = (session, identity)
            let bodies = try session.decode(messages) { bytes, pair throws(ThresholdError) in
                try SealedMessage(
                    kind: .extensionMessage, session: identity, sender: pair.peer, recipient: session.index
                ).open(bytes, with: pair)
            }
            // x_i: what this signer puts into the key. Hidden by shares of zero, so that its point tells nothing of the share.
            var part = secret + zeroShare(of: session.index, pairs: session.pairs, session: identity)
            if session.index == session.request.signers.first { part = part + session.request.tweak }
            let opening = MultiplicationMessage.Opening(
                nonce: nonce.timesGenerator(), salt: salt, key: part.timesGenerator())

            let gadget = Multiplication.gadget(session: identity)
            var sent: [ParticipantIndex: [UInt8]] = [:]
            var products: [SentProducts] = []
            for (number, pair) in session.pairs.enumerated() {
                let transfer = try ExtensionSender(
                    answering: bodies[number], seeds: pair.sender, session: identity, sender: session.index,
                    receiver: pair.peer)
                let sender = MultiplicationSender(
                    nonce, part, check: randomness.checkScalar(for: pair.peer),
                    pads: transfer.pads(width: Multiplication.width), base: transfer.base, gadget: gadget)
                let factor = MultiplicationReceiver.factor(choice: receivers[number].choice, gadget: gadget)
                let body = MultiplicationMessage(
                    multiplication: sender.message, opening: opening,
                    firstPoint: sender.shares.first.timesGenerator(),
                    secondPoint: sender.shares.second.timesGenerator(),
                    difference: (mask - factor).revealed())
                sent[pair.peer] = SealedMessage(
                    kind: .multiplicationMessage, session: identity, sender: session.index, recipient: pair.peer
                ).seal(body.encoded, with: pair, nonce: randomness.sealNonce(to: pair.peer, step: 3))
                products.append(SentProducts(sender.takeShares()))
            }
            return Round3(
                messages: sent, session: session, identity: identity, commitments: commitments, opening: opening,
                nonce: nonce, mask: mask, part: part, gadget: gadget, receivers: receivers, products: products)
        }
    }

    /// One's own factor in the multiplication with one peer, in a class so that an array can hold it.
    final class FactorReceiver: Sendable {
        /// 640 bits, the first 512 of which are the factor's.
        let choice: SecretBytes
        let transfer: ExtensionReceiver

        init(pair: Pair, index: ParticipantIndex, identity: [UInt8], randomness: borrowing SignerRandomness) {
            let peer = UInt8(pair.peer.value)
            choice = randomness.bytes([[0, peer, 0], [0, peer, 1], [0, peer, 2]]).prefix(rowSize)
            transfer = ExtensionReceiver(
                choice: choice, seeds: pair.receiver, session: identity, sender: pair.peer, receiver: index)
        }
    }

    /// One's own shares of the products with one peer's factor, in a class so that an array can hold them.
    final class SentProducts: Sendable {
        let shares: ProductShares

        init(_ shares: consuming ProductShares) {
            self.shares = shares
        }
    }
}

extension ECDSA.SignerRandomness {
    borrowing func sealNonce(to peer: ParticipantIndex, step: UInt8) -> [UInt8] {
        Array(publicBytes([2, UInt8(peer.value), step]).prefix(XChaCha20Poly1305.nonceSize))
    }

    /// What hides both numbers in the check of one multiplication.
    borrowing func checkScalar(for peer: ParticipantIndex) -> SecretScalar<Secp256k1> {
        scalar([1, UInt8(peer.value), 0], [1, UInt8(peer.value), 1])
    }
}
