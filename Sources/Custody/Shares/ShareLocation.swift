/// The place of one share of a wallet, by the name that the user uses.
///
/// The first three shares of a wallet have fixed names; further ones are numbered.
public enum ShareLocation: Hashable, Sendable, Codable {
    /// This machine's own store: share 1.
    case device
    /// A share file in a folder that the user chooses: share 2.
    case backup
    /// A second share file: share 3. A guardian takes its place later.
    case recovery
    /// A further share file, for wallets of more than three shares.
    case further(index: Int)

    /// The place of the share with this index (1…15).
    public init(index: Int) {
        switch index {
        case 1: self = .device
        case 2: self = .backup
        case 3: self = .recovery
        default: self = .further(index: index)
        }
    }

    /// Reads `device`, `backup`, `recovery`, or `share-4` to `share-15`.
    public init?(_ name: some StringProtocol) {
        let known = (1...15).lazy.map(ShareLocation.init(index:)).first { $0.name == name }
        guard let known else { return nil }
        self = known
    }

    /// The x coordinate of the share, 1 to 15.
    public var index: Int {
        switch self {
        case .device: 1
        case .backup: 2
        case .recovery: 3
        case .further(let index): index
        }
    }

    /// The name as it is written in commands and files.
    public var name: String {
        switch self {
        case .device: "device"
        case .backup: "backup"
        case .recovery: "recovery"
        case .further(let index): "share-\(index)"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let location = ShareLocation(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no such place for a share")
        }
        self = location
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
