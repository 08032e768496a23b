internal import Bitcoin
internal import Curves
internal import HDKeys
internal import Threshold
internal import Wallet

extension Accounts {
    /// The accounts of a wallet's keys.
    ///
    /// - Throws: as ``init(schnorr:ecdsa:on:imported:)``.
    init(of keys: GroupKeys, on network: Network, imported: ImportedKeys?) throws(CustodyError) {
        try self.init(
            schnorr: keys.schnorr.publicKey, ecdsa: keys.ecdsa.publicKey, on: network, imported: imported)
    }

    /// Taproot of the Schnorr key, P2WPKH and Ethereum of the ECDSA key.
    ///
    /// - Parameter imported: from which other software derives the addresses of these keys, if they were whole before.
    /// - Throws: ``CustodyError/wallet(_:)`` if a key has no account, which no honest key generation brings about; or if what was
    ///   imported are other keys.
    init(
        schnorr: Secp256k1.Point, ecdsa: Secp256k1.Point, on network: Network, imported: ImportedKeys?
    ) throws(CustodyError) {
        do throws(HDKeyError) {
            if let imported {
                self = try imported.accounts(schnorr: schnorr, ecdsa: ecdsa, on: network)
            } else {
                try self.init(
                    taproot: TaprootAccount(groupKey: schnorr, network: network),
                    segwit: SegwitAccount(groupKey: ecdsa, network: network),
                    ethereum: EthereumAccounts(groupKey: ecdsa))
            }
        } catch { throw .key(error) }
    }
}
