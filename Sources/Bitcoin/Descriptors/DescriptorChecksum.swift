/// The eight characters behind `#` in a descriptor (BIP-380, checksum).
enum DescriptorChecksum {
    private static let characters = Array(
        "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ".utf8)
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
    private static let generator: [UInt64] = [
        0xF5_DEE5_1989, 0xA9_FDCA_3312, 0x1B_AB10_E32D, 0x37_06B1_677A, 0x64_4D62_6FFD,
    ]
    private static let size = 8

    /// Returns the checksum of a descriptor without one; nil if it has characters that are not allowed.
    static func of(_ body: String) -> String? {
        guard let symbols = symbols(of: body) else { return nil }
        let sum = remainder(of: symbols + [UInt64](repeating: 0, count: size)) ^ 1
        return String(
            decoding: (0..<size).map { alphabet[Int(sum >> UInt64(5 * (size - 1 - $0)) & 31)] }, as: UTF8.self)
    }

    /// Verifies the checksum of a descriptor, and returns the descriptor without it.
    ///
    /// - Throws: ``BitcoinError/badDescriptor``, also without a checksum.
    static func body(of text: String) throws(BitcoinError) -> String {
        let bytes = Array(text.utf8)
        guard let end = bytes.lastIndex(of: UInt8(ascii: "#")), bytes.count - end == size + 1 else {
            throw .badDescriptor
        }
        let body = String(decoding: bytes[..<end], as: UTF8.self)
        guard let checksum = of(body), checksum.utf8.elementsEqual(bytes[(end + 1)...]) else { throw .badDescriptor }
        return body
    }

    /// Returns each character's position in its group of 32; after every third one, the combined group numbers.
    private static func symbols(of body: String) -> [UInt64]? {
        var symbols: [UInt64] = []
        var groups: [UInt64] = []
        for byte in body.utf8 {
            guard let place = characters.firstIndex(of: byte) else { return nil }
            symbols.append(UInt64(place) & 31)
            groups.append(UInt64(place) >> 5)
            if groups.count == 3 {
                symbols.append(groups[0] * 9 + groups[1] * 3 + groups[2])
                groups = []
            }
        }
        switch groups.count {
        case 1: symbols.append(groups[0])
        case 2: symbols.append(groups[0] * 3 + groups[1])
        default: break
        }
        return symbols
    }

    private static func remainder(of symbols: [UInt64]) -> UInt64 {
        var sum: UInt64 = 1
        for symbol in symbols {
            let top = sum >> 35
            sum = (sum & 0x7_FFFF_FFFF) << 5 ^ symbol
            for (bit, term) in generator.enumerated() where top >> UInt64(bit) & 1 == 1 { sum ^= term }
        }
        return sum
    }
}
