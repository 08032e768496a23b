/// Text with a human-readable part and a checksum that finds mistyped characters: Bech32 (BIP-173), Bech32m (BIP-350).
///
/// - Warning: for public data. The time it takes depends on the data, and text cannot be wiped.
public enum Bech32 {
    /// Which of the two checksums ends a text. A text is never valid under both.
    public enum Checksum: Sendable {
        /// BIP-173: only for witness version 0, and for formats that are older than BIP-350.
        case bech32
        /// BIP-350: for all that is new.
        case bech32m

        fileprivate var constant: UInt32 {
            switch self {
            case .bech32: 1
            case .bech32m: 0x2bc8_30a3
            }
        }
    }

    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let separator = UInt8(ascii: "1")
    private static let checksumCount = 6

    /// Lower-case text.
    ///
    /// - Parameters:
    ///   - hrp: the human-readable part: 1 to 83 characters of ASCII, none of them upper-case, a space or a control.
    ///   - data5: the data, five bits in each byte; see ``groups5(of:)``.
    /// - Throws: ``EncodingError/badCharacter(offset:)``, with the offset in `hrp`; ``EncodingError/unsupported`` if
    ///   `hrp` is empty or an element of `data5` has more than five bits; ``EncodingError/tooLong(limit:)``.
    public static func encode(hrp: String, data5: [UInt8], checksum: Checksum) throws(EncodingError) -> String {
        let prefix = Array(hrp.utf8)
        if let offset = prefix.firstIndex(where: { !isAllowed($0) || isUpper($0) }) {
            throw .badCharacter(offset: offset)
        }
        guard !prefix.isEmpty, data5.allSatisfy({ $0 < 32 }) else { throw .unsupported }
        let limit = EncodingLimits.bech32Characters
        guard prefix.count + 1 + data5.count + checksumCount <= limit else { throw .tooLong(limit: limit) }
        let empty = [UInt8](repeating: 0, count: checksumCount)
        let sum = remainder(of: expanded(prefix) + data5 + empty) ^ checksum.constant
        let check = (0..<checksumCount).map { UInt8(sum >> UInt32(5 * (5 - $0)) & 31) }
        return String(
            decoding: prefix + [separator] + (data5 + check).map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// The parts of a text, and which checksum it has. Text may be all upper-case, as in QR codes.
    ///
    /// - Returns: the human-readable part in lower case, and the data, five bits in each byte, without the checksum.
    /// - Throws: ``EncodingError/tooLong(limit:)``; ``EncodingError/badCharacter(offset:)``, for mixed case too;
    ///   ``EncodingError/truncated`` if there is no separator or no room for a checksum; ``EncodingError/unsupported`` if
    ///   the human-readable part is empty; ``EncodingError/badChecksum``.
    public static func decode(
        _ text: String
    ) throws(EncodingError) -> (hrp: String, data5: [UInt8], checksum: Checksum) {
        let limit = EncodingLimits.bech32Characters
        guard text.utf8.count <= limit else { throw .tooLong(limit: limit) }
        let characters = Array(text.utf8)
        if let offset = characters.firstIndex(where: { !isAllowed($0) }) { throw .badCharacter(offset: offset) }
        if let lower = characters.firstIndex(where: isLower), let upper = characters.firstIndex(where: isUpper) {
            throw .badCharacter(offset: max(lower, upper))
        }
        let lowered = characters.map { isUpper($0) ? $0 | 0x20 : $0 }
        // The last `1`: the human-readable part may have others.
        guard let end = lowered.lastIndex(of: separator) else { throw .truncated }
        guard end > 0 else { throw .unsupported }
        var values: [UInt8] = []
        for offset in lowered.indices[(end + 1)...] {
            guard let value = alphabet.firstIndex(of: lowered[offset]) else { throw .badCharacter(offset: offset) }
            values.append(UInt8(value))
        }
        guard values.count >= checksumCount else { throw .truncated }
        let checksum: Checksum
        switch remainder(of: expanded(lowered[..<end]) + values) {
        case Checksum.bech32.constant: checksum = .bech32
        case Checksum.bech32m.constant: checksum = .bech32m
        default: throw .badChecksum
        }
        return (String(decoding: lowered[..<end], as: UTF8.self), values.dropLast(checksumCount), checksum)
    }

    /// Bytes as groups of five bits, first bits first, the last group filled up with zeros.
    public static func groups5(of bytes: some Collection<UInt8>) -> [UInt8] {
        var groups: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits & 0x1f) << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                groups.append(UInt8(bits >> UInt32(count) & 0x1f))
            }
        }
        if count > 0 { groups.append(UInt8(bits << UInt32(5 - count) & 0x1f)) }
        return groups
    }

    /// The bytes that groups of five bits were made from.
    ///
    /// - Throws: ``EncodingError/unsupported`` if an element has more than five bits, ``EncodingError/notCanonical`` if
    ///   more than four bits are left over, or they are not zero.
    public static func bytes(ofGroups5 groups: some Collection<UInt8>) throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for group in groups {
            guard group < 32 else { throw .unsupported }
            bits = (bits & 0xff) << 5 | UInt32(group)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> UInt32(count) & 0xff))
            }
        }
        guard count < 5, bits & ((1 << UInt32(count)) - 1) == 0 else { throw .notCanonical }
        return bytes
    }

    private static let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]

    /// `bech32_polymod` of BIP-173: the remainder by the generator of the code.
    private static func remainder(of values: [UInt8]) -> UInt32 {
        var sum: UInt32 = 1
        for value in values {
            let top = sum >> 25
            sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
            for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 { sum ^= term }
        }
        return sum
    }

    /// `bech32_hrp_expand` of BIP-173: the high bits of all characters, then the low ones.
    private static func expanded(_ hrp: some Collection<UInt8>) -> [UInt8] {
        hrp.map { $0 >> 5 } + [0] + hrp.map { $0 & 31 }
    }

    private static func isAllowed(_ character: UInt8) -> Bool { (33...126).contains(character) }
    private static func isLower(_ character: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
    }
    private static func isUpper(_ character: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
    }
}
