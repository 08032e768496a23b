public import Ceremonies
public import Curves
public import Custody
internal import Encoding
public import HDKeys
internal import Threshold
public import Wallet

/// A proposal that waits for an approval, as it is sent to an approver: the exact bytes to be signed, and the wallet's
/// public keys.
///
/// From these the approver's program computes what signing does, and the digest that an approval signs. The file needs
/// no trust: a file with false keys, which would show a stranger's address as change, has another digest, and its
/// approval counts for nothing else ([format](../../../docs/formats/policy.md)).
public struct ProposalFile: Equatable, Sendable {
    /// The wallet's name, as the file says.
    public let wallet: WalletName
    /// The wallet's Bitcoin network.
    public let network: Network
    /// The wallet's Schnorr and ECDSA group keys, as the file says.
    public let schnorr, ecdsa: Secp256k1.Point
    /// The extended public keys of an imported wallet, as the file says; nil for a wallet that was not imported.
    public let imported: ImportedPublicKeys?
    /// The payload to be signed, with everything that its meaning depends on.
    public let payload: SigningPayload

    /// Makes the file for a payload that a wallet is to sign.
    public init(_ payload: SigningPayload, of wallet: WalletRecord) {
        self.wallet = wallet.name
        network = wallet.network
        schnorr = wallet.keys.schnorr.publicKey
        ecdsa = wallet.keys.ecdsa.publicKey
        imported = wallet.imported
        self.payload = payload
    }

    /// The accounts of these keys.
    ///
    /// - Throws: `CustodyError.wallet(_:)` for keys that have no accounts, or that are not the keys that the wallet
    ///   was imported with.
    public var accounts: Accounts {
        get throws(CustodyError) {
            do { return try Accounts(schnorr: schnorr, ecdsa: ecdsa, on: network, imported: imported) } catch {
                throw .key(error)
            }
        }
    }

    /// The members of version 1. Version 2 has one more, for an imported wallet.
    private static let members = ["version", "wallet", "network", "schnorr_key", "ecdsa_key", "payload"]
    private static let importedMember = "imported"

    /// Returns whether a file claims to be a proposal file. Any other JSON is not.
    public static func isOne(_ file: [UInt8]) -> Bool {
        guard file.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return false }
        return (try? JSON(decoding: file, limit: Limits.proposalFileSize))?["payload"] != nil
    }

    /// Reads a file.
    ///
    /// - Throws: `CustodyError.badProposal`; `CustodyError.wallet(_:)` if the payload is invalid.
    public init(file: [UInt8]) throws(CustodyError) {
        guard let json = try? JSON(decoding: file, limit: Limits.proposalFileSize), Self.isVersion(json),
            let name = json["wallet"]?.string,
            let wallet = try? WalletName(name), let network = json["network"]?.string.flatMap({ Network(name: $0) }),
            let text = json["payload"]?.string, let bytes = try? Base64.decode(text)
        else { throw .badProposal }
        func key(_ name: String) throws(CustodyError) -> Secp256k1.Point {
            guard let bytes = json[name]?.string.flatMap({ try? Hex.decode($0) }),
                let point = try? Secp256k1.Point(encoded: bytes)
            else { throw .badProposal }
            return point
        }
        self.wallet = wallet
        self.network = network
        schnorr = try key("schnorr_key")
        ecdsa = try key("ecdsa_key")
        imported = try json[Self.importedMember].map { member throws(CustodyError) in
            try Self.imported(member, on: network)
        }
        do { payload = try SigningPayload(decoding: bytes) } catch { throw .wallet(error) }
    }

    private static func isVersion(_ json: JSON) -> Bool {
        switch json["version"]?.number?.text {
        case "1": json.object?.names == members
        case "2": json.object?.names == members + [importedMember]
        default: false
        }
    }

    private static func imported(_ json: JSON, on network: Network) throws(CustodyError) -> ImportedPublicKeys {
        guard let members = json.object?.members else { throw .badProposal }
        var texts: [String: String] = [:]
        for member in members { texts[member.name] = member.value.string }
        guard texts.count == members.count, let imported = ImportedPublicKeys(texts: texts, on: network) else {
            throw .badProposal
        }
        return imported
    }

    /// The encoded file: JSON in one line.
    public var file: [UInt8] {
        let version: JSON = imported == nil ? 1 : 2
        var members: [(String, JSON)] = [
            ("version", version), ("wallet", .string(wallet.description)), ("network", .string(network.name)),
            ("schnorr_key", .string(Hex.encode(schnorr.encoded))), ("ecdsa_key", .string(Hex.encode(ecdsa.encoded))),
            ("payload", .string(Base64.encode(payload.encoded))),
        ]
        if let imported {
            let texts = imported.texts(on: network).sorted { $0.key < $1.key }
            members.append((Self.importedMember, Self.object(texts.map { ($0.key, .string($0.value)) })))
        }
        return Self.object(members).encoded + [0x0A]
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        guard let object = try? JSON.Object(members.map { JSON.Object.Member(name: $0.0, value: $0.1) }) else {
            preconditionFailure("no name is there twice")
        }
        return .object(object)
    }
}
