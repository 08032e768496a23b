public import Wallet

/// A transaction that somebody wants signed, and what it does: computed, not believed. Nothing is signed of it yet.
public struct ProposedSpend: Sendable {
    public let psbt: PSBT
    /// What the transaction does to the wallet. Show all of it, the warnings too.
    public let summary: SpendSummary
    let wallet: WalletRecord

    /// Works out what the transaction does to the wallet. What is wrong with it stands in the summary's `refusals`.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if the wallet's key has no addresses.
    public init(_ psbt: PSBT, from wallet: WalletRecord) throws(CustodyError) {
        self.psbt = psbt
        self.wallet = wallet
        summary = try SpendSummary(of: psbt, for: wallet.accounts)
    }

    /// Says that the person has seen the summary with this digest, and wants it signed.
    ///
    /// - Parameter digest: ``SpendSummary/intentDigest`` of what was shown.
    /// - Throws: ``CustodyError/refused(_:)`` if there is a reason not to sign, ``CustodyError/notWhatWasConfirmed`` if
    ///   another transaction was shown.
    public func confirmed(_ digest: [UInt8]) throws(CustodyError) -> ConfirmedSpend {
        guard summary.refusals.isEmpty else { throw .refused(summary.refusals) }
        guard digest == summary.intentDigest else { throw .notWhatWasConfirmed }
        return ConfirmedSpend(psbt: psbt, requests: summary.signingRequests, digest: digest, wallet: wallet)
    }
}
