public import Bitcoin
public import Ceremonies
internal import Curves
internal import Encoding
internal import Foundation
public import HDKeys
public import Threshold
public import Wallet

/// The public description of a wallet: everything but the shares. It suffices to watch, to derive addresses and to
/// inspect transactions. Every share file contains a copy.
public struct WalletRecord: Equatable, Sendable {
    /// The name, by which its files are found.
    public let name: WalletName
    /// The wallet's Bitcoin network.
    public let network: Network
    /// Seconds since 1970.
    public let createdAt: Int64
    /// The epoch: how often the shares were renewed.
    public let epoch: Int
    /// The public parts of the keys. The keys themselves stay when the shares are renewed.
    public let keys: GroupKeys
    /// For an imported wallet, the extended public keys that its addresses derive from, in place of BIP-328's.
    public let imported: ImportedPublicKeys?
    /// All shares, in the order of their indices.
    public let shares: [ShareRecord]

    /// The threshold and the number of shares.
    public var parameters: ThresholdParameters { keys.parameters }

    /// The identity of the wallet, 32 bytes: the tagged hash of its public keys, and of an imported wallet's extended
    /// keys. A renewal does not change it.
    public var walletID: [UInt8] { Self.walletID(of: keys, imported: imported) }

    static func walletID(of keys: GroupKeys, imported: ImportedPublicKeys?) -> [UInt8] {
        let list = keys.publicKeys.encoded
        guard let imported else { return BIP340.taggedHash("Fueki/wallet", list) }
        return BIP340.taggedHash("Fueki/imported-wallet", list + imported.encoded)
    }

    /// The wallet's taproot addresses and the transactions that spend from them.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` if the key has no addresses, which no honest key generation produces.
    public var account: TaprootAccount {
        get throws(CustodyError) { try accounts.taproot }
    }

    /// The wallet's addresses of every type.
    ///
    /// - Throws: as ``account``.
    public var accounts: Accounts {
        get throws(CustodyError) { do { return try walletKeys.accounts } catch { throw .key(error) } }
    }

    /// The keys that the accounts derive from, in the form that a ceremony needs.
    public var walletKeys: WalletKeys { WalletKeys(keys, on: network, imported: imported) }

    /// The shares, those last that need a chip: there a wrong passphrase costs an attempt.
    package var sharesWithChipsLast: [ShareRecord] {
        shares.filter { $0.device == nil } + shares.filter { $0.device != nil }
    }

    /// Returns the record of the share in this place.
    ///
    /// - Throws: ``CustodyError/noSuchShare(name:)``.
    public func share(at location: ShareLocation) throws(CustodyError) -> ShareRecord {
        guard let share = shares.first(where: { $0.location == location }) else {
            throw .noSuchShare(name: location.name)
        }
        return share
    }
}

// MARK: - Places

extension WalletRecord {
    /// Returns the same wallet with some of its shares in other places.
    func with(sharesAt paths: [ShareLocation: String]) -> WalletRecord {
        WalletRecord(
            name: name, network: network, createdAt: createdAt, epoch: epoch, keys: keys, imported: imported,
            shares: shares.map { $0.at(paths[$0.location] ?? $0.path) })
    }

    /// Returns whether both describe the same keys with other shares: of different epochs, or of two renewals on two
    /// machines.
    func isOtherRenewal(of other: WalletRecord) -> Bool {
        name == other.name && network == other.network && createdAt == other.createdAt
            && keys.isSameKeys(as: other.keys) && imported == other.imported
            && (epoch != other.epoch || keys != other.keys)
    }

    /// Returns whether both describe the same wallet, wherever its shares are.
    public func isSameWallet(as other: WalletRecord) -> Bool {
        let paths = shares.map { ($0.location, $0.path) }
        return self == other.with(sharesAt: Dictionary(paths) { first, _ in first })
    }
}

// MARK: - JSON

extension WalletRecord {
    private struct JSON: Codable {
        let format: Int
        let name: String
        let network: String
        let created_at: Int64
        let epoch: Int
        let keys: [String: String]
        let imported: [String: String]?
        let shares: [ShareRecord]
        /// The vault id of each share file, in hexadecimal by the name of its place: what the creation of the wallet made.
        let vaults: [String: String]?
    }

    private static let format = 2
    /// The format of imported wallets. A program that knows only the other format would show addresses that are not the
    /// wallet's.
    private static let importedFormat = 3

    /// The record as JSON with sorted keys.
    public var encoded: [UInt8] {
        get throws { try encoded(with: nil) }
    }

