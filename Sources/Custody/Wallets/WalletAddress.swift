internal import Bitcoin
internal import Encoding
internal import Ethereum
public import HDKeys
internal import Threshold
internal import Wallet

/// One address of a wallet, with what pays to it and where it comes from.
public struct WalletAddress: Equatable, Sendable, Encodable {
    /// Which of the wallet's keys an address belongs to.
    public enum Kind: String, CaseIterable, Sendable, Encodable {
        /// P2TR: the Schnorr key (BIP-86's form, from BIP-328's extended key).
        case taproot
        /// P2WPKH: the ECDSA key.
        case segwit
        /// An account of Ethereum, and of every chain of its kind: the ECDSA key.
        case ethereum
    }

    /// Which key it pays to.
    public let type: Kind
    /// In the form of the wallet's network, `bc1p…` or `bc1q…`; of Ethereum `0x…`, in EIP-55's letters, on all networks alike.
    public let address: String
    /// The script in hexadecimal. Ethereum has none.
    public let scriptPubKey: String?
    /// `m/0/5`, or `m/60/5`. Of an account that was imported, from the key without a parent: `m/84'/0'/0'/0/5`.
    public let path: String

    enum CodingKeys: String, CodingKey {
        case type, address, path
        case scriptPubKey = "script_pubkey"
    }
}

extension WalletRecord {
    /// An address of the wallet.
    ///
    /// - Parameter chain: of Bitcoin's addresses. Ethereum's accounts have one address each, at either.
    /// - Throws: ``CustodyError/wallet(_:)`` for an index from 2³¹ on.
    public func address(
        _ type: WalletAddress.Kind, at chain: AddressPath.Chain, index: UInt32
    ) throws(CustodyError) -> WalletAddress {
        let accounts = try accounts
        do throws(HDKeyError) {
            let path = try AddressPath(chain, index: index)
            switch type {
            case .taproot:
                let account = accounts.taproot
                return WalletAddress(type, try account.address(at: path), path, account.origin)
            case .segwit:
                guard let account = accounts.segwit else { throw .badPath }
                return WalletAddress(type, try account.address(at: path), path, account.origin)
            case .ethereum:
                let key = try accounts.ethereumKey(at: index)
                return WalletAddress(
                    type: type, address: key.address.description, scriptPubKey: nil, path: key.path)
            }
        } catch {
            throw .key(error)
        }
    }
}

extension WalletAddress {
    fileprivate init(_ type: Kind, _ address: Address<Checked>, _ path: AddressPath, _ origin: AccountOrigin?) {
        self.init(
            type: type, address: address.description, scriptPubKey: Hex.encode(address.scriptPubKey.bytes),
            path: origin?.path(to: path).description ?? path.description)
    }
}
