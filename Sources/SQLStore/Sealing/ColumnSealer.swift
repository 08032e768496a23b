internal import Crypto
package import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Seals columns, so that a stolen copy of the database does not reveal them, and so that an attacker who can write to
/// the database cannot move a sealed value to another place.
///
/// A sealed value is `version 1 (1 byte) | number of the key (4) | nonce (12) | sealed | tag (16)`: AES-256-GCM
/// (NIST SP 800-38D) with random nonces, good for 2^32 values with each key. Sealed along is the place: the table, the column
/// and the row.
///
/// The keys are swift-crypto's, which wipes them.
package struct ColumnSealer: Sendable {
    private static let version: UInt8 = 1
    /// The bytes that sealing adds.
    package static let overhead = 1 + 4 + 12 + 16

    private let keys: [UInt32: SymmetricKey]
    /// The number of the newest key, with which is sealed.
    package let newest: UInt32
    private let random: any RandomSource

    /// The place of a value: table, column and row.
    package struct Place: Sendable {
        let table: StaticString
        let column: StaticString
        let row: [UInt8]

        package init(_ table: StaticString, _ column: StaticString, row: [UInt8]) {
            self.table = table
            self.column = column
            self.row = row
        }
    }

    /// A ring of one key.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - number: by which the sealed values name it. Later keys have higher ones.
    package init(key: borrowing SecretBytes, number: UInt32, random: some RandomSource) {
        self.init(keys: [number: Self.symmetric(key)], random: random)
    }

    private init(keys: [UInt32: SymmetricKey], random: any RandomSource) {
        self.keys = keys
        self.random = random
        newest = keys.keys.max() ?? 0
    }

    /// Returns the ring with one more key, an older or a newer one.
    package func adding(key: borrowing SecretBytes, number: UInt32) -> ColumnSealer {
        ColumnSealer(keys: keys.merging([number: Self.symmetric(key)]) { old, _ in old }, random: random)
    }

    private static func symmetric(_ key: borrowing SecretBytes) -> SymmetricKey {
        precondition(key.count == 32, "a sealing key has 32 bytes")
        return key.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// Seals with the newest key.
    package func seal(_ bytes: [UInt8], at place: Place) throws(StoreError) -> [UInt8] {
        try seal(data: bytes, at: place)
    }

    /// Seals a secret with the newest key.
    package func seal(secret: borrowing SecretBytes, at place: Place) throws(StoreError) -> [UInt8] {
        try secret.withUnsafeBytes { bytes throws(StoreError) in try seal(data: bytes, at: place) }
    }

    private func seal(data bytes: some DataProtocol, at place: Place) throws(StoreError) -> [UInt8] {
        guard let key = keys[newest] else { throw .unknownSealingKey(newest) }
        let head = newestHead
        let nonce = random.publicBytes(count: 12)
        guard
            let box = try? AES.GCM.seal(
                bytes, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: head + Self.encode(place))
        else { throw .sealIsBroken }
        return head + nonce + box.ciphertext + box.tag
    }

    /// Opens a value that was sealed for that place, with any key of the ring.
    ///
    /// - Throws: ``StoreError/sealIsBroken``, ``StoreError/unknownSealingKey(_:)``.
    package func open(_ sealed: [UInt8], at place: Place) throws(StoreError) -> [UInt8] {
        Array(try openData(sealed, at: place))
    }

    /// Opens a sealed secret. swift-crypto returns it in one ordinary allocation, which is wiped.
    package func openSecret(_ sealed: [UInt8], at place: Place) throws(StoreError) -> SecretBytes {
        var plain = try openData(sealed, at: place)
        return SecretBytes(count: plain.count) { memory in
            plain.withUnsafeMutableBytes { bytes in
                memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
                wipe(bytes)
            }
        }
    }

    private func openData(_ sealed: [UInt8], at place: Place) throws(StoreError) -> Data {
        let number = try Self.keyNumber(of: sealed)
        guard let key = keys[number] else { throw .unknownSealingKey(number) }
        let context = sealed.prefix(5) + Self.encode(place)
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: sealed.dropFirst(5).prefix(12)),
                ciphertext: sealed.dropFirst(17).dropLast(16), tag: sealed.suffix(16)),
            let plain = try? AES.GCM.open(box, using: key, authenticating: context)
        else { throw .sealIsBroken }
        return plain
    }

    /// Returns the number of the key that a value was sealed with.
    static func keyNumber(of sealed: [UInt8]) throws(StoreError) -> UInt32 {
        guard sealed.count >= overhead, sealed.first == version else { throw .sealIsBroken }
        return sealed.dropFirst().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The beginning of every value that is sealed with the newest key.
    var newestHead: [UInt8] { [Self.version] + Self.bigEndian(newest) }

    /// Each part with its length before it, so that no two places are written alike.
    private static func encode(_ place: Place) -> [UInt8] {
        var bytes: [UInt8] = Array("fueki column".utf8)
        for part in [Array("\(place.table)".utf8), Array("\(place.column)".utf8), place.row] {
            bytes += bigEndian(UInt32(clamping: part.count)) + part
        }
        return bytes
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
