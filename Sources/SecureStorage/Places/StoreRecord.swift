/// The recorded place of a store: which backend, and which namespace in it. It contains no secret.
public struct StoreRecord: Equatable, Sendable {
    /// The backend.
    public let backend: StoreBackend
    /// The namespace in a store that is shared with other programs; it also distinguishes vault files of different times.
    public let namespace: StoreNamespace

    /// Creates a record.
    public init(_ backend: StoreBackend, namespace: StoreNamespace) {
        self.backend = backend
        self.namespace = namespace
    }
}

extension StoreRecord? {
    /// The backend; a folder without a record has the first vault file.
    var backend: StoreBackend { self?.backend ?? .vault }
}

/// The state of a migration between two places. See ``StoreHome``.
public struct StoreMigration: Equatable, Sendable {
    /// The place that is left; nil for the vault file that a folder without a record has.
    public let source: StoreRecord?
    /// The place to which the items go.
    public let destination: StoreRecord
    /// Whether the destination became the current place.
    public let isSwitched: Bool

    /// The backend of the place that is left.
    public var sourceBackend: StoreBackend { source.backend }

    init(source: StoreRecord?, destination: StoreRecord, isSwitched: Bool = false) {
        self.source = source
        self.destination = destination
        self.isSwitched = isSwitched
    }

    /// The same migration after the destination became the current place.
    var switched: StoreMigration { StoreMigration(source: source, destination: destination, isSwitched: true) }
}

/// The bytes of records: lines of text.
///
///     fueki store 1
///     secret-service 0123456789abcdef
///
/// and, for a migration, the source and the destination in two lines after `fueki migration 1`, and a line `copying` or
/// `moved`; a source without a record is `-`.
extension StoreRecord {
    static let fileSize = 128
    private static let head = "fueki store 1"

    var line: String { "\(backend.rawValue) \(namespace)" }

    init?(line: Substring) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let backend = StoreBackend(rawValue: String(words[0])), backend.canKeepStores,
            let namespace = StoreNamespace(words[1])
        else { return nil }
        self.init(backend, namespace: namespace)
    }

    var encoded: [UInt8] { Array("\(Self.head)\n\(line)\n".utf8) }

    init(decoding bytes: [UInt8]) throws(SecureStorageError) {
        guard let lines = Self.lines(of: bytes, count: 2), lines[0] == Self.head, let record = Self(line: lines[1])
        else { throw .migration(.damagedRecord) }
        self = record
    }

    /// Returns exactly so many lines, each with its end; nil for anything else.
    static func lines(of bytes: [UInt8], count: Int) -> [Substring]? {
        guard bytes.count <= fileSize, bytes.allSatisfy({ $0 == 0x0A || (0x20...0x7E).contains($0) }) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == count + 1, lines.last == "" else { return nil }
        return lines.dropLast()
    }
}

extension StoreMigration {
    private static let head = "fueki migration 1"

    var encoded: [UInt8] {
        Array("\(Self.head)\n\(source?.line ?? "-")\n\(destination.line)\n\(isSwitched ? "moved" : "copying")\n".utf8)
    }

    init(decoding bytes: [UInt8]) throws(SecureStorageError) {
        guard let lines = StoreRecord.lines(of: bytes, count: 4), lines[0] == Self.head,
            let destination = StoreRecord(line: lines[2]), lines[3] == "moved" || lines[3] == "copying"
        else { throw .migration(.damagedRecord) }
        let source = StoreRecord(line: lines[1])
        // A confirmation deletes the source: it must not be the destination.
        guard source != nil || lines[1] == "-", source != destination else { throw .migration(.damagedRecord) }
        self.init(source: source, destination: destination, isSwitched: lines[3] == "moved")
    }
}

extension StoreBackend {
    /// Whether an app's credentials can be kept there.
    var canKeepStores: Bool {
        switch self {
        case .vault, .tpm, .secretService, .keychain, .secureEnclave: true
        case .kernelKeyring, .memory, .software: false
        }
    }
}
