internal import Crypto

/// One change of the tables. A migration that has run anywhere is never changed: later changes are further migrations.
package struct Migration: Sendable {
    package let name: StaticString
    package let definitions: [Definition]

    package init(name: StaticString, definitions: [Definition]) {
        self.name = name
        self.definitions = definitions
    }

    /// The SHA-256 of its statements, the same for every database: 32 bytes.
    package var digest: [UInt8] {
        var hash = SHA256()
        for text in ["\(name)"] + definitions.map(\.neutralText) {
            let bytes = Array(text.utf8)
            // Each with its length, so that two different migrations never have the same bytes.
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }
}
