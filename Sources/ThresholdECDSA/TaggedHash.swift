internal import Curves
internal import Secrets

extension ECDSA {
    /// The protocol's random oracle H. Each part of the input is hashed after its size, so that two different lists of
    /// parts, such as ("a", "bc") and ("ab", "c"), are never the same input.
    enum TaggedHash {
        static func hash(_ tag: String, _ parts: [UInt8]...) -> [UInt8] {
            var hasher = hasher(tag)
            for part in parts { hasher.update(part: part) }
            return hasher.finalize()
        }

        /// Returns the hash of a secret and then public parts, like ``hash(_:_:)``.
        static func secretHash(_ tag: String, _ secret: borrowing SecretBytes, _ parts: [UInt8]...) -> SecretBytes {
            var hasher = hasher(tag)
            hasher.update(part: secret)
            for part in parts { hasher.update(part: part) }
            return hasher.finalizeSecret()
        }

        /// Returns a hasher that has consumed the tag, for input that is too long for one array.
        static func hasher(_ tag: String) -> SHA256 { BIP340.taggedHasher("Fueki DKLs23/" + tag) }
    }
}

extension SHA256 {
    /// Hashes the size of a part in four bytes, and then the part.
    mutating func update(part: [UInt8]) {
        update(size: part.count)
        update(part)
    }

    mutating func update(part: borrowing SecretBytes) {
        update(size: part.count)
        update(part)
    }

    mutating func update(part: UnsafeRawBufferPointer) {
        update(size: part.count)
        update(part)
    }

    private mutating func update(size: Int) {
        withUnsafeBytes(of: UInt32(size).bigEndian) { update($0) }
    }
}
