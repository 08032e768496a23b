internal import Ceremonies
internal import Curves
internal import Secrets
internal import Threshold
internal import ThresholdECDSA

/// The bytes of a sealed share, format 3 ([format](../../../docs/formats/sealed-share.md)).
///
/// | bytes | what |
/// |---|---|
/// | 1 | format, 3 |
/// | 16 | the id of the vault with its counts; zeros before its first ECDSA session |
/// | 4, then so many | the share of the Schnorr key ([format](../../../docs/formats/threshold-messages.md)) |
/// | 4, then so many | the share of the ECDSA key, with the data of each peer |
/// | 4, then so many | the share of the Ed25519 key |
/// | 4, then so many | the description, the JSON of `wallet.json` |
///
/// Format 2 is also read: in place of the id it has 4 bytes, the number of failed ECDSA sessions.
extension SealedShare {
    private static let format: UInt8 = 3
    private static let countingFormat: UInt8 = 2
    private static let idSize = 16
    private static let headSize = 1 + idSize
    private static let countingHeadSize = 5

    /// Encodes the share.
    ///
    /// - Throws: an error if the description cannot be written as JSON.
    borrowing func encoded() throws -> SecretBytes {
        let schnorr = keys.schnorr.encoded()
        let ecdsa = keys.ecdsa.encoded()
        let ed25519 = keys.ed25519.encoded()
        let record = try record.encoded
        let size = Self.headSize + 4 * 4 + schnorr.count + ecdsa.count + ed25519.count + record.count
        return SecretBytes(count: size) { memory in
            memory[0] = Self.format
            if let countsID { UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyBytes(from: countsID) }
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

    /// - Parameter name: the name that the wallet must have; nil for any.
    /// - Throws: ``CustodyError/malformedRecord``, ``CustodyError/ceremony(_:)`` or
    ///   ``CustodyError/damagedWallet(name:reason:)``.
    init(decoding bytes: borrowing SecretBytes, name: WalletName?) throws(CustodyError) {
        guard let parts = bytes.withUnsafeBytes({ Self.parts(of: $0) }) else { throw .malformedRecord }
        // Only the description becomes an array; shares go from guarded memory to guarded memory.
        let record = bytes.withUnsafeBytes { Array($0[parts[3]]) }
        let schnorr = try Self.decode(
            bytes.part(parts[0].lowerBound, parts[0].count), KeyShare<Secp256k1>.init(decoding:))
        let ecdsa = try Self.decode(bytes.part(parts[1].lowerBound, parts[1].count), ECDSA.KeyShare.init(decoding:))
        let ed25519 = try Self.decode(
            bytes.part(parts[2].lowerBound, parts[2].count), KeyShare<Ed25519>.init(decoding:))
        let keys: KeyShares
        do { keys = try KeyShares(schnorr: schnorr, ecdsa: ecdsa, ed25519: ed25519) } catch {
            throw CustodyError(error)
        }
        let head = bytes.withUnsafeBytes { Array($0.prefix(parts[0].lowerBound - 4).dropFirst()) }
        let isCounting = head.count != Self.idSize
        let countsID = isCounting || head.allSatisfy { $0 == 0 } ? nil : head
        self.init(
            keys: keys, record: try WalletRecord(decoding: record, name: name), countsID: countsID,
            counts: countsID == nil
                ? SigningCounts(unfinished: isCounting ? head.reduce(0) { $0 << 8 | Int($1) } : 0) : nil)
    }

    private static func decode<Share: ~Copyable>(
        _ part: borrowing SecretBytes, _ read: (borrowing SecretBytes) throws(ThresholdError) -> Share
    ) throws(CustodyError) -> Share {
        do { return try read(part) } catch { throw .ceremony(.threshold(error)) }
    }

    /// Returns the ranges of the four parts, if their sizes add up to the whole and no part is empty.
    private static func parts(of bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        var offset: Int
        switch bytes.first {
        case format: offset = headSize
        case countingFormat: offset = countingHeadSize
        default: return nil
        }
        guard bytes.count >= offset else { return nil }
        var parts: [Range<Int>] = []
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
