internal import Curves
internal import Secrets

extension DKG {
    /// The pads that encrypt shares between participants (EncPedPop): one for each sender and recipient, added to the
    /// share.
    ///
    /// The sender makes one nonce for all recipients, and derives a pad with each by Diffie-Hellman with its host key.
    /// The hash covers the recipient's index and the whole session, so that no two pads are equal.
    struct Pads<Suite: Ciphersuite> {
        /// The session, to which the pads are bound.
        let context: [UInt8]
        /// The tags of the hashes: for pads with another participant, and for one's own.
        let tags: (agreed: String, own: String)

        init(session: Session<Suite>) {
            context = session.context
            tags = ("encpedpop ecdh", "encaps_multi self_pad")
        }

        init(context: [UInt8], tags: (agreed: String, own: String)) {
            self.context = context
            self.tags = tags
        }

        /// Returns the pad that the sender adds to the share of another participant.
        ///
        /// - Parameters:
        ///   - hostKey: the recipient's host key.
        ///   - nonce: the sender's nonce in this session; not zero.
        ///   - publicNonce: the nonce's point, encoded.
        func outgoing(
            to recipient: ParticipantIndex, _ hostKey: Suite.Group.Point, nonce: borrowing SecretScalar<Suite.Group>,
            publicNonce: [UInt8]
        ) throws(CurvesError) -> SecretScalar<Suite.Group> {
            pad(
                try nonce.sharedSecret(with: hostKey), publicNonce: publicNonce, hostKey: hostKey, recipient: recipient)
        }

        /// Returns the pad that another sender has added to the recipient's share.
        ///
        /// - Throws: ``CurvesError`` if the public nonce is not a point.
        func incoming(
            hostKey: borrowing HostKey<Suite>, recipient: ParticipantIndex, publicNonce: [UInt8]
        ) throws(CurvesError) -> SecretScalar<Suite.Group> {
            let point = try Suite.Group.Point(encoded: publicNonce)
            return pad(
                try hostKey.secret.sharedSecret(with: point), publicNonce: publicNonce, hostKey: hostKey.publicKey,
                recipient: recipient)
        }

        private func pad(
            _ shared: consuming SecretBytes, publicNonce: [UInt8], hostKey: Suite.Group.Point,
            recipient: ParticipantIndex
        ) -> SecretScalar<Suite.Group> {
            let digest = Suite.digest(of: shared)
            return SecretScalar(
                reducing: Suite.hash(
                    tags.agreed, secret: digest, publicNonce + hostKey.encoded + Suite.encode(recipient) + context))
        }

        /// Returns the pad that a participant adds to its share for itself, so that the recovery data contains that
        /// share, too.
        func own(
            hostKey: borrowing HostKey<Suite>, index: ParticipantIndex, publicNonce: [UInt8]
        ) -> SecretScalar<Suite.Group> {
            SecretScalar(
                reducing: Suite.hash(
                    tags.own, secret: hostKey.encoded(), publicNonce + Suite.encode(index) + context))
        }

        /// Returns the pad of the share that `sender` sent to the owner of the host key.
        ///
        /// - Throws: ``DKG/Fault/suspect(_:)`` if the sender's public nonce is not a point.
        func pad(
            from sender: ParticipantIndex, to recipient: ParticipantIndex, hostKey: borrowing HostKey<Suite>,
            publicNonce: [UInt8]
        ) throws(ThresholdError) -> SecretScalar<Suite.Group> {
            guard sender != recipient else { return own(hostKey: hostKey, index: recipient, publicNonce: publicNonce) }
            do {
                return try incoming(hostKey: hostKey, recipient: recipient, publicNonce: publicNonce)
            } catch { throw .keyGeneration(.suspect(sender)) }
        }
    }
}

extension DKG.Transcript {
    /// Subtracts the pads of all senders from the recipient's share: the result is the sum of the sent shares.
    ///
    /// - Throws: ``DKG/Fault/suspect(_:)`` if a sender's public nonce is not a point.
    func decrypt(
        as recipient: ParticipantIndex, _ hostKey: borrowing DKG.HostKey<Suite>
    ) throws(ThresholdError) -> SecretScalar<Suite.Group> {
        let pads = DKG.Pads(session: session)
        var share = SecretScalar(encryptedShares[recipient.value - 1])
        for (sender, publicNonce) in zip(session.parameters.indices, publicNonces) {
            share = try share - pads.pad(from: sender, to: recipient, hostKey: hostKey, publicNonce: publicNonce)
        }
        return share
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
