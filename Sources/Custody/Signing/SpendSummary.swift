internal import Wallet

extension SpendSummary {
    /// What a transaction does to an account: worked out alike by whoever proposes it and by each holder.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if the account has no addresses.
    init(of psbt: PSBT, for account: TaprootAccount) throws(CustodyError) {
        do {
            self.init(of: psbt, for: try Ownership(of: Accounts(taproot: account)))
        } catch {
            throw .wallet(error)
        }
    }
}
