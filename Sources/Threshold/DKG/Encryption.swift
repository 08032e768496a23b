internal import Curves
internal import Secrets

extension DKG {
    /// The pads that hide shares on their way (EncPedPop): one for each sender and recipient, added to the share.
    ///
    /// The sender makes one nonce for all recipients, and agrees with each on a pad by Diffie-Hellman with its host key. The
    /// hash takes in the recipient's number and the whole session, so that no two pads are alike.
    struct Pads<Suite: Ciphersuite> {
        /// What the pads are bound to: the session.
        let context: [UInt8]
        /// The tags of the hashes: of what is agreed on with another, and of what one sends to oneself.
        let tags: (agreed: String, own: String)

        init(session: Session<Suite>) {
            context = session.context
            tags = ("encpedpop ecdh", "encaps_multi self_pad")
        }

        init(context: [UInt8], tags: (agreed: String, own: String)) {
            self.context = context
            self.tags = tags
        }

        /// What the sender adds to the share of another participant.
        ///
        /// - Parameters:
        ///   - hostKey: the recipient's.
        ///   - nonce: the sender's, of this session; not zero.
        ///   - publicNonce: its point, encoded.
        func outgoing(
            to recipient: ParticipantIndex, _ hostKey: Suite.Group.Point, nonce: borrowing SecretScalar<Suite.Group>,
            publicNonce: [UInt8]
        ) throws(CurvesError) -> SecretScalar<Suite.Group> {
            pad(
                try nonce.sharedSecret(with: hostKey), publicNonce: publicNonce, hostKey: hostKey, recipient: recipient)
        }

        /// What another sender has added to the recipient's share.
        ///
        /// - Throws: ``CurvesError`` if the public nonce is no point.
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

        /// What a participant adds to the share that it sends to itself, so that the recovery data holds that too.
        func own(
            hostKey: borrowing HostKey<Suite>, index: ParticipantIndex, publicNonce: [UInt8]
        ) -> SecretScalar<Suite.Group> {
            SecretScalar(
                reducing: Suite.hash(
                    tags.own, secret: hostKey.encoded(), publicNonce + Suite.encode(index) + context))
        }

        /// The pad on what `sender` sent to the owner of the host key.
        ///
        /// - Throws: ``DKG/Fault/suspect(_:)`` if the sender's public nonce is no point.
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
    /// Takes the pads of all senders off the recipient's share: what is left is the sum of what they sent.
    ///
    /// - Throws: ``DKG/Fault/suspect(_:)`` if a sender's public nonce is no point.
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
    /// Both secrets, one after the other.
    static func joining(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        let size = first.count
        return SecretBytes(count: size + second.count) { memory in
            first.withUnsafeBytes { memory.copyMemory(from: $0) }
            second.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[size...]).copyMemory(from: $0) }
        }
    }
}