    /// Returns the record as JSON with the vault ids of the share files, which are no part of the record.
    func encoded(with vaults: [ShareLocation: [UInt8]]?) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = JSON(
            format: imported == nil ? Self.format : Self.importedFormat, name: name.description,
            network: network.name,
            created_at: createdAt, epoch: epoch, keys: Self.names(keys.encoded),
            imported: imported?.texts(on: network), shares: shares,
            vaults: vaults.map { ids in
                Dictionary(ids.map { ($0.key.name, Hex.encode($0.value)) }) { first, _ in first }
            })
        return Array(try encoder.encode(json)) + [0x0A]
    }

    /// Returns the vault ids in a record; none if it has no valid ones.
    static func vaults(in bytes: [UInt8]) -> [ShareLocation: [UInt8]] {
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return [:] }
        var vaults: [ShareLocation: [UInt8]] = [:]
        for (name, digits) in json.vaults ?? [:] {
            guard let location = ShareLocation(name[...]), let id = try? Hex.decode(digits) else { return [:] }
            vaults[location] = id
        }
        return vaults
    }

    /// Reads a record and checks that its parts agree with each other.
    ///
    /// - Parameter expected: the name that it must have; nil for any.
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``.
    public init(decoding bytes: [UInt8], name expected: WalletName?) throws(CustodyError) {
        func damaged(_ reason: String) -> CustodyError {
            .damagedWallet(name: expected?.description ?? "", reason: reason)
        }

        guard bytes.count <= Limits.walletRecordSize else { throw damaged("it is too large") }
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else {
            throw damaged("it is not a wallet's description")
        }
        guard json.format == Self.format || json.format == Self.importedFormat else {
            throw damaged("its format \(json.format) is not known to this version")
        }
        guard let name = try? WalletName(json.name), name == expected ?? name else {
            throw damaged("it has another wallet's name")
        }
        guard let network = Network(name: json.network) else { throw damaged("its network is not known") }
        // The ids of shares contain the epoch as four bytes.
        guard UInt32(exactly: json.epoch) != nil else { throw damaged("its epoch is not possible") }
        guard let encoded = Self.byPurpose(json.keys), let keys = try? GroupKeys(decoding: encoded) else {
            throw damaged("its keys are not valid")
        }
        let imported = try Self.imported(json, network, keys, damaged)
        guard json.shares.map(\.index) == Array(1...keys.parameters.total) else {
            throw damaged("its list of shares is not complete")
        }
        let walletID = Self.walletID(of: keys, imported: imported)
        for share in json.shares {
            guard ShareRecord.isPath(share.path) else {
                throw damaged("the path of share \(share.index) is not a path")
            }
            guard share.location.index == share.index, share.metadata.epoch == json.epoch,
                share.metadata.threshold == keys.parameters.threshold, share.metadata.total == keys.parameters.total,
                share.metadata.purposes == WalletKeyPurpose.allCases, share.hasPossibleDevice
            else { throw damaged("the entry of share \(share.index) contradicts the wallet") }
            guard share.id == ShareRecord.id(wallet: walletID, index: share.index, epoch: json.epoch) else {
                throw damaged("the id of share \(share.index) is another wallet's")
            }
        }
        self.init(
            name: name, network: network, createdAt: json.created_at, epoch: json.epoch, keys: keys,
            imported: imported, shares: json.shares)
    }

    /// Returns the extended keys of an imported wallet. Only a description of that format has them.
    private static func imported(
        _ json: JSON, _ network: Network, _ keys: GroupKeys, _ damaged: (String) -> CustodyError
    ) throws(CustodyError) -> ImportedPublicKeys? {
        guard (json.imported != nil) == (json.format == importedFormat) else {
            throw damaged("its format \(json.format) and what it was imported with contradict each other")
        }
        guard let texts = json.imported else { return nil }
        guard let imported = ImportedPublicKeys(texts: texts, on: network) else {
            throw damaged("the extended keys that it was imported with are not valid")
        }
        guard imported.fit(schnorr: keys.schnorr.publicKey, ecdsa: keys.ecdsa.publicKey) else {
            throw damaged("the extended keys that it was imported with are not those of its shares")
        }
        return imported
    }

    /// Returns each key in hexadecimal, by the name of its purpose.
    private static func names(_ keys: PerWalletKey<[UInt8]>) -> [String: String] {
        Dictionary(zip(WalletKeyPurpose.allCases.map(\.rawValue), keys.all.map { Hex.encode($0) })) { first, _ in first
        }
    }

    private static func byPurpose(_ keys: [String: String]) -> PerWalletKey<[UInt8]>? {
        guard keys.count == WalletKeyPurpose.allCases.count else { return nil }
        func key(_ purpose: WalletKeyPurpose) -> [UInt8]? { keys[purpose.rawValue].flatMap { try? Hex.decode($0) } }
        guard let schnorr = key(.schnorr), let ecdsa = key(.ecdsa), let ed25519 = key(.ed25519) else { return nil }
        return PerWalletKey(schnorr: schnorr, ecdsa: ecdsa, ed25519: ed25519)
    }
}
