internal import Bitcoin
package import Curves
public import HDKeys
package import Wallet

/// The extended public keys of an imported account. Other software with the same mnemonic derives the same addresses
/// from them.
public struct ImportedPublicKeys: Equatable, Sendable {
    /// The account's keys, by the chain that they are used on.
    public enum Account: Equatable, Sendable {
        /// The keys of BIP-86 and BIP-84, for P2TR and P2WPKH. They are the Schnorr key and the ECDSA key of a wallet.
        case bitcoin(taproot: ExtendedPublicKey, segwit: ExtendedPublicKey)
        /// The key of BIP-44. It is the ECDSA key of a wallet.
        case ethereum(ExtendedPublicKey)
    }

    /// The keys.
    public let account: Account
    /// The fingerprint of the mnemonic's master key, which other software names in a PSBT.
    public let master: KeyFingerprint

    init(_ account: Account, master: KeyFingerprint) {
        self.account = account
        self.master = master
    }

    /// The chain that the keys are used on: `bitcoin` or `ethereum`.
    public var chain: String {
        switch account {
        case .bitcoin: "bitcoin"
        case .ethereum: "ethereum"
        }
    }

    /// Returns the account's paths below the master key: `m/86'/0'/0'` and `m/84'/0'/0'`, or `m/44'/60'/0'`.
    ///
    /// - Throws: `HDKeyError.badPath`, which cannot happen for keys that were read or imported.
    public func templates(on network: Network) throws(HDKeyError) -> [AccountTemplate] {
        switch account {
        case .bitcoin(let taproot, let segwit):
            [
                try .bitcoin(.taproot, on: network, account: Self.number(of: taproot)),
                try .bitcoin(.segwit, on: network, account: Self.number(of: segwit)),
            ]
        case .ethereum(let key): [try .ethereum(account: Self.number(of: key))]
        }
    }

    private static func number(of key: ExtendedPublicKey) -> UInt32 { key.childNumber & ~hardened }

    private static let hardened: UInt32 = 1 << 31
    /// The depth of an account below the master key (BIP-44).
    private static let depth: UInt8 = 3

    /// Returns whether a wallet's shares are for these keys.
    package func fit(schnorr: Secp256k1.Point, ecdsa: Secp256k1.Point) -> Bool {
        switch account {
        case .bitcoin(let taproot, let segwit): taproot.point == schnorr && segwit.point == ecdsa
        case .ethereum(let key): key.point == ecdsa
        }
    }

    /// Returns the wallet's accounts. Keys that are not imported derive as in every other wallet.
    ///
    /// - Throws: ``HDKeyError/badKey`` if these are other keys than the wallet has shares of.
    package func accounts(
        schnorr: Secp256k1.Point, ecdsa: Secp256k1.Point, on network: Network
    ) throws(HDKeyError) -> Accounts {
        guard fit(schnorr: schnorr, ecdsa: ecdsa) else { throw .badKey }
        let origins = try templates(on: network).map { AccountOrigin(master: master, template: $0) }
        switch account {
        case .bitcoin(let taproot, let segwit):
            return try Accounts(
                taproot: TaprootAccount(key: taproot, network: network, origin: origins.first),
                segwit: SegwitAccount(key: segwit, network: network, origin: origins.last),
                ethereum: EthereumAccounts(groupKey: ecdsa))
        case .ethereum(let key):
            return try Accounts(
                taproot: TaprootAccount(groupKey: schnorr, network: network),
                segwit: SegwitAccount(groupKey: ecdsa, network: network),
                ethereum: EthereumAccounts(key: key, template: .ethereum(account: Self.number(of: key))))
        }
    }
}

// MARK: - Text

extension ImportedPublicKeys {
    private enum Name {
        static let chain = "chain"
        static let master = "master"
        static let taproot = "taproot"
        static let segwit = "segwit"
        static let ethereum = "ethereum"
    }

    /// Returns the extended keys by their names in wallet descriptions: `xpub…`, or `tpub…`.
    package func texts(on network: Network) -> [String: String] {
        var texts = [Name.chain: chain, Name.master: master.description]
        switch account {
        case .bitcoin(let taproot, let segwit):
            texts[Name.taproot] = taproot.text(on: network)
            texts[Name.segwit] = segwit.text(on: network)
        case .ethereum(let key):
            texts[Name.ethereum] = key.text(on: network)
        }
        return texts
    }

    /// Reads exactly the form of ``texts(on:)``: keys of the network, each of an account, and with the same account
    /// number.
    package init?(texts: [String: String], on network: Network) {
        func key(_ name: String) -> ExtendedPublicKey? {
            guard let key = texts[name].flatMap({ try? ExtendedPublicKey($0, on: network) }), key.depth == Self.depth,
                key.childNumber >= Self.hardened
            else { return nil }
            return key
        }
        guard let master = texts[Name.master].flatMap({ KeyFingerprint($0) }) else { return nil }
        switch texts[Name.chain] {
        case "bitcoin":
            guard let taproot = key(Name.taproot), let segwit = key(Name.segwit),
                taproot.childNumber == segwit.childNumber
            else { return nil }
            self.init(.bitcoin(taproot: taproot, segwit: segwit), master: master)
        case "ethereum":
            guard let key = key(Name.ethereum) else { return nil }
            self.init(.ethereum(key), master: master)
        default: return nil
        }
        // Other members or forms are refused.
        guard self.texts(on: network) == texts else { return nil }
    }

    /// The bytes that the wallet's id covers: another chain code is another wallet. The same on every network.
    package var encoded: [UInt8] {
        MessageList.encode(
            texts(on: .mainnet).sorted { $0.key < $1.key }.flatMap { [Array($0.key.utf8), Array($0.value.utf8)] })
    }
}
