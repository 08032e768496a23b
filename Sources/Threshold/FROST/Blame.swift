extension FROST.CommitmentList {
    /// Returns the culprits of a signature that does not verify, ascending: the signers whose share is wrong.
    ///
    /// Right shares add up to a right signature, unless the commitments cancel each other out; and all signers must
    /// have colluded for that. Then all are culprits.
    ///
    /// - Parameters:
    ///   - shares: the share of each signer.
    ///   - isRight: the protocol's own check of one share.
    func culprits(
        shares: [FROST.SignatureShare<Group>], in group: GroupKey<Group>,
        isRight: (FROST.SignatureShare<Group>, FROST.Commitment<Group>, Group.Point) -> Bool
    ) -> [ParticipantIndex] {
        let culprits = shares.filter { share in
            guard let commitment = commitment(of: share.index),
                let verificationShare = try? group.verificationShare(of: share.index)
            else { return true }
            return !isRight(share, commitment, verificationShare)
        }
        return culprits.isEmpty ? signers : culprits.map(\.index).sorted()
    }
}
