internal import Curves
public import Secrets
internal import Threshold
public import Wallet

/// A transaction that was confirmed, and may go to the holders of shares. Only ``ProposedSpend/confirmed(_:)`` makes one.
public struct ConfirmedSpend: Sendable {
    let psbt: PSBT
    let requests: [SigningRequest]
    /// What was confirmed: ``SpendSummary/intentDigest``.
    public let digest: [UInt8]
    let wallet: WalletRecord

    /// Has the holders sign, as their coordinator: two rounds, in which nothing but bytes goes back and forth.
    ///
    /// Each signature is verified under the key of the output that it spends before the PSBT with it is returned.
    /// A session that fails cannot go on; begin another one.
    ///
    /// - Parameters:
    ///   - holders: as many as the threshold, each with another share.
    ///   - random: for the session's identity.
    /// - Throws: ``CustodyError/wrongNumberOfShares(needed:given:)``, ``CustodyError/noSuchShare(name:)``,
    ///   ``CustodyError/ceremony(_:)`` with the culprits where they are known, and what a holder throws.
    public func sign(
        with holders: [any Holder], random: some RandomSource
    ) async throws(CustodyError) -> PSBT {
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

        // Round 1: each holder reads the transaction itself, and commits to nonces for each input.
        let proposal = SigningProposal(confirmed: digest, signers: indices, psbt: psbt.encoded)
        let commitments = try decode(
            try await ceremony.ask(.signingProposal, proposal.encoded, expecting: .signingCommitments),
            from: holders, FROST.BIP340.Commitment.init(decoding:), by: \.index)

        // Round 2: each holder signs what it worked out itself, if it is what is asked for here.
        let packages = try packages(for: commitments)
        let shares = try decode(
            try await ceremony.ask(
                .signingPackages, MessageList.encode(packages.map(\.encoded)), expecting: .signatureShares),
            from: holders, FROST.BIP340.SignatureShare.init(decoding:), by: \.index)

        var signatures: [(request: SigningRequest, signature: [UInt8])] = []
        for (input, request) in requests.enumerated() {
            do {
                signatures.append(
                    (
                        request,
                        try FROST.BIP340.aggregate(
                            shares.map { $0[input] }, of: packages[input], in: wallet.keys.schnorr)
                    ))
            } catch {
                throw .ceremony(error)
            }
        }
        // Verifies once more, under the keys that stand in the outputs: not under those that we derived.
        var signed = psbt
        do { try signed.insert(signatures) } catch { throw .wallet(error) }
        return signed
    }

    /// One signing package for each input, from every holder's commitment to it.
    private func packages(
        for commitments: [[FROST.BIP340.Commitment]]
    ) throws(CustodyError) -> [FROST.BIP340.SigningPackage] {
        do {
            var packages: [FROST.BIP340.SigningPackage] = []
            for (input, request) in requests.enumerated() {
                packages.append(
                    try FROST.BIP340.SigningPackage(
                        group: wallet.keys.schnorr, commitments: commitments.map { $0[input] },
                        tweaks: request.tweaks, message: request.message))
            }
            return packages
        } catch {
            throw .ceremony(error)
        }
    }

    /// Reads one part for each input from each holder's answer.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)`` for a holder whose part bears another's index: the other is not to
    ///   be blamed for it.
    private func decode<Part>(
        _ answers: [[UInt8]], from holders: [any Holder], _ decode: ([UInt8]) throws(ThresholdError) -> Part,
        by author: (Part) -> ParticipantIndex
    ) throws(CustodyError) -> [[Part]] {
        var result: [[Part]] = []
        for (answer, holder) in zip(answers, holders) {
            var parts: [Part] = []
            for encoded in try MessageList.decode(answer, count: requests.count) {
                do throws(ThresholdError) {
                    let part = try decode(encoded)
                    guard author(part).value == holder.index else {
                        throw ThresholdError.faulty(culprits: [try ParticipantIndex(holder.index)])
                    }
                    parts.append(part)
                } catch {
                    throw .ceremony(error)
                }
            }
            result.append(parts)
        }
        return result
    }
}

extension SigningRequest {
    /// What FROST signs under, to the group's key.
    var tweaks: [FROST.BIP340.Tweak] {
        // Summaries are made for the taproot account alone.
        guard case .taproot(let key) = key else { preconditionFailure("no ECDSA key to sign with") }
        return key.tweaks.map(FROST.BIP340.Tweak.init)
    }
}

extension FROST.BIP340.Tweak {
    /// A step that the wallet's derivation asks for.
    init(_ tweak: KeyTweak) {
        switch tweak {
        case .plain(let scalar): self = .plain(scalar)
        case .xOnly(let scalar): self = .xOnly(scalar)
        }
    }
}
