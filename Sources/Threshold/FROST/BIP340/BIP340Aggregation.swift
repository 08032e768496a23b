public import Curves

extension FROST.BIP340 {
    /// Adds up the signature shares to a BIP-340 signature of 64 bytes, and verifies it (BIP-445, PartialSigAgg).
    ///
    /// If it verifies, the shares need no check. If it does not, each is checked, and the culprits are named.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)``; ``ThresholdError/missingParticipant(_:)``,
    ///   ``ThresholdError/unknownParticipant(_:)`` or ``ThresholdError/duplicateParticipant(_:)`` unless there is exactly
    ///   one share of each signer; and as ``Round2/sign(_:with:nonces:)`` if the package does not fit the group.
    public static func aggregate(
        _ shares: [SignatureShare], of signingPackage: SigningPackage, in group: GroupKey<Secp256k1>
    ) throws(ThresholdError) -> [UInt8] {
        let session = try signingPackage.session(in: group)
        let signature = session.signature(sum: try SignatureShare.sum(shares, of: session.signers))
        guard
            Curves.BIP340.isValid(
                signature: signature, message: signingPackage.message, publicKey: session.key.xOnly)
        else {
            throw .faulty(
                culprits: signingPackage.list.culprits(shares: shares, in: group) {
                    share, commitment, verificationShare in
                    session.isValid(share, commitment: commitment, verificationShare: verificationShare)
                })
        }
        return signature
    }

    /// Returns whether one signer's share is right (BIP-445, PartialSigVerify). Needed only to find the culprit.
    ///
    /// - Throws: as ``aggregate(_:of:in:)``, except that the other shares do not matter.
    public static func isValid(
        _ share: SignatureShare, of signingPackage: SigningPackage, in group: GroupKey<Secp256k1>
    ) throws(ThresholdError) -> Bool {
        guard let commitment = signingPackage.list.commitment(of: share.index) else {
            throw .unknownParticipant(share.index)
        }
        return try signingPackage.session(in: group).isValid(
            share, commitment: commitment, verificationShare: group.verificationShare(of: share.index))
    }
}
