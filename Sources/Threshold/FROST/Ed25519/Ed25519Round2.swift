public import Curves

extension FROST.Ed25519 {
    /// Round 2: each signer answers the coordinator's package (RFC 9591, section 5.2).
    public enum Round2 {
        /// Signs, and uses the nonces up whatever comes of it.
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, ``ThresholdError/ownCommitmentMismatch``,
        ///   ``ThresholdError/unknownParticipant(_:)`` if this or another signer does not belong,
        ///   ``ThresholdError/tooFewSigners(needed:)``, or ``ThresholdError/faulty(culprits:)`` if the commitments cancel
        ///   each other out.
        public static func sign(
            _ signingPackage: SigningPackage, with share: borrowing KeyShare<Curves.Ed25519>,
            nonces: consuming SigningNonces
        ) throws(ThresholdError) -> SignatureShare {
            // The package is for this key, and its signers can sign for it.
            let session = try signingPackage.session(in: share.group)
            // This signer is one of them; that its nonces are the listed ones, `sign` checks.
            guard nonces.commitment.index == share.index else { throw .ownCommitmentMismatch }
            return try session.sign(with: share, nonces: nonces)
        }
    }
}
