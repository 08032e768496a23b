public import Curves

extension FROST.BIP340 {
    /// Round 2: each signer answers the coordinator's package.
    public enum Round2 {
        /// Signs, and consumes the nonces even if it fails (BIP-445, Sign).
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, ``ThresholdError/ownCommitmentMismatch``,
        ///   ``ThresholdError/unknownParticipant(_:)`` if this or another signer is not in the group or the package,
        ///   ``ThresholdError/tooFewSigners(needed:)`` or ``ThresholdError/invalidTweak``.
        public static func sign(
            _ signingPackage: SigningPackage, with share: borrowing KeyShare<Secp256k1>, nonces: consuming SigningNonces
        ) throws(ThresholdError) -> SignatureShare {
            // The package is for this key, and its signers can sign for it.
            let session = try signingPackage.session(in: share.group)
            // This signer is one of them, with its own nonces.
            guard nonces.commitment.index == share.index else { throw .ownCommitmentMismatch }
            try signingPackage.list.check(holds: nonces.commitment)
            return session.sign(with: share, nonces: nonces)
        }
    }
}
