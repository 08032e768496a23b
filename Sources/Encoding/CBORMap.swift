extension CBOR {
    /// The entries of a map, in the order of their encoded keys (RFC 8949, section 4.2.1).
    public struct Map: Equatable, Sendable {
        /// A key and its value.
        public struct Entry: Equatable, Sendable {
            /// The key of the entry.
            public let key: CBOR
            /// The value of the entry.
            public let value: CBOR
        }

        /// The entries, ascending by encoded key, without repeated keys.
        public private(set) var entries: [Entry] = []
        /// The encoded key of the last entry.
        private var last: [UInt8] = []

        /// Creates a map without entries.
        public init() {}

        /// Creates a map of entries in any order.
        ///
        /// - Throws: ``EncodingError/notCanonical`` for a repeated key, ``EncodingError/unsupported`` for a key that is
        ///   neither an integer nor a string.
        public init(_ entries: [(CBOR, CBOR)]) throws(EncodingError) {
            let sorted = entries.map { (key: $0.0, value: $0.1, encoded: $0.0.encoded) }
                .sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            for entry in sorted { try append(entry.key, entry.value) }
        }

        /// Adds an entry after the others.
        ///
        /// - Throws: ``EncodingError/notCanonical`` if the key does not follow the last one.
        mutating func append(_ key: CBOR, _ value: CBOR) throws(EncodingError) {
            switch key {
            case .unsigned, .negative, .bytes, .text: break
            // No supported format has such keys, and each would allow deeper nesting.
            case .array, .map, .bool, .null: throw .unsupported
            }
            let encoded = key.encoded
            guard entries.isEmpty || last.lexicographicallyPrecedes(encoded) else { throw .notCanonical }
            entries.append(Entry(key: key, value: value))
            last = encoded
        }
    }
}
