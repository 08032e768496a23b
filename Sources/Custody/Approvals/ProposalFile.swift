public import Ceremonies
public import Curves
internal import Encoding
public import HDKeys
internal import Threshold
public import Wallet

/// What waits for an approval, as it goes to who approves: the exact bytes to be signed, and the wallet's public keys.
///
/// With these anybody works out what signing does, and the digest that an approval signs. Nothing has to be believed: a file with
/// false keys, which would show somebody else's address as change, has another digest, and what is approved by it approves
/// nothing else ([format](../../../docs/formats/policy.md)).
public struct ProposalFile: Equatable, Sendable {
    /// As the file says.
    public let wallet: WalletName
    /// The network of the wallet's Bitcoin.
    public let network: Network
    /// The keys of the wallet, as the file says: Schnorr and ECDSA.
    public let schnorr, ecdsa: Secp256k1.Point
    /// What the wallet was imported with, as the file says.
    public let imported: ImportedPublicKeys?
    /// What is to be signed, with all that its meaning follows from.
    public let payload: SigningPayload

    /// Creates the file of a payload that a wallet is to sign.
    public init(_ payload: SigningPayload, of wallet: WalletRecord) {
        self.wallet = wallet.name
        network = wallet.network
        schnorr = wallet.keys.schnorr.publicKey
        ecdsa = wallet.keys.ecdsa.publicKey
        imported = wallet.imported
        self.payload = payload
    }

    /// The accounts of those keys.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for keys that have none, or that are not those which the wallet was imported with.
    public var accounts: Accounts {
        get throws(CustodyError) {
            do { return try Accounts(schnorr: schnorr, ecdsa: ecdsa, on: network, imported: imported) } catch {
                throw .key(error)
            }
        }
    }

    /// The members of the first version; the second has one more, of a wallet that was imported.
    private static let members = ["version", "wallet", "network", "schnorr_key", "ecdsa_key", "payload"]
    private static let importedMember = "imported"

    /// Whether a file says of itself that it is one: what else is JSON is none.
    public static func isOne(_ file: [UInt8]) -> Bool {
        guard file.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return false }
        return (try? JSON(decoding: file, limit: Limits.proposalFileSize))?["payload"] != nil
    }

    /// Reads a file.
    ///
    /// - Throws: ``CustodyError/badProposal``; ``CustodyError/wallet(_:)`` for what is wrong with what is to be signed.
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

    /// The file: JSON in one line.
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
