internal import Curves
internal import Threshold
internal import Wallet

extension Accounts {
    /// The accounts of a wallet's keys: taproot of the Schnorr key, P2WPKH and Ethereum of the ECDSA key.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if a key has none, which no honest key generation brings about.
    init(of keys: GroupKeys, on network: Network) throws(CustodyError) {
        do {
            try self.init(
                taproot: TaprootAccount(groupKey: keys.schnorr.publicKey, network: network),
                segwit: SegwitAccount(groupKey: keys.ecdsa.publicKey, network: network),
                ethereum: EthereumAccounts(groupKey: keys.ecdsa.publicKey))
        } catch { throw .wallet(error) }
    }
}
