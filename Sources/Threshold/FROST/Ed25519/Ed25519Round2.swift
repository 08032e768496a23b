public import Curves

extension FROST.Ed25519 {
    /// Round 2: each signer answers the coordinator's package (RFC 9591, section 5.2).
    public enum Round2 {
        /// Signs, and consumes the nonces even if it fails.
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, ``ThresholdError/ownCommitmentMismatch``,
        ///   ``ThresholdError/unknownParticipant(_:)`` if this or another signer is not in the group or the package,
        ///   ``ThresholdError/tooFewSigners(needed:)``, or ``ThresholdError/faulty(culprits:)`` if the commitments
        ///   cancel each other out.
        public static func sign(
            _ signingPackage: SigningPackage, with share: borrowing KeyShare<Curves.Ed25519>,
            nonces: consuming SigningNonces
        ) throws(ThresholdError) -> SignatureShare {
            // The package is for this key, and its signers can sign for it.
            let session = try signingPackage.session(in: share.group)
            // This signer is one of them; `sign` checks that its nonces are the listed ones.
            guard nonces.commitment.index == share.index else { throw .ownCommitmentMismatch }
            return try session.sign(with: share, nonces: nonces)
        }
    }
}
