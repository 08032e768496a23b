internal import Curves
internal import Secrets

extension Sharing {
    /// The pads that encrypt a dealer's shares: one for each recipient, added to the share.
    ///
    /// The dealer makes one nonce for all recipients, and derives a pad with each by Diffie-Hellman with its host key.
    /// The hash covers the recipient's index, the dealer and the whole session, so that no two pads are equal.
    struct Pads<Suite: Ciphersuite> {
        /// The session and the dealer, to which the pads are bound.
        let context: [UInt8]

        /// Returns the pad that the dealer adds to the share of another participant.
        ///
        /// - Parameters:
        ///   - hostKey: the recipient's host key.
        ///   - nonce: the dealer's nonce in this session; not zero.
        ///   - publicNonce: the nonce's point, encoded.
        func outgoing(
            to recipient: ParticipantIndex, _ hostKey: Suite.Group.Point, nonce: borrowing SecretScalar<Suite.Group>,
            publicNonce: [UInt8]
        ) throws(CurvesError) -> SecretScalar<Suite.Group> {
            pad(
                try nonce.sharedSecret(with: hostKey), publicNonce: publicNonce, hostKey: hostKey, recipient: recipient)
        }

        /// Returns the pad that another dealer has added to the recipient's share.
        ///
        /// - Throws: ``CurvesError`` if the public nonce is the identity.
        func incoming(
            hostKey: borrowing HostKey<Suite>, recipient: ParticipantIndex, publicNonce: Suite.Group.Point
        ) throws(CurvesError) -> SecretScalar<Suite.Group> {
            pad(
                try hostKey.secret.sharedSecret(with: publicNonce), publicNonce: publicNonce.encoded,
                hostKey: hostKey.publicKey, recipient: recipient)
        }

        private func pad(
            _ shared: consuming SecretBytes, publicNonce: [UInt8], hostKey: Suite.Group.Point,
            recipient: ParticipantIndex
        ) -> SecretScalar<Suite.Group> {
            let digest = Suite.digest(of: shared)
            return SecretScalar(
                reducing: Suite.hash(
                    "sharing ecdh", secret: digest, publicNonce + hostKey.encoded + Suite.encode(recipient) + context))
        }

        /// Returns the pad that a dealer adds to its share for itself, so that the recovery data contains that
        /// share, too.
        func own(
            hostKey: borrowing HostKey<Suite>, index: ParticipantIndex, publicNonce: [UInt8]
        ) -> SecretScalar<Suite.Group> {
            SecretScalar(
                reducing: Suite.hash(
                    "sharing own pad", secret: hostKey.encoded(), publicNonce + Suite.encode(index) + context))
        }
    }
}

extension SecretBytes {
    /// Returns both secrets, one after the other.
    static func joining(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        let size = first.count
        return SecretBytes(count: size + second.count) { memory in
            first.withUnsafeBytes { memory.copyMemory(from: $0) }
            second.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[size...]).copyMemory(from: $0) }
        }
    }
}
