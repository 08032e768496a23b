internal import Curves
public import Secrets
internal import Threshold
internal import Wallet

/// A transaction that was confirmed, and may go to the holders of shares. Only ``ProposedSpend/confirmed(_:)`` makes one.
public struct ConfirmedSpend: Sendable {
    let psbt: PSBT
    let requests: [SigningRequest]
    /// What was confirmed: ``SpendSummary/intentDigest``.
    public let digest: [UInt8]
    let wallet: WalletRecord

    /// Whether it takes ECDSA signatures, for which the shares' files have to be writable.
    public var needsLedgers: Bool { requests.contains { ECDSARequest($0) != nil } }

    /// Has the holders sign, as their coordinator. Nothing but bytes goes back and forth: two rounds for all taproot inputs,
    /// and four for each input that takes an ECDSA signature.
    ///
    /// Each signature is verified under the key of the output that it spends before the PSBT with it is returned. What goes
    /// wrong from then on costs no signature: it is among the warnings. A session that fails before cannot go on; begin
    /// another one.
    ///
    /// - Parameters:
    ///   - holders: as many as the threshold, each with another share.
    ///   - random: for the session's identity.
    /// - Throws: ``CustodyError/wrongNumberOfShares(needed:given:)``, ``CustodyError/noSuchShare(name:)``,
    ///   ``CustodyError/ceremony(_:)`` with the culprits where they are known, and what a holder throws.
    public func sign(
        with holders: [any Holder], random: some RandomSource
    ) async throws(CustodyError) -> SignedSpend {
        let holders = holders.sorted { $0.index < $1.index }
        let indices = holders.map(\.index)
        let threshold = wallet.parameters.threshold
        guard Set(indices).count == threshold, holders.count == threshold else {
            throw .wrongNumberOfShares(needed: threshold, given: Set(indices).count)
        }
        // Indices are the holders' own claim, and become single bytes.
        if let stranger = indices.first(where: { !(1...wallet.parameters.total).contains($0) }) {
            throw .noSuchShare(name: ShareLocation(index: stranger).name)
        }
        let ceremony = Ceremony(holders: holders, session: SessionID(from: random))
        let proposal = SigningProposal(confirmed: digest, signers: indices, psbt: psbt.encoded)

        let schnorr = SchnorrSigning(requests: requests.compactMap(SchnorrRequest.init), group: wallet.keys.schnorr)
        var signatures = try await schnorr.run(ceremony, proposal: proposal)
        let ecdsa = requests.compactMap(ECDSARequest.init)
        var warnings: [CustodyError] = []
        for (number, request) in ecdsa.enumerated() {
            let signing = ECDSASigning(request: request, number: number, group: wallet.keys.ecdsa)
            let signature = try await signing.run(ceremony)
            signatures.append((request.request, signature))
            let objections = await signing.announce(signature, in: ceremony)
            // After the last one there is nothing left that could be stopped.
            if number + 1 == ecdsa.count { warnings = objections } else if let first = objections.first { throw first }
        }

        // Verifies once more, under the keys that stand in the outputs: not under those that we derived.
        var signed = psbt
        do { try signed.insert(signatures) } catch { throw .wallet(error) }
        return SignedSpend(psbt: signed, warnings: warnings)
    }
}
