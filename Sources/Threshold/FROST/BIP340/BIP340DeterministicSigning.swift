package import Curves
internal import Encoding

extension FROST.BIP340 {
    /// Signs in one round (DeterministicSign), for a signer that comes last and keeps no state.
    ///
    /// Not public. It takes only the sum of the other signers' commitments, so that no culprit can be named if signing
    /// fails, and without `random` its security depends on every input being hashed and computed without a fault. Our
    /// signers can keep nonces in memory for two rounds; this is here because the vectors pin the hashing that both
    /// ways share.
    ///
    /// - Parameters:
    ///   - otherNonces: `aggothernonce`, 66 bytes; nil only if this is the sole signer.
    ///   - random: 32 bytes, or nil. A further protection; it need not be secret.
    package static func signDeterministically(
        share: borrowing KeyShare<Secp256k1>, otherNonces: [UInt8]?, signers: [ParticipantIndex], tweaks: [Tweak],
        message: [UInt8], random: [UInt8]?
    ) throws(ThresholdError) -> (commitment: Commitment, share: SignatureShare) {
        let key = try TweakedKey(share.group.publicKey, tweaks: tweaks)
        try share.group.parameters.check(signers: signers)
        guard signers.contains(share.index) else { throw .unknownParticipant(share.index) }

        // secshare' = xor_bytes(secshare, hash_BIP0445/aux(rand)), or the share itself
        let seed =
            if let random {
                seed(secret: share.secret) { $0.copyBytes(from: random) }
            } else { share.secret.encoded() }

        // kᵢ = int(hash(secshare' || my_id || u || ser_ids || aggothernonce || xbytes(Q) || len(m) || m || i - 1)) mod n
        let identifiers = signers.sorted().flatMap(identifier(of:))
        let input =
            identifier(of: share.index) + bigEndian(UInt32(signers.count)) + identifiers + (otherNonces ?? [])
            + key.xOnly + bigEndian(UInt64(message.count)) + message
        let tag = "BIP0445/deterministic/nonce"
        let nonces = SigningNonces(
            index: share.index, hiding: secretHashToScalar(tag, seed, input + [0]),
            binding: secretHashToScalar(tag, seed, input + [1]))

        // aggnonce = NonceAgg(pubnonce, aggothernonce). The latter must be two points: it is not extended by the identity.
        let commitment = nonces.commitment
        var commitments = [commitment]
        if let otherNonces {
            guard otherNonces.count == 66 else { throw .malformed(.unsupported) }
            do {
                let hiding = try Secp256k1.Point(encoded: otherNonces[..<33])
                let binding = try Secp256k1.Point(encoded: otherNonces[33...])
                commitments.append(Commitment(index: share.index, hiding: hiding, binding: binding))
            } catch {
                throw .invalidElement
            }
        }
        let session = Session(signers: signers, nonces: AggregateNonce(commitments), key: key, message: message)
        return (commitment, session.sign(with: share, nonces: nonces))
    }
}
