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
    /// The extended public keys of an imported wallet; nil for other wallets.
    public let imported: ImportedPublicKeys?

    /// Creates the public side of a wallet's keys.
    public init(_ groups: GroupKeys, on network: Network, imported: ImportedPublicKeys?) {
        self.groups = groups
        self.network = network
        self.imported = imported
    }

    /// The threshold and the number of shares.
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
    /// Creates the accounts: taproot from the Schnorr key, P2WPKH and Ethereum from the ECDSA key.
    ///
    /// - Parameter imported: the extended keys of an imported wallet, from which other software derives the same
    ///   addresses.
    /// - Throws: ``HDKeyError`` if a key has no account, which no honest key generation produces; or if the imported
    ///   keys are other keys.
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
