package import Curves

extension FROST.BIP340 {
    /// The values that follow from the session's public data, the same for all participants (BIP-445,
    /// GetSessionValues).
    package struct Session {
        /// The signers, ascending.
        let signers: [ParticipantIndex]
        package let key: TweakedKey
        /// b: binds every signer's nonces to the signers, all commitments, the key and the message.
        let bindingFactor: Scalar<Secp256k1>
        /// R: the signature's nonce.
        let nonce: Secp256k1.Point
        /// e: the BIP-340 challenge.
        let challenge: Scalar<Secp256k1>

        /// - Parameter signers: the session's signers, in any order.
        package init(signers: [ParticipantIndex], nonces: AggregateNonce, key: TweakedKey, message: [UInt8]) {
            self.signers = signers.sorted()
            self.key = key

            // b = int(hash_BIP0445/noncecoef(ser_ids || aggnonce || xbytes(Q) || m)) mod n
            // The BIP hashes the sums of the commitments, not each: that is FROST3, which is proven secure. A list in
            // which one signer's commitment is changed has another sum, unless a second one was changed to compensate;
            // and the signature depends only on the sums.
            let identifiers = self.signers.flatMap(identifier(of:))
            bindingFactor = hashToScalar("BIP0445/noncecoef", identifiers + nonces.encoded + key.xOnly + message)

            // R = R₁ + b·R₂, or G if that is the identity: so signing continues, and reveals the culprit.
            let sum =
                nonces.binding.isIdentity
                ? nonces.hiding : nonces.hiding + nonces.binding.multipliedVariableTime(by: bindingFactor)
            nonce = sum.isIdentity ? .generator : sum

            // e = int(hash_BIP0340/challenge(xbytes(R) || xbytes(Q) || m)) mod n
            challenge = hashToScalar("BIP0340/challenge", nonce.xOnly + key.xOnly + message)
        }

        /// Returns e·λ·g·gacc, the factor of a signer's share.
        func coefficient(of index: ParticipantIndex) -> Scalar<Secp256k1> {
            challenge * key.shareSign * Lagrange.coefficient(of: index, among: signers)
        }

        /// Signs, for a signer of this session (Sign):  s = ±(k₁ + b·k₂) + e·λ·d, with the sign that makes R's y even.
        ///
        /// - Precondition: The share's index is among the signers.
        package func sign(with share: borrowing KeyShare<Secp256k1>, nonces: consuming SigningNonces) -> SignatureShare
        {
            // The sign is moved to the public side: s = ±(k₁ + b·k₂ ± e·λ·d).
            let flips = !nonce.hasEvenY
            let coefficient = coefficient(of: share.index)
            let answer = nonces.answer(
                bindingFactor: bindingFactor, coefficient: flips ? -coefficient : coefficient, secret: share.secret)
            return SignatureShare(index: share.index, value: flips ? -answer : answer)
        }

        /// Verifies a share, for a signer of this session (PartialSigVerify).
        ///
        /// - Precondition: All three belong to the same signer, who is one of the session's.
        package func isValid(
            _ share: SignatureShare, commitment: Commitment, verificationShare: Secp256k1.Point
        ) -> Bool {
            // s·G = ±(R₁ + b·R₂) + e·λ·g·gacc·P, again with the sign moved: ±s·G = R₁ + b·R₂ ± …
            let flips = !nonce.hasEvenY
            let coefficient = coefficient(of: share.index)
            return SignatureShare(index: share.index, value: flips ? -share.value : share.value).answers(
                commitment, bindingFactor: bindingFactor, coefficient: flips ? -coefficient : coefficient,
                verificationShare: verificationShare)
        }

        /// Returns the signature (PartialSigAgg): xbytes(R)
        ///
        /// s, where s is the sum of the shares and of e·g·tacc.
        package func signature(sum: Scalar<Secp256k1>) -> [UInt8] {
            nonce.xOnly + (sum + challenge * key.signedAddend).encoded
        }
    }
}
