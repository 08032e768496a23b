/// Values in a file that only its owner can read: settings of an app, and public data. The compiler accepts keys of
/// ``InternalData`` and ``PublicData`` only.
///
/// A checksum detects faults of the medium; a program of the same user can change the values. docs/formats/values.md
/// describes the file.
public actor PlainFile {
    private let file: ValueFile

    /// Opens the file at `path`, which need not exist, in an existing folder.
    public init(at path: String) {
        file = ValueFile(path: path, encode: Self.encode, decode: Self.decode)
    }

    /// Returns the value of a key; nil if the file does not have it.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the value is larger than the key allows, and the errors of
    ///   reading.
    public func value<Class: AllowedInPlainFile>(_ key: DataKey<Class>) throws(SecureStorageError) -> [UInt8]? {
        try file.value(key)
    }

    /// Sets the value of a key, or removes it with nil. When it returns, the value is stored durably.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` if the value is larger than the key allows;
    ///   ``SecureStorageError/lockedByAnother(processID:)``, and the errors of writing: the earlier value remains.
    public func set<Class: AllowedInPlainFile>(
        _ value: [UInt8]?, for key: DataKey<Class>
    ) throws(SecureStorageError) {
        try file.set(value, for: key)
    }

    private static let header = [UInt8]("FuekiPlainValues".utf8) + [1]

    private static func encode(_ table: ValueTable) -> [UInt8] {
        let content = table.encoded
        return header + Sealing.digest(of: content) + content
    }

    private static func decode(_ bytes: [UInt8]) throws(SecureStorageError) -> ValueTable {
        guard bytes.starts(with: header) else { throw .wrongKind }
        let rest = bytes.dropFirst(header.count)
        let content = rest.dropFirst(32)
        guard rest.count >= 32, Sealing.digest(of: content) == [UInt8](rest.prefix(32)),
            let table = try? ValueTable(decoding: content)
        else { throw .damaged }
        return table
    }
}
