internal import Custody
internal import Wallet

/// What signing something does, read from its bytes and from the keys of who signs.
struct PayloadMeaning {
    let payload: SigningPayload
    let intent: Intent
    /// The details of a Bitcoin transaction.
    let spend: SpendSummary?

    init(_ payload: SigningPayload, for accounts: Accounts) throws(Failure) {
        self.payload = payload
        do throws(WalletError) {
            if case .bitcoinTransaction(let psbt) = payload {
                let summary = SpendSummary(of: psbt, for: try Ownership(of: accounts))
                (intent, spend) = (Intent(summary), summary)
            } else {
                (intent, spend) = (try SigningWork(of: payload, for: accounts).intent, nil)
            }
        } catch { throw error.failure }
    }
}
