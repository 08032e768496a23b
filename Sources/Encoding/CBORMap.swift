extension CBOR {
    /// The entries of a map, in the order of their encoded keys (RFC 8949, section 4.2.1).
    public struct Map: Equatable, Sendable {
        /// One key and its value.
        public struct Entry: Equatable, Sendable {
            /// The key of the entry.
            public let key: CBOR
            /// The value of the entry.
            public let value: CBOR
        }

        /// Ascending by the encoded key; no key is there twice.
        public private(set) var entries: [Entry] = []
        /// The encoded key of the last entry.
        private var last: [UInt8] = []

        /// A map without entries.
        public init() {}

        /// The entries in any order.
        ///
        /// - Throws: ``EncodingError/notCanonical`` if a key is there twice, ``EncodingError/unsupported`` if one is no
        ///   integer and no string.
        public init(_ entries: [(CBOR, CBOR)]) throws(EncodingError) {
            let sorted = entries.map { (key: $0.0, value: $0.1, encoded: $0.0.encoded) }
                .sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
            for entry in sorted { try append(entry.key, entry.value) }
        }

        /// Adds an entry behind the others.
        ///
        /// - Throws: ``EncodingError/notCanonical`` if its place is not there.
        mutating func append(_ key: CBOR, _ value: CBOR) throws(EncodingError) {
            switch key {
            case .unsigned, .negative, .bytes, .text: break
            // No format here has such keys, and each is a way to nest further.
            case .array, .map, .bool, .null: throw .unsupported
            }
            let encoded = key.encoded
            guard entries.isEmpty || last.lexicographicallyPrecedes(encoded) else { throw .notCanonical }
            entries.append(Entry(key: key, value: value))
            last = encoded
        }
    }
}
