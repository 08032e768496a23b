internal import Crypto

/// A step by which the tables became what they are. Once it has run anywhere it is never changed: later changes are further steps.
package struct Migration: Sendable {
    package let name: StaticString
    package let definitions: [Definition]

    package init(name: StaticString, definitions: [Definition]) {
        self.name = name
        self.definitions = definitions
    }

    /// SHA-256 of what it says, whatever the database: 32 bytes.
    package var digest: [UInt8] {
        var hash = SHA256()
        for text in ["\(name)"] + definitions.map(\.neutralText) {
            let bytes = Array(text.utf8)
            // Each with its length, so that no two migrations are written alike.
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }
}
