public import Secrets
internal import Threshold
package import Wallet

/// A confirmed payload, which may be sent to the participants. Only ``ProposedPayload/confirmed(_:accepting:)`` makes
/// one.
public struct ConfirmedPayload: Sendable {
    package let work: SigningWork
    let wallet: WalletKeys

    /// The confirmed digest: `Intent.digest`.
    public var digest: [UInt8] { work.intent.digest }

    /// Whether it needs ECDSA signatures, for which share files must be writable.
    public var needsLedgers: Bool { work.requests.contains { ECDSARequest($0) != nil } }

    /// Coordinates the participants' signing. All signatures of a kind are made at once: Schnorr in two rounds, ECDSA
    /// in four. Only a transaction with more ECDSA signatures than fit into a message takes further rounds. A file
    /// takes two rounds for each of its two Ed25519 signatures.
    ///
    /// Each signature is verified before the result is returned: for Bitcoin under the key of the output that it
    /// spends. Later errors cost no signature: they are in the warnings. A session that fails before cannot continue;
    /// begin another one.
    ///
    /// - Parameters:
    ///   - participants: a threshold of participants, each with another share.
    ///   - random: source for the session's identity.
    ///   - roundDeadline: the time for all participants to answer in each round.
    ///   - abortDeadline: the time for each participant to receive an abort if the session fails.
    /// - Throws: ``CeremonyError/wrongNumberOfShares(needed:given:)``, ``CeremonyError/noSuchShare(index:)``,
    ///   ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    public func sign(
        with participants: [any Participant], random: some RandomSource, roundDeadline: Deadline = .round,
        abortDeadline: Deadline = .abort
    ) async throws(CeremonyError) -> SignedPayload {
        let participants = participants.sorted { $0.index < $1.index }
        let indices = participants.map(\.index)
        let threshold = wallet.parameters.threshold
        guard Set(indices).count == threshold, participants.count == threshold else {
            throw .wrongNumberOfShares(needed: threshold, given: Set(indices).count)
        }
        // Indices are the participants' own claim, and become single bytes.
        if let stranger = indices.first(where: { !(1...wallet.parameters.total).contains($0) }) {
            throw .noSuchShare(index: stranger)
        }
        let ceremony = Ceremony(
            participants: participants, session: CeremonyID(from: random), roundDeadline: roundDeadline)
        do throws(CeremonyError) { return try await run(ceremony) } catch {
            await ceremony.abort(within: abortDeadline)
            throw error
        }
    }

    private func run(_ ceremony: Ceremony) async throws(CeremonyError) -> SignedPayload {
        let proposal = SigningProposal(
            confirmed: digest, signers: ceremony.participants.map(\.index), payload: work.payload.encoded)
        if case .file(let file) = work.payload {
            return try signed(
                by: try await FileSigning(file: file, group: wallet.groups.ed25519).run(ceremony, proposal: proposal))
        }
        let schnorr = SchnorrSigning(
            requests: work.requests.compactMap(SchnorrRequest.init), group: wallet.groups.schnorr)
        let ecdsa = ECDSASigning(
            requests: work.requests.compactMap(ECDSARequest.init), group: wallet.groups.ecdsa,
            signers: try inProtocol { () throws(ThresholdError) in try participantIndices(proposal.signers) })
        let count = schnorr.requests.count
        // Each participant decodes the payload itself, and commits to nonces for all Schnorr signatures and the first
        // batch of ECDSA signatures.
        let commitments = try MessageList.decode(
            all: try await ceremony.ask(.signingProposal, proposal.encoded, expecting: .signingCommitments),
            count: count + ecdsa.batch(from: 0).count)
        let schnorrSignatures =
            count == 0 ? [] : try await schnorr.run(ceremony, commitments: commitments.map { Array($0.prefix(count)) })
        let (ecdsaSignatures, warnings) = try await ecdsa.run(
            ceremony, commitments: commitments.map { Array($0.dropFirst(count)) })
        return try signed(by: inOrder(schnorrSignatures, ecdsaSignatures), warnings: warnings)
    }

    /// Verifies again, under the keys in the spent outputs, not under the derived ones.
    private func signed(
        by signatures: [[UInt8]], warnings: [CeremonyError] = []
    ) throws(CeremonyError) -> SignedPayload {
        let accounts: Accounts
        do { accounts = try wallet.accounts } catch { throw .key(error) }
        do {
            return SignedPayload(product: try work.signed(by: signatures, for: accounts), warnings: warnings)
        } catch { throw .wallet(error) }
    }

    /// Returns the signatures of both kinds in the order of the requests.
    private func inOrder(_ schnorr: [[UInt8]], _ ecdsa: [[UInt8]]) -> [[UInt8]] {
        var (schnorr, ecdsa) = (schnorr.makeIterator(), ecdsa.makeIterator())
        return work.requests.compactMap { request in
            switch request.key {
            case .schnorr: schnorr.next()
            case .ecdsa: ecdsa.next()
            }
        }
    }
}
