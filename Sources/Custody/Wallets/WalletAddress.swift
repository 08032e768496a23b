internal import Encoding
internal import Threshold
public import Wallet

/// One address of a wallet, with what pays to it and where it comes from.
public struct WalletAddress: Equatable, Sendable, Encodable {
    /// Which of the wallet's keys an address belongs to.
    public enum Kind: String, CaseIterable, Sendable, Encodable {
        /// P2TR: the Schnorr key (BIP-86's form, from BIP-328's extended key).
        case taproot
        /// P2WPKH: the ECDSA key.
        case segwit
    }

    /// Which key it pays to.
    public let type: Kind
    /// In the form of the wallet's network: `bc1p…` or `bc1q…`.
    public let address: String
    /// The script in hexadecimal.
    public let scriptPubKey: String
    /// `m/0/5`.
    public let path: String

    enum CodingKeys: String, CodingKey {
        case type, address, path
        case scriptPubKey = "script_pubkey"
    }
}

extension WalletRecord {
    /// An address of the wallet.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for an index from 2³¹ on.
    public func address(
        _ type: WalletAddress.Kind, at chain: AddressPath.Chain, index: UInt32
    ) throws(CustodyError) -> WalletAddress {
        do {
            let path = try AddressPath(chain, index: index)
            let address =
                switch type {
                case .taproot: try TaprootAccount(groupKey: keys.schnorr.publicKey, network: network).address(at: path)
                case .segwit: try SegwitAccount(groupKey: keys.ecdsa.publicKey, network: network).address(at: path)
                }
            return WalletAddress(
                type: type, address: address.description, scriptPubKey: Hex.encode(address.scriptPubKey.bytes),
                path: path.description)
        } catch {
            throw .wallet(error)
        }
    }
}
