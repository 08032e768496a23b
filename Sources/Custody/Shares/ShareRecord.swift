public import Ceremonies
internal import Curves
internal import Encoding

/// What is known of one share without opening it. The share itself lies encrypted in the file at `path`.
public struct ShareRecord: Equatable, Sendable, Codable {
    /// What a share means: without these it is 32 bytes.
    public struct Metadata: Equatable, Sendable, Codable {
        /// How many shares sign.
        public let threshold: Int
        /// How many shares there are.
        public let total: Int
        /// The keys that there is a share of in it.
        public let purposes: [WalletKeyPurpose]
        /// How often the shares of this wallet were renewed. Shares of different epochs never work together.
        public let epoch: Int
    }

    /// Hexadecimal; unique to the wallet, the index and the epoch.
    public let id: String
    /// The x coordinate of the share, 1 to 15.
    public let index: Int
    /// Whose share it is: of this machine, the backup, the recovery, or another.
    public let location: ShareLocation
    /// The file that holds the encrypted share.
    public let path: String
    /// Seconds since 1970.
    public let createdAt: Int64
    /// What the share means.
    public let metadata: Metadata

    enum CodingKeys: String, CodingKey {
        case id, index, location, path, metadata
        case createdAt = "created_at"
    }

    /// Whether a share may lie there. A path is printed: it must not move the cursor over what was printed before.
    static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The same share in another place.
    func at(_ path: String) -> ShareRecord {
        ShareRecord(
            id: id, index: index, location: location, path: path, createdAt: createdAt, metadata: metadata)
    }

    /// The id of a share: 64 hexadecimal digits, the tagged hash of the wallet's id, the index and the epoch.
    static func id(wallet: [UInt8], index: Int, epoch: Int) -> String {
        var writer = ByteWriter()
        writer.append(wallet)
        writer.append(UInt8(index))
        writer.bigEndian(UInt32(epoch))
        return Hex.encode(BIP340.taggedHash("Fueki/share", writer.bytes))
    }
}
