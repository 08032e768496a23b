public import Bitcoin
internal import Encoding
internal import Ethereum
public import HDKeys
internal import Wallet

/// One address of a wallet, with its script and derivation path.
public struct WalletAddress: Equatable, Sendable, Encodable {
    /// Which of the wallet's keys an address belongs to.
    public enum Kind: String, CaseIterable, Sendable, Encodable {
        /// P2TR: the Schnorr key (BIP-86's form, from BIP-328's extended key).
        case taproot
        /// P2WPKH: the ECDSA key.
        case segwit
        /// An account on Ethereum and similar chains: the ECDSA key.
        case ethereum
    }

    /// The kind of the address, and so the key that it pays to.
    public let type: Kind
    /// The address in the form of the wallet's network, `bc1p…` or `bc1q…`; on Ethereum `0x…` with EIP-55's letters,
    /// the same on all chains.
    public let address: String
    /// The script, in JSON in hexadecimal; nil for Ethereum.
    public let scriptPubKey: ScriptPubKey?
    /// The derivation path: `m/0/5`, or `m/60/5`. In an imported account the path starts at the mnemonic's master key:
    /// `m/84'/0'/0'/0/5`.
    public let path: String

    enum CodingKeys: String, CodingKey {
        case type, address, path
        case scriptPubKey = "script_pubkey"
    }

    /// Writes the members of the JSON object; an Ethereum address has no `script_pubkey`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(address, forKey: .address)
        try container.encodeIfPresent(scriptPubKey.map { Hex.encode($0.bytes) }, forKey: .scriptPubKey)
        try container.encode(path, forKey: .path)
    }
}

extension WalletRecord {
    /// Returns an address of the wallet.
    ///
    /// - Parameter chain: receiving or change, for Bitcoin's addresses. An Ethereum account has one address for both.
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
            type: type, address: address.description, scriptPubKey: address.scriptPubKey,
            path: origin?.path(to: path).description ?? path.description)
    }
}
