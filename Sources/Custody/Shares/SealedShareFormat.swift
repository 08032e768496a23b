internal import Curves
internal import Secrets
internal import Threshold

/// The bytes of a sealed share, format 2 ([format](../../../docs/formats/sealed-share.md)).
///
/// | bytes | what |
/// |---|---|
/// | 1 | format, 2 |
/// | 4 | how many ECDSA sessions were begun and not seen to succeed |
/// | 4, then so many | the share of the Schnorr key ([format](../../../docs/formats/threshold-messages.md)) |
/// | 4, then so many | the share of the ECDSA key, with what is kept of each peer |
/// | 4, then so many | the share of the Ed25519 key |
/// | 4, then so many | the description, the JSON of `wallet.json` |
extension SealedShare {
    private static let format: UInt8 = 2
    /// The format and the counter.
    private static let headSize = 5

    /// - Throws: what stands in the way of writing the description as JSON.
    borrowing func encoded() throws -> SecretBytes {
        let schnorr = keys.schnorr.encoded()
        let ecdsa = keys.ecdsa.encoded()
        let ed25519 = keys.ed25519.encoded()
        let record = try record.encoded
        let size = Self.headSize + 4 * 4 + schnorr.count + ecdsa.count + ed25519.count + record.count
        return SecretBytes(count: size) { memory in
            memory[0] = Self.format
            memory.storeBytes(of: UInt32(unfinishedSignatures).bigEndian, toByteOffset: 1, as: UInt32.self)
            var offset = Self.headSize
            func append(_ part: UnsafeRawBufferPointer) {
                let target = UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
                target.storeBytes(of: UInt32(part.count).bigEndian, as: UInt32.self)
                UnsafeMutableRawBufferPointer(rebasing: target[4...]).copyMemory(from: part)
                offset += 4 + part.count
            }
            schnorr.withUnsafeBytes { append($0) }
            ecdsa.withUnsafeBytes { append($0) }
            ed25519.withUnsafeBytes { append($0) }
            record.withUnsafeBytes { append($0) }
        }
    }

    /// - Parameter name: the wallet that the share must be of; any, if there is none.
    /// - Throws: ``CustodyError/malformedMessage``, ``CustodyError/ceremony(_:)`` or
    ///   ``CustodyError/damagedWallet(name:reason:)``.
    init(decoding bytes: borrowing SecretBytes, name: WalletName?) throws(CustodyError) {
        guard let parts = bytes.withUnsafeBytes({ Self.parts(of: $0) }) else { throw .malformedMessage }
        // Only the description becomes an array; shares go from guarded memory to guarded memory.
        let record = bytes.withUnsafeBytes { Array($0[parts[3]]) }
        let keys = try KeyShares(
            schnorr: try Self.decode(
                bytes.part(parts[0].lowerBound, parts[0].count), KeyShare<Secp256k1>.init(decoding:)),
            ecdsa: try Self.decode(bytes.part(parts[1].lowerBound, parts[1].count), ECDSA.KeyShare.init(decoding:)),
            ed25519: try Self.decode(bytes.part(parts[2].lowerBound, parts[2].count), KeyShare<Ed25519>.init(decoding:))
        )
        let counter = bytes.withUnsafeBytes {
            Int(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
        }
        self.init(
            keys: keys, record: try WalletRecord(decoding: record, name: name), unfinishedSignatures: counter)
    }

    private static func decode<Share: ~Copyable>(
        _ part: borrowing SecretBytes, _ read: (borrowing SecretBytes) throws(ThresholdError) -> Share
    ) throws(CustodyError) -> Share {
        do { return try read(part) } catch { throw .ceremony(error) }
    }

    /// Where the four parts lie, if their sizes add up to the whole, and none is empty.
    private static func parts(of bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        guard bytes.count >= headSize, bytes.first == format else { return nil }
        var parts: [Range<Int>] = []
        var offset = headSize
        for _ in 0..<4 {
            guard offset + 4 <= bytes.count else { return nil }
            let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            offset += 4
            guard size > 0, size <= bytes.count - offset else { return nil }
            parts.append(offset..<offset + size)
            offset += size
        }
        return offset == bytes.count ? parts : nil
    }
}
