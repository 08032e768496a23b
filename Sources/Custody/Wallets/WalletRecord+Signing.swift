public import Ceremonies
public import Wallet

extension WalletRecord {
    /// Returns the payload's effects on the wallet, and the signatures that it needs.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for an account that the wallet does not have, or if its key has no
    ///   addresses.
    public func work(of payload: SigningPayload) throws(CustodyError) -> SigningWork {
        let accounts = try accounts
        do { return try SigningWork(of: payload, for: accounts) } catch { throw .key(error) }
    }
}

extension ProposedPayload {
    /// Judges a payload of a wallet: ``init(_:from:under:in:findings:)`` with the wallet's keys.
    public init(
        _ work: SigningWork, from wallet: WalletRecord, under policy: Policy = .standard, in context: PolicyContext,
        findings: [Finding] = []
    ) {
        self.init(work, from: wallet.walletKeys, under: policy, in: context, findings: findings)
    }
}
