internal import Curves
internal import Secrets

extension ECDSA {
    /// A signer after its second messages: for each other signer it has chosen the factor of their multiplication, and
    /// extended their oblivious transfer.
    public struct Round2: ~Copyable, Sendable {
        /// One for each other signer.
        public let messages: [ParticipantIndex: [UInt8]]

        private let session: AgreedSession
        private let secrets: SignerSecrets
        /// One for each of the session's pairs.
        private let factors: [OwnFactor]

        init(_ session: AgreedSession, secrets: consuming SignerSecrets) {
            var messages: [ParticipantIndex: [UInt8]] = [:]
            var factors: [OwnFactor] = []
            for pair in session.base.pairs {
                let factor = OwnFactor(
                    choice: secrets.randomness.choice(for: pair.peer), pair: pair, index: session.base.index,
                    session: session.identity)
                messages[pair.peer] = session.seal(.extensionMessage, from: session.base.index, to: pair.peer)
                    .seal(
                        factor.transfer.message, with: pair,
                        nonce: secrets.randomness.sealNonce(to: pair.peer, step: 2))
                factors.append(factor)
            }
            self.messages = messages
            self.factors = factors
            self.session = session
            self.secrets = secrets
        }

        /// The second messages of all other signers, which ``read(_:)`` found to be theirs.
        public struct Received: Sendable {
            fileprivate let identity: [UInt8]
            fileprivate let bodies: [[UInt8]]
        }

        /// Opens the second messages of all other signers, and uses nothing up: a stray message does not end the session.
        /// What they hold is not looked into: that is what a cheater can learn something by.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
        ///   ``ThresholdError/malformed(_:)``, ``ThresholdError/disagreement(with:)`` if a signer has seen other first
        ///   messages, ``ThresholdError/unauthentic(from:)``.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received {
            Received(identity: session.identity, bodies: try session.open(.extensionMessage, messages))
        }

        /// Reads the messages and goes on to round 3, in one step: any wrong message ends the session.
        ///
        /// - Throws: as ``read(_:)`` and ``receive(_:)-(Received)``.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Round3 {
            let received = try read(messages)
            return try receive(received)
        }

        /// Round 3: multiplies its part of the nonce, and its part of the key, with the factor of each other signer.
        ///
        /// - Warning: whether this fails tells a cheater some bits of what the two have in common. Write down that it is
        ///   tried before it is, so that it cannot be tried without end by killing the process before the ban is stored.
        /// - Throws: ``ThresholdError/faulty(culprits:)``, ``ThresholdError/cheating(by:)``.
        public consuming func receive(_ received: Received) throws(ThresholdError) -> Round3 {
            precondition(received.identity == session.identity, "messages that another session has read")
            let session = session
            let (base, identity) = (session.base, session.identity)
            // x_i: what this signer puts into the key. Hidden by shares of zero, so that its point tells nothing of the share.
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
                        answering: received.bodies[number], seeds: pair.sender, session: identity, sender: base.index,
                        receiver: pair.peer)
                } catch .malformed {
                    // The peer has sealed it like this.
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
                messages: sent, session: session, opening: opening, secrets: secrets, part: part, gadget: gadget,
                factors: factors, products: products)
        }
    }

    /// One's own factor in the multiplication with one peer, in a class so that an array can hold it.
    final class OwnFactor: Sendable {
        /// 640 bits, the first 512 of which are the factor's.
        let choice: SecretBytes
        let transfer: ExtensionReceiver

        init(choice: consuming SecretBytes, pair: Pair, index: ParticipantIndex, session: [UInt8]) {
            transfer = ExtensionReceiver(
                choice: choice, seeds: pair.receiver, session: session, sender: pair.peer, receiver: index)
            self.choice = choice
        }

        /// χ: the number that the bits stand for.
        func value(_ gadget: [Scalar<Secp256k1>]) -> SecretScalar<Secp256k1> { Scalar.sum(gadget, where: choice) }
    }

    /// One's own shares of the products with one peer's factor, in a class so that an array can hold them.
    final class OwnProducts: Sendable {
        let shares: ProductShares

        init(_ shares: consuming ProductShares) {
            self.shares = shares
        }
    }
}
