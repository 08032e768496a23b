internal import Curves
public import Threshold

extension ECDSA {
    /// A signer after its third messages: it has multiplied, and waits for the others' multiplications with its own
    /// factors.
    public struct Round3: ~Copyable, Sendable {
        /// The messages, one for each other signer.
        public let messages: [ParticipantIndex: [UInt8]]

        private let session: AgreedSession
        private let opening: MultiplicationMessage.Opening
        private let secrets: SignerSecrets
        /// x_i.
        private let part: SecretScalar<Secp256k1>
        private let factors: [OwnFactor]
        private let products: [OwnProducts]

        init(
            messages: [ParticipantIndex: [UInt8]], session: AgreedSession, opening: MultiplicationMessage.Opening,
            secrets: consuming SignerSecrets, part: consuming SecretScalar<Secp256k1>,
            factors: [OwnFactor], products: [OwnProducts]
        ) {
            self.messages = messages
            self.session = session
            self.opening = opening
            self.secrets = secrets
            self.part = part
            self.factors = factors
            self.products = products
        }

        /// The opened third messages of all other signers.
        public struct Received: Sendable {
            fileprivate let identity: [UInt8]
            fileprivate let bodies: [[UInt8]]
        }

        /// Opens the third messages of all other signers, without changing the state: a stray message does not end the
        /// session.
        ///
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`,
        ///   `ThresholdError.malformed(_:)`, `ThresholdError.disagreement(with:)`, `ThresholdError.unauthentic(from:)`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received {
            Received(identity: session.identity, bodies: try session.open(.multiplicationMessage, messages))
        }

        /// Reads the messages and makes a presignature, in one call: any wrong message ends the session.
        ///
        /// - Throws: as ``read(_:)`` and `receive(_:)`.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Presignature {
            let received = try read(messages)
            return try receive(received)
        }

        /// Checks the others' computations, and makes the presignature.
        ///
        /// - Throws: `ThresholdError.faulty(culprits:)`, `ThresholdError.cheating(by:)`, or
        ///   `ThresholdError.failedSignature` if the parts of the key or of the nonce do not add up.
        public consuming func receive(_ received: Received) throws(ThresholdError) -> Presignature {
            precondition(received.identity == session.identity, "messages that another session has read")
            let session = session
            let base = session.base
            var opened: [MultiplicationMessage] = []
            for (body, pair) in zip(received.bodies, base.pairs) {
                do throws(ThresholdError) { opened.append(try MultiplicationMessage(decoding: body)) } catch {
                    // The peer itself sealed this content.
                    throw .faulty(culprits: [pair.peer])
                }
            }

            // φ + Σψ, and the sums of the products' shares.
            var masks = secrets.mask.clone()
            var first = SecretScalar<Secp256k1>(.zero)
            var second = SecretScalar<Secp256k1>(.zero)
            let gadget = Multiplication.gadget(session: session.identity)
            for (number, (message, pair)) in zip(opened, base.pairs).enumerated() {
                let shares = try check(message, from: pair.peer, number: number, gadget: gadget)
                masks = masks + message.difference
                first = first + products[number].shares.first + shares.first
                second = second + products[number].shares.second + shares.second
            }

            // All parts of the key add up to the key that signs, and all parts of the nonce to the nonce.
            let publicKey = try base.request.publicKey(of: base.group)
            guard opened.reduce(opening.key, { $0 + $1.opening.key }) == publicKey else { throw .failedSignature }
            let noncePoint = opened.reduce(opening.nonce) { $0 + $1.opening.nonce }
            guard !noncePoint.isIdentity else { throw .failedSignature }
            let r = Scalar<Secp256k1>(reducing: noncePoint.xOnly)
            guard !r.isZero else { throw .failedSignature }

            let denominator = secrets.nonce * masks + first
            let keyProduct = part * masks + second
            return Presignature(
                request: base.request, id: session.identity, index: base.index, nonce: noncePoint,
                mask: secrets.mask.clone(), keyProduct: keyProduct * r, denominator: denominator)
        }

        /// Checks one signer's message, and returns the shares of the products.
        private borrowing func check(
            _ message: MultiplicationMessage, from peer: ParticipantIndex, number: Int, gadget: [Scalar<Secp256k1>]
        ) throws(ThresholdError) -> ProductShares {
            let opening = message.opening
            guard
                NonceCommitment.commitment(
                    to: opening.nonce, salt: opening.salt, nonce: session.commitments[number].nonce, by: peer,
                    in: session.base.context) == session.commitments[number].commitment
            else { throw .faulty(culprits: [peer]) }

            let factor = factors[number]
            let shares: ProductShares
            do throws(ThresholdError) {
                shares = try MultiplicationReceiver(
                    answering: message.multiplication, from: peer, choice: factor.choice,
                    pads: factor.transfer.pads(width: Multiplication.width), base: factor.transfer.base,
                    gadget: gadget
                ).takeShares()
            } catch .cheating(let peer) {
                throw .cheating(by: peer)
            } catch {
                throw .faulty(culprits: [peer])
            }
            // The multiplied numbers are those of the points that it shows: χ·R = d₀·G + Γᵤ, χ·X = d₁·G + Γᵥ.
            let value = factor.value(gadget)
            guard value.times(opening.nonce) == shares.first.timesGenerator() + message.firstPoint,
                value.times(opening.key) == shares.second.timesGenerator() + message.secondPoint
            else { throw .cheating(by: peer) }
            return shares
        }
    }
}
