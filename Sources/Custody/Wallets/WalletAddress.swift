internal import Encoding
public import Wallet

/// One address of a wallet, with what pays to it and where it comes from.
public struct WalletAddress: Equatable, Sendable, Encodable {
    /// In the form of the wallet's network: `bc1p…`.
    public let address: String
    /// The script in hexadecimal.
    public let scriptPubKey: String
    /// `m/0/5`.
    public let path: String

    enum CodingKeys: String, CodingKey {
        case address, path
        case scriptPubKey = "script_pubkey"
    }
}

extension WalletRecord {
    /// An address of the wallet (BIP-86's form, from BIP-328's extended key).
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for an index from 2³¹ on.
    public func address(at chain: AddressPath.Chain, index: UInt32) throws(CustodyError) -> WalletAddress {
        let account = try account
        do {
            let path = try AddressPath(chain, index: index)
            let address = try account.address(at: path)
            return WalletAddress(
                address: address.description, scriptPubKey: Hex.encode(address.scriptPubKey.bytes),
                path: path.description)
        } catch {
            throw .wallet(error)
        }
    }
}
