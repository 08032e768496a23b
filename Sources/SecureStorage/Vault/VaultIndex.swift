internal import Encoding

/// The table of items. It is sealed as a whole, so that a vault does not reveal what it contains.
struct VaultIndex: Equatable, Sendable {
    /// An item without its bytes: their size and digest bind the bytes to their place.
    struct Entry: Equatable, Sendable {
        let name: ItemName
        let attributes: ItemAttributes
        let generation: UInt64
        let salt: [UInt8]
        let sealedSize: Int
        let digest: [UInt8]
    }
    static let digestSize = 32

    let entries: [Entry]

    init(of items: some Sequence<SealedItem>) {
        entries = items.map {
            Entry(
                name: $0.name, attributes: $0.attributes, generation: $0.generation, salt: $0.salt,
                sealedSize: $0.sealed.count, digest: Sealing.digest(of: $0.sealed))
        }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 2 + entries.count * 128)
        writer.bigEndian(UInt16(entries.count))
        for entry in entries {
            writer.append(entry.name.encoded)
            writer.append(entry.attributes.encoded)
            writer.bigEndian(entry.generation)
            writer.append(entry.salt)
            writer.bigEndian(UInt32(entry.sealedSize))
            writer.append(entry.digest)
        }
        return writer.bytes
    }

    /// Reads a table, in ascending order of names, and not later than `generation`.
    init(decoding bytes: some Collection<UInt8>, upTo generation: UInt64) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: Limits.fileSize)
        let count = Int(try reader.bigEndian(UInt16.self))
        guard count <= Limits.itemCount else { throw .tooLong(limit: Limits.itemCount) }
        var entries: [Entry] = []
        for _ in 0..<count {
            let entry = try Entry(from: &reader)
            if let last = entries.last, last.name >= entry.name { throw .notCanonical }
            guard (1...generation).contains(entry.generation) else { throw .notCanonical }
            entries.append(entry)
        }
        try reader.finish()
        self.entries = entries
    }
}

extension VaultIndex.Entry {
    fileprivate init(from reader: inout ByteReader) throws(EncodingError) {
        name = try ItemName(from: &reader)
        attributes = try ItemAttributes(from: &reader)
        generation = try reader.bigEndian(UInt64.self)
        salt = [UInt8](try reader.bytes(Sealing.saltSize))
        sealedSize = Int(try reader.bigEndian(UInt32.self))
        guard (1...Limits.itemSize).contains(sealedSize - Sealing.overhead) else {
            throw .tooLong(limit: Limits.itemSize)
        }
        digest = [UInt8](try reader.bytes(VaultIndex.digestSize))
    }
}

extension ItemName {
    fileprivate init(from reader: inout ByteReader) throws(EncodingError) {
        var parts: [String] = []
        for _ in 0..<2 {
            let size = Int(try reader.uint8())
            parts.append(String(decoding: try reader.bytes(size), as: UTF8.self))
        }
        do {
            try self.init(service: parts[0], account: parts[1])
        } catch {
            throw .notCanonical
        }
    }
}
