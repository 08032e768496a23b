internal import Curves
internal import Threshold
internal import Wallet

extension SpendSummary {
    /// What a transaction does to a wallet: worked out alike by whoever proposes it and by each holder.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if an account has no addresses.
    init(of psbt: PSBT, for accounts: Accounts) throws(CustodyError) {
        do {
            self.init(of: psbt, for: try Ownership(of: accounts))
        } catch {
            throw .wallet(error)
        }
    }
}

extension Accounts {
    /// The accounts of a wallet's keys.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if a key has none, which no honest key generation brings about.
    init(of keys: GroupKeys, on network: Network) throws(CustodyError) {
        do {
            try self.init(
                taproot: TaprootAccount(groupKey: keys.schnorr.publicKey, network: network),
                segwit: SegwitAccount(groupKey: keys.ecdsa.publicKey, network: network))
        } catch { throw .wallet(error) }
    }
}
