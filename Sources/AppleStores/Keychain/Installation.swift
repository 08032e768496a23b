internal import Encoding
public import Secrets
public import SecureStorage

/// The number of one installation of an app: 16 random bytes.
///
/// The keychain of a phone survives the removal of the app, while the app's files do not. An installation therefore
/// draws a number at its first run, keeps it in a file, and marks its items with it.
public struct InstallationID: Hashable, Sendable {
    static let size = 16
    let bytes: [UInt8]

    /// Draws a number.
    public init(from random: some RandomSource) { bytes = random.publicBytes(count: Self.size) }

    init(from reader: inout ByteReader) throws(EncodingError) { bytes = [UInt8](try reader.bytes(Self.size)) }
}

/// The installations whose items a store uses: its own and those that it adopted.
public struct Installation: Equatable, Sendable {
    /// The installation that marks new items.
    public let current: InstallationID
    /// Earlier installations whose items belong to this one too: see ``KeychainStore/adopt(_:)``.
    public let adopted: [InstallationID]

    /// Creates the installation of a first run.
    public init(_ current: InstallationID) {
        self.current = current
        adopted = []
    }

    private init(_ current: InstallationID, adopted: [InstallationID]) {
        self.current = current
        self.adopted = adopted
    }

    func owns(_ id: InstallationID) -> Bool { id == current || adopted.contains(id) }

    func adopting(_ id: InstallationID) throws(SecureStorageError) -> Installation {
        guard !owns(id) else { return self }
        guard adopted.count < AppleLimits.adoptedInstallations else { throw .outsideLimits(.itemCount) }
        return Installation(current, adopted: adopted + [id])
    }
}

extension Installation {
    private static let magic = [UInt8]("FuekiIns".utf8)
    private static let version: UInt8 = 1
    static let limit = 8 + 2 + (1 + AppleLimits.adoptedInstallations) * InstallationID.size

    /// The encoding: `FuekiIns`, a version (1), the number of adopted installations, the current one and the adopted.
    var encoded: [UInt8] {
        Self.magic + [Self.version, UInt8(adopted.count)] + current.bytes + adopted.flatMap(\.bytes)
    }

    /// Reads the encoding.
    init(decoding bytes: some Collection<UInt8>) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Self.limit)
        guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic), try reader.uint8() == Self.version else {
            throw .unsupported
        }
        let count = Int(try reader.uint8())
        guard count <= AppleLimits.adoptedInstallations else { throw .tooLong(limit: AppleLimits.adoptedInstallations) }
        current = try InstallationID(from: &reader)
        var adopted: [InstallationID] = []
        for _ in 0..<count {
            let id = try InstallationID(from: &reader)
            guard id != current, !adopted.contains(id) else { throw .notCanonical }
            adopted.append(id)
        }
        self.adopted = adopted
        try reader.finish()
    }
}

/// Items in the keychain that an earlier installation of the app left there. The store neither uses nor removes them
/// by itself.
public struct EarlierInstallation: Equatable, Sendable {
    /// The installation.
    public let id: InstallationID
    /// The names of its items, in order.
    public let names: [ItemName]

    init(id: InstallationID, names: [ItemName]) {
        self.id = id
        self.names = names
    }
}
