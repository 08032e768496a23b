internal import Crypto
internal import Files
public import Secrets

/// Values in a file that is sealed with AES-256-GCM under a key in a ``SecretStore``: balances, trade history, what a
/// user owns. The compiler accepts keys of ``SensitiveData`` and ``InternalData`` only.
///
/// The values are in ordinary memory while an app uses them. A program of the same user can put back an older version
/// of the file; it can neither read nor change one. docs/formats/values.md describes the file.
public actor SealedFile {
    private let file: ValueFile

    /// Opens the file at `path`, which need not exist, in an existing folder.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - name: the name of its key in the store: one for each file.
    ///   - store: the store of the key. A new file gets a new key, which is stored before the file is made.
    ///   - random: the source of the key, and of a salt for each write.
    /// - Throws: ``SecureStorageError/keyMissing`` if the file exists and the store does not have its key, and the
    ///   store's errors.
    public init(
        at path: String, keyName name: ItemName, in store: some SecretStore, random: some RandomSource
    ) async throws(SecureStorageError) {
        let key = Key(try await Self.key(name, in: store, forFileAt: path, random: random))
        file = ValueFile(
            path: path,
            encode: { table in Self.encode(table, under: key, salt: random.publicBytes(count: Sealing.saltSize)) },
            decode: { (bytes) throws(SecureStorageError) in try Self.decode(bytes, under: key) })
        _ = try file.read()
    }

    /// Returns the value of a key; nil if the file does not have it.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the value is larger than the key allows, and the errors of
    ///   reading.
    public func value<Class: AllowedInSealedFile>(_ key: DataKey<Class>) throws(SecureStorageError) -> [UInt8]? {
        try file.value(key)
    }

    /// Sets the value of a key, or removes it with nil. When it returns, the value is stored durably.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if the value is larger than the key allows;
    ///   ``SecureStorageError/lockedByAnother(processID:)``, and the errors of writing: the earlier value remains.
    public func set<Class: AllowedInSealedFile>(
        _ value: [UInt8]?, for key: DataKey<Class>
    ) throws(SecureStorageError) {
        try file.set(value, for: key)
    }

    // MARK: - Sealing

    /// The file's key, shared by the two closures.
    private final class Key: Sendable {
        let secret: SecretBytes
        init(_ secret: consuming SecretBytes) { self.secret = secret }
    }

    private static func key(
        _ name: ItemName, in store: some SecretStore, forFileAt path: String, random: some RandomSource
    ) async throws(SecureStorageError) -> SecretBytes {
        if let key = try await store.load(name) {
            guard key.count == Sealing.keySize else { throw .wrongKind }
            return key
        }
        let location = try onDisk(FileLocation(path))
        // A new key would not open the file.
        guard try !onDisk(Folder(at: location.folder)).contains(location.name) else { throw .keyMissing }
        let key = SecretBytes(count: Sealing.keySize, from: random)
        try await store.save(key, as: name, attributes: .sensitive(.other))
        return key
    }

    private static let header = [UInt8]("FuekiSealedFile".utf8) + [1]

    private static func encode(_ table: ValueTable, under key: Key, salt: [UInt8]) -> [UInt8] {
        let sealed = table.encoded.withUnsafeBytes {
            Sealing.seal(
                $0, key: Sealing.key(from: key.secret, salt: salt, purpose: Purpose.values), bindingTo: header)
        }
        return header + salt + sealed
    }

    private static func decode(_ bytes: [UInt8], under key: Key) throws(SecureStorageError) -> ValueTable {
        guard bytes.starts(with: header) else { throw .wrongKind }
        let rest = bytes.dropFirst(header.count)
        guard rest.count >= Sealing.saltSize + Sealing.overhead else { throw .truncated }
        let salt = [UInt8](rest.prefix(Sealing.saltSize))
        guard
            let content = Sealing.open(
                rest.dropFirst(Sealing.saltSize),
                key: Sealing.key(from: key.secret, salt: salt, purpose: Purpose.values), bindingTo: header)
        else { throw .tampered(.item) }
        let table = content.withUnsafeBytes { try? ValueTable(decoding: ArraySlice($0)) }
        guard let table else { throw .damaged }
        return table
    }
}
