package import Curves

extension FROST.BIP340 {
    /// What follows from the session's public data, and is the same for all who take part (BIP-445, GetSessionValues).
    package struct Session {
        /// Ascending.
        let signers: [ParticipantIndex]
        package let key: TweakedKey
        /// b: ties every signer's nonces to the signers, to everyone's commitments, the key and the message.
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
            // The BIP hashes the sums of the commitments, not each: that is FROST3, and proven as such. A list in which any
            // signer's commitment is another has another sum, unless a second one was changed to make up for it; and the
            // sums are all that the signature depends on.
            let identifiers = self.signers.flatMap(identifier(of:))
            bindingFactor = hashToScalar("BIP0445/noncecoef", identifiers + nonces.encoded + key.xOnly + message)

            // R = R₁ + b·R₂, or G if that is the identity: so that signing goes on, and shows who is to blame.
            let sum =
                nonces.binding.isIdentity
                ? nonces.hiding : nonces.hiding + nonces.binding.multipliedVariableTime(by: bindingFactor)
            nonce = sum.isIdentity ? .generator : sum

            // e = int(hash_BIP0340/challenge(xbytes(R) || xbytes(Q) || m)) mod n
            challenge = hashToScalar("BIP0340/challenge", nonce.xOnly + key.xOnly + message)
        }

        /// e·λ·g·gacc: what a signer's share is multiplied by.
        func coefficient(of index: ParticipantIndex) -> Scalar<Secp256k1> {
            challenge * key.shareSign * Lagrange.coefficient(of: index, among: signers)
        }

        /// Sign, for a signer of this session:  s = ±(k₁ + b·k₂) + e·λ·d, with the sign that makes R's y even.
        ///
        /// - Precondition: the share's index is among the signers.
        package func sign(with share: borrowing KeyShare<Secp256k1>, nonces: consuming SigningNonces) -> SignatureShare
        {
            // The sign is put on the public side: s = ±(k₁ + b·k₂ ± e·λ·d).
            let flips = !nonce.hasEvenY
            let coefficient = coefficient(of: share.index)
            let answer = nonces.answer(
                bindingFactor: bindingFactor, coefficient: flips ? -coefficient : coefficient, secret: share.secret)
            return SignatureShare(index: share.index, value: flips ? -answer : answer)
        }

        /// PartialSigVerify, for a signer of this session.
        ///
        /// - Precondition: all three belong to the same signer, who is one of the session's.
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

        /// PartialSigAgg: xbytes(R) || s, where s is the sum of the shares and of e·g·tacc.
        package func signature(sum: Scalar<Secp256k1>) -> [UInt8] {
            nonce.xOnly + (sum + challenge * key.signedAddend).encoded
        }
    }
}
