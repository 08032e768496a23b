public import Wallet

/// Something that somebody wants signed, and what it does: computed, not believed. Nothing is signed of it yet.
public struct ProposedPayload: Sendable {
    public let payload: SigningPayload
    /// What signing it does, with what the checks find in its situation. Show all of it, the remarks too.
    public let intent: Intent
    /// What the policy says to it.
    public let decision: Decision
    /// The details of a Bitcoin transaction: the same as in the intent, with inputs and change.
    public let spend: SpendSummary?
    private let work: SigningWork
    private let wallet: WalletRecord

    /// Works out what the payload does. What is wrong with it stands in the intent's `refusals` and in the decision.
    ///
    /// - Parameters:
    ///   - policy: what each holder asks as well, of the warden that it has.
    ///   - situation: what is known beside the bytes.
    ///   - remarks: what else the person should know.
    /// - Throws: ``CustodyError/wallet(_:)`` if the wallet's key has no addresses.
    public init(
        _ payload: SigningPayload, from wallet: WalletRecord, under policy: Policy = .standard, in situation: Situation,
        remarks: [Remark] = []
    ) throws(CustodyError) {
        self.payload = payload
        self.wallet = wallet
        let accounts = try wallet.accounts
        do {
            if case .bitcoinTransaction(let psbt) = payload {
                let summary = SpendSummary(of: psbt, for: try Ownership(of: accounts))
                (spend, work) = (summary, SigningWork(summary))
            } else {
                (spend, work) = (nil, try SigningWork(of: payload, for: accounts))
            }
        } catch { throw .wallet(error) }
        intent = work.intent.checked(in: situation).adding(remarks)
        decision = policy.decide(on: intent, in: situation)
    }

    /// ``Intent/digest`` of what a payload does to a wallet: by it a book looks up the situation.
    ///
    /// - Throws: as ``init(_:from:under:in:remarks:)``.
    public static func digest(
        of payload: SigningPayload, from wallet: WalletRecord
    ) throws(CustodyError) -> [UInt8] {
        let accounts = try wallet.accounts
        do { return try SigningWork(of: payload, for: accounts).intent.digest } catch { throw .wallet(error) }
    }

    /// Says that the person has seen the intent with this digest, and wants it signed.
    ///
    /// - Parameter digest: ``Intent/digest`` of what was shown.
    /// - Throws: ``CustodyError/refused(_:)`` if there is a reason not to sign, ``CustodyError/forbidden(_:)`` if the policy does
    ///   not allow it, ``CustodyError/notWhatWasConfirmed`` if something else was shown.
    public func confirmed(_ digest: [UInt8]) throws(CustodyError) -> ConfirmedPayload {
        guard intent.refusals.isEmpty else { throw .refused(intent.refusals) }
        guard decision.verdict == .allowed else { throw .forbidden(decision) }
        guard digest == intent.digest else { throw .notWhatWasConfirmed }
        return ConfirmedPayload(payload: payload, requests: work.requests, digest: digest, wallet: wallet)
    }
}
