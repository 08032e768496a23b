/// Text with a human-readable part and a checksum that finds mistyped characters: Bech32 (BIP-173), Bech32m (BIP-350).
///
/// - Warning: for public data. The time depends on the data, and text cannot be wiped.
public enum Bech32 {
    /// The two checksums that can end a text. A text is never valid under both.
    public enum Checksum: CaseIterable, Sendable {
        /// BIP-173: only for witness version 0, and for formats that are older than BIP-350.
        case bech32
        /// BIP-350: for all later formats.
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
    static let checksumCount = 6

    /// Encodes data as lower-case text.
    ///
    /// - Parameters:
    ///   - hrp: the human-readable part: 1 to 83 characters of ASCII, none of them upper-case, a space or a control.
    ///   - data5: the data, five bits in each byte: see ``groups5(of:)``.
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

    /// Decodes a text, and returns its parts and the kind of its checksum. The text may be all upper-case, as in QR
    /// codes.
    ///
    /// - Returns: the human-readable part in lower case, and the data, five bits in each byte, without the checksum.
    /// - Throws: ``EncodingError/tooLong(limit:)``; ``EncodingError/badCharacter(offset:)``, for mixed case too;
    ///   ``EncodingError/truncated`` without a separator or room for a checksum; ``EncodingError/unsupported``
    ///   if the human-readable part is empty; ``EncodingError/badChecksum``.
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
        // The last `1` is the separator: the human-readable part may contain others.
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

    /// Splits bytes into groups of five bits, first bits first, and fills the last group up with zeros.
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

    /// Joins groups of five bits to bytes.
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

    /// Computes `bech32_polymod` of BIP-173: the remainder by the generator of the code.
    private static func remainder(of values: [UInt8]) -> UInt32 {
        var sum: UInt32 = 1
        for value in values { sum = shifted(sum) ^ UInt32(value) }
        return sum
    }

    /// Returns the remainder of a polynomial times x.
    private static func shifted(_ sum: UInt32) -> UInt32 {
        let top = sum >> 25
        var shifted = (sum & 0x1ff_ffff) << 5
        for (bit, term) in generator.enumerated() where top >> UInt32(bit) & 1 == 1 { shifted ^= term }
        return shifted
    }

    /// Returns the value of a character of the data part, in lower case; nil for one that does not occur there.
    static func value(of character: Character) -> UInt8? {
        character.asciiValue.flatMap { alphabet.firstIndex(of: $0) }.map { UInt8($0) }
    }

    /// Finds the smallest set of groups, at most two, whose change makes the checksum match.
    ///
    /// The code is linear: a change of one group changes the remainder by a value that depends on its place alone. So the
    /// remainders of all single changes are listed once, and two changes are looked up as one plus another. Up to 89
    /// characters no two sets of at most two changes have the same remainder (BIP-173: any four errors are detected).
    ///
    /// - Parameters:
    ///   - values: the groups behind the separator, with the checksum.
    ///   - limit: 0, 1 or 2.
    /// - Returns: the places, with the bits to change in the group there; nil if `limit` changes are not enough.
    static func changes(
        to values: [UInt8], after hrp: String, toward checksum: Checksum, atMost limit: Int
    ) -> [(offset: Int, change: UInt8)]? {
        let missing = remainder(of: expanded(Array(hrp.utf8)) + values) ^ checksum.constant
        if missing == 0 { return [] }
        guard limit > 0 else { return nil }
        var single: [UInt32: (offset: Int, change: UInt8)] = [:]
        for change in UInt8(1)..<32 {
            var effect = UInt32(change)
            for offset in values.indices.reversed() {
                single[effect] = (offset, change)
                effect = shifted(effect)
            }
        }
        if let found = single[missing] { return [found] }
        guard limit > 1 else { return nil }
        for (effect, first) in single {
            if let second = single[effect ^ missing], first.offset < second.offset { return [first, second] }
        }
        return nil
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
