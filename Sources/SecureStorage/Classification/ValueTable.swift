internal import Encoding

/// The values of a file, by name: the content of a ``SealedFile`` and of a ``PlainFile``. docs/formats/values.md
/// describes the encoding.
struct ValueTable: Equatable {
    private(set) var values: [ItemName: [UInt8]] = [:]

    init() {}

    /// Sets a value, or removes it with nil.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)`` for too many values, or too large a file.
    mutating func set(_ value: [UInt8]?, for name: ItemName) throws(SecureStorageError) {
        var after = values
        after[name] = value
        guard after.count <= Limits.itemCount else { throw .outsideLimits(.itemCount) }
        let size = after.reduce(0) { $0 + $1.key.encoded.count + 4 + $1.value.count }
        guard size <= Limits.valuesSize else { throw .outsideLimits(.fileSize) }
        values = after
    }

    /// The encoding: for each value, in the order of the names, the name, the value's length in four bytes, big-endian,
    /// and the value.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            writer.append(name.encoded)
            writer.bigEndian(UInt32(value.count))
            writer.append(value)
        }
        return writer.bytes
    }

    /// Reads the encoding.
    ///
    /// - Throws: ``EncodingError``, also for names that are invalid or not in ascending order.
    init(decoding bytes: ArraySlice<UInt8>) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Limits.valuesSize)
        var last: ItemName?
        while reader.remaining > 0 {
            let service = try Self.text(from: &reader)
            let account = try Self.text(from: &reader)
            guard let name = try? ItemName(service: service, account: account) else {
                throw .badCharacter(offset: reader.offset)
            }
            if let last, name <= last { throw .notCanonical }
            let count = try reader.bigEndian(UInt32.self)
            guard count <= Limits.itemSize, values.count < Limits.itemCount else {
                throw .tooLong(limit: Limits.itemSize)
            }
            values[name] = [UInt8](try reader.bytes(Int(count)))
            last = name
        }
    }

    private static func text(from reader: inout ByteReader) throws(EncodingError) -> String {
        let count = Int(try reader.uint8())
        return String(decoding: try reader.bytes(count), as: UTF8.self)
    }
}
