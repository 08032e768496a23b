public import Curves
internal import Encoding
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
    public let network: Network
    /// The keys of the wallet, as the file says: Schnorr and ECDSA.
    public let schnorr, ecdsa: Secp256k1.Point
    public let payload: SigningPayload

    public init(_ payload: SigningPayload, of wallet: WalletRecord) {
        self.wallet = wallet.name
        network = wallet.network
        schnorr = wallet.keys.schnorr.publicKey
        ecdsa = wallet.keys.ecdsa.publicKey
        self.payload = payload
    }

    /// The accounts of those keys.
    ///
    /// - Throws: ``CustodyError/wallet(_:)`` for keys that have none.
    public var accounts: Accounts {
        get throws(CustodyError) {
            do throws(WalletError) {
                return try Accounts(
                    taproot: TaprootAccount(groupKey: schnorr, network: network),
                    segwit: SegwitAccount(groupKey: ecdsa, network: network),
                    ethereum: EthereumAccounts(groupKey: ecdsa))
            } catch { throw .wallet(error) }
        }
    }

    private static let members = ["version", "wallet", "network", "schnorr_key", "ecdsa_key", "payload"]

    /// Whether a file says of itself that it is one: what else is JSON is none.
    public static func isOne(_ file: [UInt8]) -> Bool {
        guard file.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return false }
        return (try? JSON(decoding: file, limit: Limits.proposalFileSize))?["payload"] != nil
    }

    /// Reads a file.
    ///
    /// - Throws: ``CustodyError/badProposal``; ``CustodyError/wallet(_:)`` for what is wrong with what is to be signed.
    public init(file: [UInt8]) throws(CustodyError) {
        guard let json = try? JSON(decoding: file, limit: Limits.proposalFileSize), json.object?.names == Self.members,
            json["version"]?.number?.text == "1", let name = json["wallet"]?.string,
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
        do { payload = try SigningPayload(decoding: bytes) } catch { throw .wallet(error) }
    }

    /// The file: JSON in one line.
    public var file: [UInt8] {
        let json: JSON = [
            "version": 1, "wallet": .string(wallet.description), "network": .string(network.name),
            "schnorr_key": .string(Hex.encode(schnorr.encoded)), "ecdsa_key": .string(Hex.encode(ecdsa.encoded)),
            "payload": .string(Base64.encode(payload.encoded)),
        ]
        return json.encoded + [0x0A]
    }
}
