internal import Secrets

/// The step in which the parties verify that they saw the same: each signs its transcript, and all signatures are the
/// certificate.
extension Sharing.Transcript {
    func sign(
        as party: Sharing.Party, _ hostKey: borrowing Sharing.HostKey<Suite>, auxiliary: borrowing SecretBytes
    ) throws(ThresholdError) -> [UInt8] {
        do {
            return try Suite.sign(
                message("sharing transcript", from: party), hostKey: hostKey.secret, auxiliary: auxiliary)
        } catch { throw .invalidElement }
    }

    /// Returns the parties whose confirmation is invalid, ascending; the confirmation of party k is at k - 1.
    func culprits(
        _ confirmations: [Sharing.Confirmation<Suite>], leavingOut trusted: Sharing.Party? = nil
    ) -> [Sharing.Party] {
        zip(session.parties, confirmations).filter { party, confirmation in
            party != trusted && !isConfirmed(by: party, confirmation)
        }.map(\.0)
    }

    private func isConfirmed(by party: Sharing.Party, _ confirmation: Sharing.Confirmation<Suite>) -> Bool {
        guard isSigned(by: party, "sharing transcript", confirmation.signature) else { return false }
        guard let index = party.receiver else { return true }
        guard let proof = confirmation.proof else { return false }
        return Suite.isProofOfPossession(
            proof, of: group.verificationShares[index.value - 1], message: proofMessage(from: party))
    }

    /// Returns the message to which the proof that a receiver knows its share is bound.
    func proofMessage(from party: Sharing.Party) -> [UInt8] {
        Suite.hash("sharing share proof", hash + Suite.encode(party))
    }

    /// Returns a message to be signed: the purpose, the signer, and the transcript.
    func message(_ purpose: String, from party: Sharing.Party) -> [UInt8] {
        Suite.message(purpose) + Suite.encode(party) + hash
    }

    func isSigned(by party: Sharing.Party, _ purpose: String, _ signature: [UInt8]) -> Bool {
        Suite.isValid(
            signature: signature, message: message(purpose, from: party), hostKey: session.member(party).hostKey)
    }
}
