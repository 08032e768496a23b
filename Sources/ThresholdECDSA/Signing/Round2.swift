internal import Curves
internal import Secrets
public import Threshold

extension ECDSA {
    /// A signer after its second messages: for each other signer it has chosen the factor of their multiplication, and
    /// extended their oblivious transfer.
    public struct Round2: ~Copyable, Sendable {
        /// The messages, one for each other signer.
        public let messages: [ParticipantIndex: [UInt8]]

        private let session: AgreedSession
        private let secrets: SignerSecrets
        /// The factors, one for each of the session's pairs.
        private let factors: [OwnFactor]

        init(_ session: AgreedSession, secrets: consuming SignerSecrets) {
            var messages: [ParticipantIndex: [UInt8]] = [:]
            var factors: [OwnFactor] = []
            for pair in session.base.pairs {
                let choice = secrets.randomness.choice(for: pair.peer)
                var transfer = ExtensionReceiver(
                    choice: choice, roots: pair.roots, shape: .signing, session: session.identity, sender: pair.peer,
                    receiver: session.base.index)
                messages[pair.peer] = session.seal(.extensionMessage, from: session.base.index, to: pair.peer)
                    .seal(
                        transfer.takeMessage(), with: pair,
                        nonce: secrets.randomness.sealNonce(to: pair.peer, step: 2))
                factors.append(OwnFactor(choice: choice, transfer: transfer))
            }
            self.messages = messages
            self.factors = factors
            self.session = session
            self.secrets = secrets
        }

        /// The opened second messages of all other signers.
        public struct Received: Sendable {
            fileprivate let identity: [UInt8]
            fileprivate let bodies: [[UInt8]]
        }

        /// Opens the second messages of all other signers, without changing the state: a stray message does not end the
        /// session. Their contents are not checked, because a check can reveal something to a cheater.
        ///
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`,
        ///   `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)` if a signer has seen other first
        ///   messages, `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received {
            Received(identity: session.identity, bodies: try session.open(.extensionMessage, messages))
        }

        /// Reads the messages and continues with round 3, in one call: any wrong message ends the session.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:)`.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Round3 {
            let received = try read(messages)
            return try receive(received)
        }

        /// Continues with round 3: multiplies its part of the nonce, and its part of the key, with the factor of each
        /// other signer.
        ///
        /// - Warning: A failure can reveal to a cheater some bits of the correlation of the two. Record the
        ///   attempt before this call, so that an attacker cannot repeat it without limit by killing the process before
        ///   the ban is stored.
        /// - Throws: `ThresholdError.faulty(culprits:)`, `ThresholdError.cheating(by:)`.
        public consuming func receive(_ received: Received) throws(ThresholdError) -> Round3 {
            precondition(received.identity == session.identity, "messages that another session has read")
            let session = session
            let (base, identity) = (session.base, session.identity)
            // x_i: this signer's part of the key. Shares of zero hide it, so that its point reveals nothing about the
            // share.
            var part = secrets.share + zeroShare(of: base.index, pairs: base.pairs, session: identity)
            if base.index == base.request.signers.first { part = part + base.request.tweak }
            let opening = MultiplicationMessage.Opening(
                nonce: secrets.nonce.timesGenerator(), salt: secrets.salt, key: part.timesGenerator())

            let gadget = Multiplication.gadget(session: identity)
            var sent: [ParticipantIndex: [UInt8]] = [:]
            var products: [OwnProducts] = []
            for (number, pair) in base.pairs.enumerated() {
                let transfer: ExtensionSender
                do throws(ThresholdError) {
                    transfer = try ExtensionSender(
                        answering: received.bodies[number], coPaths: pair.coPaths, shape: .signing,
                        session: identity, sender: base.index, receiver: pair.peer)
                } catch .malformed {
                    // The peer itself sealed this content.
                    throw .faulty(culprits: [pair.peer])
                }
                let sender = MultiplicationSender(
                    secrets.nonce, part, check: secrets.randomness.checkScalar(for: pair.peer),
                    pads: transfer.pads(width: Multiplication.width), base: transfer.base, gadget: gadget)
                let body = MultiplicationMessage(
                    multiplication: sender.message, opening: opening,
                    firstPoint: sender.shares.first.timesGenerator(),
                    secondPoint: sender.shares.second.timesGenerator(),
                    difference: (secrets.mask - factors[number].value(gadget)).revealed())
                sent[pair.peer] = session.seal(.multiplicationMessage, from: base.index, to: pair.peer)
                    .seal(
                        body.encoded, with: pair, nonce: secrets.randomness.sealNonce(to: pair.peer, step: 3))
                products.append(OwnProducts(sender.takeShares()))
            }
            return Round3(
                messages: sent, session: session, opening: opening, secrets: secrets, part: part,
                factors: factors, products: products)
        }
    }

    /// The signer's own factor in the multiplication with one peer; a class, so that an array can contain it.
    final class OwnFactor: Sendable {
        /// The receiver's choice: 640 bits, the first 512 of which encode the factor.
        let choice: SecretBytes
        let transfer: ExtensionReceiver

        init(choice: consuming SecretBytes, transfer: consuming ExtensionReceiver) {
            self.choice = choice
            self.transfer = transfer
        }

        /// Returns χ, the number that the bits encode.
        func value(_ gadget: [Scalar<Secp256k1>]) -> SecretScalar<Secp256k1> { Scalar.sum(gadget, where: choice) }
    }

    /// The signer's own shares of the products with one peer's factor; a class, so that an array can contain them.
    final class OwnProducts: Sendable {
        let shares: ProductShares

        init(_ shares: consuming ProductShares) {
            self.shares = shares
        }
    }
}
