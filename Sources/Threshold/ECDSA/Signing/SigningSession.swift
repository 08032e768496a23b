internal import Curves
internal import Secrets

extension ECDSA {
    /// What all rounds of one signer have in common. Nothing of it is secret but what the pairs hold.
    struct SigningSession: Sendable {
        let request: SigningRequest
        let group: GroupKey<Secp256k1>
        let index: ParticipantIndex
        let epoch: Int
        /// What the request and the shares come to.
        let context: [UInt8]
        /// One for each other signer, ascending.
        let pairs: [Pair]

        /// Reads one message of each other signer.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, and what `decode` throws.
        func decode<Message>(
            _ messages: [ParticipantIndex: [UInt8]],
            _ decode: ([UInt8], Pair) throws(ThresholdError) -> Message
        ) throws(ThresholdError) -> [Message] {
            if let stranger = messages.keys.sorted().first(where: { !request.signers.contains($0) }) {
                throw .unknownParticipant(stranger)
            }
            var decoded: [Message] = []
            for pair in pairs {
                guard let message = messages[pair.peer] else { throw .missingParticipant(pair.peer) }
                decoded.append(try decode(message, pair))
            }
            return decoded
        }
    }
}

extension ECDSA {
    /// What a signer draws all its randomness of one session from: 32 fresh bytes, the share, and what is to be signed. If
    /// the fresh bytes repeat, the nonces are still others for another message; if they are guessed, the share still hides
    /// them.
    struct SignerRandomness: ~Copyable {
        private let root: SecretBytes

        init(fresh: borrowing SecretBytes, share: borrowing SecretScalar<Secp256k1>, context: [UInt8]) {
            var hasher = Oracle.hasher("signer")
            hasher.update(part: fresh)
            hasher.update(part: share.encoded())
            hasher.update(part: context)
            root = hasher.finalizeSecret()
        }

        private init(_ root: consuming SecretBytes) {
            self.root = root
        }

        /// The randomness of what follows the first messages: other for other first messages.
        borrowing func joined(to session: [UInt8]) -> SignerRandomness {
            SignerRandomness(Oracle.secretHash("signer in session", root, session))
        }

        borrowing func bytes(_ inputs: [[UInt8]]) -> SecretBytes { LoopHash(secret: root).secret(inputs) }

        borrowing func publicBytes(_ input: [UInt8]) -> [UInt8] { LoopHash(secret: root).hash(input) }

        /// A number from 64 bytes, so that it is uniform.
        borrowing func scalar(_ first: [UInt8], _ second: [UInt8]) -> SecretScalar<Secp256k1> {
            let scalar = SecretScalar<Secp256k1>(reducing: bytes([first, second]))
            precondition(!scalar.isZero, "a hash that is zero modulo the group order: never seen")
            return scalar
        }
    }
}
