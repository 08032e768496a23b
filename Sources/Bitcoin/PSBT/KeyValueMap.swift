internal import Encoding

/// One map of a PSBT: unique keys, and their values. It is written in the order of the keys' bytes, so that the same
/// content always has the same bytes.
struct KeyValueMap: Equatable, Sendable {
    /// The values by key. A key is its type as a compact size, and then its data.
    private(set) var entries: [[UInt8]: [UInt8]] = [:]

    init() {}

    /// Returns the value of the key that consists of this type only.
    subscript(_ type: UInt64) -> [UInt8]? {
        get { entries[Self.key(type)] }
        set { entries[Self.key(type)] = newValue }
    }

    /// Returns the value of the key with this type and data.
    subscript(_ type: UInt64, _ data: [UInt8]) -> [UInt8]? {
        get { entries[Self.key(type, data: data)] }
        set { entries[Self.key(type, data: data)] = newValue }
    }

    /// Returns the data and values of all keys of a type, in order.
    func all(_ type: UInt64) -> [(data: ArraySlice<UInt8>, value: [UInt8])] {
        let prefix = Self.key(type)
        return entries.keys.filter { $0.starts(with: prefix) }.sorted { $0.lexicographicallyPrecedes($1) }
            .compactMap { key in entries[key].map { (key.dropFirst(prefix.count), $0) } }
    }

    /// Returns whether the map has any key of this type.
    func has(_ type: UInt64) -> Bool { entries.keys.contains { $0.starts(with: Self.key(type)) } }

    /// Returns the number of keys whose type the predicate does not know.
    func count(exceptTypes isKnown: (UInt64) -> Bool) -> Int {
        entries.keys.count { !isKnown(Self.type(of: $0) ?? .max) }
    }

    /// Removes the keys whose type the predicate rejects.
    mutating func keep(where isWanted: (UInt64) -> Bool) {
        entries = entries.filter { key, _ in isWanted(Self.type(of: key) ?? .max) }
    }

    /// Removes the keys whose type the predicate accepts, and returns them.
    mutating func remove(where isUnwanted: (UInt64) -> Bool) -> KeyValueMap {
        var removed = self
        removed.keep(where: isUnwanted)
        keep { !isUnwanted($0) }
        return removed
    }

    /// Adds the entries of another map. They take the place of those with the same key.
    mutating func replace(with other: KeyValueMap) { entries.merge(other.entries) { $1 } }

    static func key(_ type: UInt64, data: [UInt8] = []) -> [UInt8] {
        var writer = ByteWriter()
        // Types of this module are below 0xFD; other types are only kept, never created.
        writer.compactSize(Int(type))
        writer.append(data)
        return writer.bytes
    }

    static func type(of key: [UInt8]) -> UInt64? {
        guard var reader = try? ByteReader(key, limit: key.count) else { return nil }
        return try? reader.compactSize()
    }

    /// Returns the entries of both maps.
    ///
    /// - Throws: ``PSBTError/conflict(_:)`` if they have different values for one key.
    func merging(_ other: KeyValueMap, in map: PSBTField.Map) throws(BitcoinError) -> KeyValueMap {
        var merged = self
        for (key, value) in other.entries {
            try merged.insert(value, forKey: key, in: map)
        }
        return merged
    }

    /// Adds a value for a key. The same value again changes nothing.
    ///
    /// - Throws: ``PSBTError/conflict(_:)`` if the key has another value.
    mutating func insert(_ value: [UInt8], forKey key: [UInt8], in map: PSBTField.Map) throws(BitcoinError) {
        if let mine = entries[key], mine != value {
            throw .psbt(.conflict(PSBTField(map, type: Self.type(of: key) ?? .max)))
        }
        entries[key] = value
    }

    // MARK: - Bytes

    /// Reads a map including the 0 that ends it. The values are not checked.
    ///
    /// - Parameter budget: the number of entries that may still be read; counted down.
    init(from reader: inout ByteReader, map: PSBTField.Map, budget: inout Int) throws(BitcoinError) {
        do {
            while true {
                let size = try reader.count(leastSize: 1)
                if size == 0 { return }
                let key = Array(try reader.bytes(size))
                let value = Array(try reader.sized())
                guard let type = Self.type(of: key) else { throw EncodingError.notCanonical }
                guard budget > 0 else { throw EncodingError.tooLong(limit: BitcoinLimits.psbtEntries) }
                budget -= 1
                guard entries.updateValue(value, forKey: key) == nil else {
                    throw BitcoinError.psbt(.duplicateKey(PSBTField(map, type: type)))
                }
            }
        } catch let error as BitcoinError {
            throw error
        } catch let error as EncodingError {
            throw .malformed(error)
        } catch {
            throw .malformed(.unsupported)
        }
    }

    func write(to writer: inout ByteWriter) {
        for (key, value) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            writer.sized(key)
            writer.sized(value)
        }
        writer.append(0)
    }
}
