public import Ceremonies
internal import Curves
internal import Encoding
public import SecureStorage

/// The public data of one share. The share itself is in the encrypted file at `path`.
public struct ShareRecord: Equatable, Sendable, Codable {
    /// The meaning of a share, which alone is 32 bytes.
    public struct Metadata: Equatable, Sendable, Codable {
        /// The threshold: how many shares it takes to sign.
        public let threshold: Int
        /// The number of shares.
        public let total: Int
        /// The keys whose shares the file has.
        public let purposes: [WalletKeyPurpose]
        /// The epoch: how often the shares were renewed. Shares of different epochs never work together.
        public let epoch: Int
    }

    /// The share's id in hexadecimal, unique to the wallet, the index and the epoch.
    public let id: String
    /// The x coordinate of the share, 1 to 15.
    public let index: Int
    /// The share's place: this machine, the backup, the recovery, or a further one.
    public let location: ShareLocation
    /// The path of the share file.
    public let path: String
    /// Seconds since 1970.
    public let createdAt: Int64
    /// The meaning of the share.
    public let metadata: Metadata
    /// The chip that the file needs besides the passphrase; nil for none. Only the share of this machine can have one.
    public let device: StoreBackend?

    enum CodingKeys: String, CodingKey {
        case id, index, location, path, metadata, device
        case createdAt = "created_at"
    }

    /// Returns whether the path is acceptable. Paths are printed, so one must not move the cursor over earlier output.
    static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Returns the same share with another path.
    func at(_ path: String) -> ShareRecord {
        ShareRecord(
            id: id, index: index, location: location, path: path, createdAt: createdAt, metadata: metadata,
            device: device)
    }

    /// Whether a chip can be recorded for the share.
    var hasPossibleDevice: Bool {
        switch device {
        case nil: true
        case .tpm, .secureEnclave: location == .device
        default: false
        }
    }

    /// Returns the id of a share: 64 hexadecimal digits, the tagged hash of the wallet's id, the index and the epoch.
    static func id(wallet: [UInt8], index: Int, epoch: Int) -> String {
        var writer = ByteWriter()
        writer.append(wallet)
        writer.append(UInt8(index))
        writer.bigEndian(UInt32(epoch))
        return Hex.encode(BIP340.taggedHash("Fueki/share", writer.bytes))
    }
}
