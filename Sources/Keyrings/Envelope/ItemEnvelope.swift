internal import Encoding
internal import Secrets
internal import SecureStorage

/// An item as it lies in a keyring: `docs/formats/secret-service.md`.
///
/// The keyring's own names and attributes can be changed by every program of the user. The envelope therefore repeats the
/// name, so that an item under another item's name is noticed, and has a checksum against accidents.
struct ItemEnvelope: ~Copyable, Sendable {
    let name: ItemName
    let attributes: ItemAttributes
    let secret: SecretBytes

    private static let magic = Array("FuekiItm".utf8)
    private static let version: UInt8 = 1
    private static let sizeBytes = 4
    /// The size of everything except the secret, with the longest names.
    static let overhead = magic.count + 1 + ItemAttributes.encodedSize + 2 * 256 + sizeBytes + Checksum.size

    init(_ secret: consuming SecretBytes, as name: ItemName, attributes: ItemAttributes) {
        self.name = name
        self.attributes = attributes
        self.secret = secret
    }

    /// The encoding, in guarded memory.
    var encoded: SecretBytes {
        let size = UInt32(secret.count)
        let header =
            Self.magic + [Self.version] + attributes.encoded + name.encoded
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
        return SecretBytes(count: header.count + secret.count + Checksum.size) { memory in
            memory.copyBytes(from: header)
            let body = UnsafeMutableRawBufferPointer(rebasing: memory.dropFirst(header.count))
            secret.withUnsafeBytes { body.copyMemory(from: $0) }
            let covered = UnsafeRawBufferPointer(rebasing: memory.dropLast(Checksum.size))
            let sum = Checksum.bytes(of: covered)
            UnsafeMutableRawBufferPointer(rebasing: memory.suffix(Checksum.size)).copyBytes(from: sum)
        }
    }

    /// Reads an envelope.
    ///
    /// - Parameter most: the largest secret.
    /// - Throws: `SecureStorageError.wrongKind` for bytes that are not an envelope,
    ///   `SecureStorageError.unsupportedVersion` for a later version, and `SecureStorageError.damaged` if the
    ///   checksum or a size does not fit.
    init(decoding bytes: UnsafeRawBufferPointer, upTo most: Int) throws(SecureStorageError) {
        guard bytes.count >= Self.magic.count + 1, bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else {
            throw .wrongKind
        }
        let version = bytes[Self.magic.count]
        guard version == Self.version else { throw .unsupportedVersion(UInt16(version)) }
        guard bytes.count <= most + Self.overhead, bytes.count > Checksum.size else { throw .damaged }
        let covered = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Checksum.size))
        guard bytes.suffix(Checksum.size).elementsEqual(Checksum.bytes(of: covered)) else { throw .damaged }

        var cursor = Cursor(rest: covered.dropFirst(Self.magic.count + 1))
        let attributes = try cursor.attributes()
        let name = try cursor.name()
        let size = try cursor.bytes(Self.sizeBytes).reduce(0) { $0 << 8 | Int($1) }
        let body = UnsafeRawBufferPointer(rebasing: cursor.rest)
        guard body.count == size, (1...most).contains(size) else { throw .damaged }
        self.init(SecretBytes(count: size) { $0.copyMemory(from: body) }, as: name, attributes: attributes)
    }

    /// Reads the envelope of an item. - Throws: `SecureStorageError.itemSwapped` if it belongs to another name, too.
    init(decoding bytes: UnsafeRawBufferPointer, as name: ItemName, upTo most: Int) throws(SecureStorageError) {
        let envelope = try ItemEnvelope(decoding: bytes, upTo: most)
        guard envelope.name == name else { throw .itemSwapped }
        self = envelope
    }

    /// Gives the secret away.
    consuming func opened() -> SecretBytes { secret }

    /// Returns whether both have the same content.
    borrowing func matches(_ other: borrowing ItemEnvelope) -> Bool {
        name == other.name && attributes == other.attributes && secret.matches(other.secret)
    }

    /// A position in the public part of an envelope. It copies no byte of the secret.
    private struct Cursor {
        var rest: Slice<UnsafeRawBufferPointer>

        mutating func bytes(_ count: Int) throws(SecureStorageError) -> [UInt8] {
            guard rest.count >= count else { throw .damaged }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }

        mutating func attributes() throws(SecureStorageError) -> ItemAttributes {
            let bytes = try bytes(ItemAttributes.encodedSize)
            do {
                var reader = try ByteReader(bytes, limit: bytes.count)
                return try ItemAttributes(from: &reader)
            } catch { throw .damaged }
        }

        mutating func name() throws(SecureStorageError) -> ItemName {
            let service = try part()
            let account = try part()
            do { return try ItemName(service: service, account: account) } catch { throw .damaged }
        }

        private mutating func part() throws(SecureStorageError) -> String {
            let count = try bytes(1).reduce(0) { $0 + Int($1) }
            guard let text = String(validating: try bytes(count), as: UTF8.self) else { throw .damaged }
            return text
        }
    }
}

extension ItemEnvelope {
    /// The encoding as text in Base64, in guarded memory: some services and their editors keep only text.
    var text: SecretBytes { GuardedBase64.encode(encoded) }

    /// Reads the text of an item's envelope.
    ///
    /// - Throws: as ``init(decoding:as:upTo:)``; text that is not Base64 is `SecureStorageError.wrongKind`.
    init(text: UnsafeRawBufferPointer, as name: ItemName, upTo most: Int) throws(SecureStorageError) {
        guard text.count <= (most + Self.overhead + 2) / 3 * 4, let bytes = GuardedBase64.decode(text) else {
            throw .wrongKind
        }
        self = try bytes.withUnsafeBytes { bytes throws(SecureStorageError) in
            try ItemEnvelope(decoding: bytes, as: name, upTo: most)
        }
    }
}

extension SecureStorageError {
    /// The error for an envelope that does not open: the faults of a vault file become those of an item of the backend.
    func ofItem(in backend: StoreBackend) -> SecureStorageError {
        switch self {
        case .damaged, .itemSwapped, .unsupportedVersion: .backend(backend, .damagedItem)
        default: self
        }
    }
}
