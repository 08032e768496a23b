internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA {
    /// One signer's secrets in one session.
    struct SignerSecrets: ~Copyable {
        /// r: its part of the nonce.
        let nonce: SecretScalar<Secp256k1>
        /// φ: its part of the number that hides the nonce while it is inverted.
        let mask: SecretScalar<Secp256k1>
        /// Its share, times its Lagrange factor among the signers.
        let share: SecretScalar<Secp256k1>
        /// The salt that opens its commitment.
        let salt: [UInt8]
        let randomness: SignerRandomness

        init(share: consuming SecretScalar<Secp256k1>, randomness: consuming SignerRandomness) {
            salt = randomness.publicBytes([0])
            nonce = randomness.scalar([2], [3])
            mask = randomness.scalar([4], [5])
            self.share = share
            self.randomness = randomness
        }

        private init(
            nonce: consuming SecretScalar<Secp256k1>, mask: consuming SecretScalar<Secp256k1>,
            share: consuming SecretScalar<Secp256k1>, salt: [UInt8], randomness: consuming SignerRandomness
        ) {
            self.nonce = nonce
            self.mask = mask
            self.share = share
            self.salt = salt
            self.randomness = randomness
        }

        /// Returns the secrets with randomness that also depends on all first messages.
        consuming func joined(to identity: [UInt8]) -> SignerSecrets {
            SignerSecrets(
                nonce: nonce, mask: mask, share: share, salt: salt, randomness: randomness.joined(to: identity))
        }
    }

    /// A signer's source of randomness for one session: 32 fresh bytes, the share, the request, and the session's name.
    /// If the fresh bytes repeat, the nonces still differ for another message or session; if an attacker guesses them,
    /// the share still hides the nonces.
    ///
    /// - Warning: If they repeat for the same message in the same session, so does this part of the nonce. A peer that
    ///   changes its own part then gets two signatures whose nonces differ by a known number: they reveal the key.
    struct SignerRandomness: ~Copyable {
        private let root: SecretBytes

        init(
            fresh: borrowing SecretBytes, share: borrowing SecretScalar<Secp256k1>, context: [UInt8], session: [UInt8]
        ) {
            var hasher = TaggedHash.hasher("signer")
            hasher.update(part: fresh)
            hasher.update(part: share.encoded())
            hasher.update(part: context)
            hasher.update(part: session)
            root = hasher.finalizeSecret()
        }

        private init(_ root: consuming SecretBytes) {
            self.root = root
        }

        borrowing func joined(to identity: [UInt8]) -> SignerRandomness {
            SignerRandomness(TaggedHash.secretHash("signer in session", root, identity))
        }

        /// Returns the part of the session's identity that this signer chooses.
        borrowing func sessionNonce() -> [UInt8] { publicBytes([1]) }

        /// Returns the bits of its factor in the multiplication with one peer, and those that hide them.
        borrowing func choice(for peer: ParticipantIndex) -> SecretBytes {
            let peer = UInt8(peer.value)
            return bytes([[0, peer, 0], [0, peer, 1], [0, peer, 2]]).prefix(ExtensionShape.signing.rowSize)
        }

        /// Returns the scalar that hides both numbers in the check of one multiplication.
        borrowing func checkScalar(for peer: ParticipantIndex) -> SecretScalar<Secp256k1> {
            scalar([1, UInt8(peer.value), 0], [1, UInt8(peer.value), 1])
        }

        borrowing func sealNonce(to peer: ParticipantIndex, step: UInt8) -> [UInt8] {
            Array(publicBytes([2, UInt8(peer.value), step]).prefix(XChaCha20Poly1305.nonceSize))
        }

        fileprivate borrowing func publicBytes(_ input: [UInt8]) -> [UInt8] { SecretLoopHash(root).hash(input) }

        private borrowing func bytes(_ inputs: [[UInt8]]) -> SecretBytes { SecretLoopHash(root).secret(inputs) }

        /// Returns a uniform number, made of 64 bytes.
        fileprivate borrowing func scalar(_ first: [UInt8], _ second: [UInt8]) -> SecretScalar<Secp256k1> {
            let scalar = SecretScalar<Secp256k1>(reducing: bytes([first, second]))
            precondition(!scalar.isZero, "a hash that is zero modulo the group order: never seen")
            return scalar
        }
    }
}
