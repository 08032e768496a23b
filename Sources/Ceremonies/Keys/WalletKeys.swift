internal import Bitcoin
package import Curves
public import HDKeys
public import Threshold
public import Wallet

/// The public side of a wallet's keys: everything that its accounts and addresses derive from.
public struct WalletKeys: Equatable, Sendable {
    /// The public keys, with the public parts of all shares.
    public let groups: GroupKeys
    /// The wallet's network.
    public let network: Network
    /// The extended keys that the wallet was imported with, if its keys were whole before.
    public let imported: ImportedPublicKeys?

    /// Creates what a ceremony knows of a wallet.
    public init(_ groups: GroupKeys, on network: Network, imported: ImportedPublicKeys?) {
        self.groups = groups
        self.network = network
        self.imported = imported
    }

    /// How many shares there are, and how many of them sign.
    public var parameters: ThresholdParameters { groups.parameters }

    /// The wallet's addresses of every type.
    ///
    /// - Throws: as `Accounts.init(schnorr:ecdsa:on:imported:)`.
    public var accounts: Accounts {
        get throws(HDKeyError) {
            try Accounts(
                schnorr: groups.schnorr.publicKey, ecdsa: groups.ecdsa.publicKey, on: network, imported: imported)
        }
    }
}

extension Accounts {
    /// Taproot of the Schnorr key, P2WPKH and Ethereum of the ECDSA key.
    ///
    /// - Parameter imported: from which other software derives the addresses of these keys, if they were whole before.
    /// - Throws: ``HDKeyError`` if a key has no account, which no honest key generation brings about; or if what was imported are
    ///   other keys.
    package init(
        schnorr: Secp256k1.Point, ecdsa: Secp256k1.Point, on network: Network, imported: ImportedPublicKeys?
    ) throws(HDKeyError) {
        if let imported {
            self = try imported.accounts(schnorr: schnorr, ecdsa: ecdsa, on: network)
        } else {
            try self.init(
                taproot: TaprootAccount(groupKey: schnorr, network: network),
                segwit: SegwitAccount(groupKey: ecdsa, network: network),
                ethereum: EthereumAccounts(groupKey: ecdsa))
        }
    }
}
