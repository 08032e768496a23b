public import Curves
public import Secrets
public import Threshold
public import Wallet

/// A holder of one share in this process. It believes nothing that the coordinator says: it reads the transaction, works out
/// what it does and what is hashed for its signature, and compares that with what the person confirmed.
///
/// It serves one session; whatever happens in it, the next message is refused.
public actor SigningHolder: Holder {
    public nonisolated let index: Int

    private let share: KeyShare<Secp256k1>
    private let network: Network
    private let confirmed: [UInt8]
    private let random: any RandomSource
    private var state = State.ready

    private enum State {
        case ready
        case committed(Commitment)
        case finished
    }

    /// What this holder has agreed to sign, and with which nonces.
    private struct Commitment {
        let session: SessionID
        let signers: [Int]
        let requests: [SigningRequest]
        let nonces: [OneShot<FROST.BIP340.SigningNonces>]
    }

    /// - Parameters:
    ///   - share: the opened share; wiped when this holder goes.
    ///   - network: the wallet's, as it is sealed beside the share.
    ///   - confirmed: the ``SpendSummary/intentDigest`` that the person confirmed, as whoever owns this holder knows it. What
    ///     the coordinator says of it is compared with this, and not believed.
    ///   - random: for nonces.
    public init(
        share: consuming KeyShare<Secp256k1>, network: Network, confirmed: [UInt8], random: some RandomSource
    ) {
        index = share.index.value
        self.share = share
        self.network = network
        self.confirmed = confirmed
        self.random = random
    }

    public func answer(_ message: [UInt8]) throws(CustodyError) -> [UInt8] {
        // Whatever comes of this message, it is the last in this state: nonces are never there for a second try.
        let current = state
        state = .finished
        let message = try CeremonyMessage(decoding: message)
        switch current {
        case .ready:
            let proposal = try message.payload(
                of: .signingProposal, in: message.session, from: CeremonyMessage.coordinator)
            let commitment = try commit(to: SigningProposal(decoding: proposal), in: message.session)
            state = .committed(commitment.kept)
            return reply(.signingCommitments, commitment.sent, in: message.session)
        case .committed(let commitment):
            let request = try message.payload(
                of: .signingPackages, in: commitment.session, from: CeremonyMessage.coordinator)
            return reply(.signatureShares, try sign(request, commitment), in: commitment.session)
        case .finished:
            throw .staleMessage
        }
    }

    private func reply(_ kind: CeremonyMessage.Kind, _ parts: [[UInt8]], in session: SessionID) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: index, session: session, payload: MessageList.encode(parts)).encoded
    }
}

// MARK: Round 1

extension SigningHolder {
    private func commit(
        to proposal: SigningProposal, in session: SessionID
    ) throws(CustodyError) -> (kept: Commitment, sent: [[UInt8]]) {
        guard proposal.signers.contains(index), proposal.signers.count == share.group.parameters.threshold,
            proposal.signers.allSatisfy({ $0 <= share.group.parameters.total })
        else { throw .wrongNumberOfShares(needed: share.group.parameters.threshold, given: proposal.signers.count) }

        let requests = try requests(of: proposal)
        var nonces: [OneShot<FROST.BIP340.SigningNonces>] = []
        var sent: [[UInt8]] = []
        for request in requests {
            let fresh = FROST.BIP340.Round1.commit(share, to: request.message, in: session.bytes, random: random)
            sent.append(fresh.commitment.encoded)
            nonces.append(OneShot(fresh))
        }
        return (Commitment(session: session, signers: proposal.signers, requests: requests, nonces: nonces), sent)
    }

    /// What this holder would sign: worked out from the transaction and from its own sealed copy of the group's key.
    private func requests(of proposal: SigningProposal) throws(CustodyError) -> [SigningRequest] {
        let account: TaprootAccount
        let psbt: PSBT
        do throws(WalletError) {
            account = try TaprootAccount(groupKey: share.group.publicKey, network: network)
            psbt = try PSBT(decoding: proposal.psbt)
        } catch {
            throw .wallet(error)
        }
        let summary = try SpendSummary(of: psbt, for: account)
        guard summary.refusals.isEmpty else { throw .refused(summary.refusals) }
        guard proposal.confirmed == confirmed, summary.intentDigest == confirmed else { throw .notWhatWasConfirmed }
        return summary.signingRequests
    }
}

// MARK: Round 2

extension SigningHolder {
    private func sign(_ request: [UInt8], _ commitment: Commitment) throws(CustodyError) -> [[UInt8]] {
        let encoded = try MessageList.decode(request, count: commitment.requests.count)
        // All are compared before the first is signed.
        var packages: [FROST.BIP340.SigningPackage] = []
        for (package, own) in zip(encoded, commitment.requests) {
            packages.append(try checked(package, is: own, by: commitment.signers))
        }
        var shares: [[UInt8]] = []
        for (package, nonces) in zip(packages, commitment.nonces) {
            guard let nonces = nonces.take() else { throw .staleMessage }
            do {
                shares.append(try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces).encoded)
            } catch {
                throw .ceremony(error)
            }
        }
        return shares
    }

    /// Reads a signing package, and checks that it asks for what this holder worked out itself.
    private func checked(
        _ package: [UInt8], is own: SigningRequest, by signers: [Int]
    ) throws(CustodyError) -> FROST.BIP340.SigningPackage {
        let asked: FROST.BIP340.SigningPackage
        do { asked = try FROST.BIP340.SigningPackage(decoding: package) } catch { throw .ceremony(error) }
        guard asked.message == own.message, asked.tweaks == own.tweaks else { throw .notWhatWasConfirmed }
        guard asked.signers.map(\.value) == signers else { throw .staleMessage }
        return asked
    }
}
