internal import Encoding

/// Keys and tokens that an encoding of their own makes known.
enum EncodedKey {
    /// Versions of wallet import format: Bitcoin's networks, and Litecoin, which regtest nodes here are.
    private static let importVersions: Set<UInt8> = [0x80, 0xEF, 0xB0]
    /// Versions of extended private keys: BIP-32, and SLIP-132's of the script types.
    private static let extendedVersions: Set<[UInt8]> = [
        [0x04, 0x88, 0xAD, 0xE4], [0x04, 0x35, 0x83, 0x94], [0x04, 0x9D, 0x78, 0x78], [0x04, 0xB2, 0x43, 0x0C],
        [0x02, 0x95, 0xB0, 0x05], [0x02, 0xAA, 0x7A, 0x99], [0x04, 0x4A, 0x4E, 0x28], [0x04, 0x5F, 0x18, 0xBC],
        [0x02, 0x42, 0x85, 0xB5], [0x02, 0x57, 0x50, 0x48],
    ]

    /// What a text in Base58 is, if its checksum is right.
    static func kind(of text: ScannedText.SubSequence) -> RedactedKind? {
        guard let payload = try? Base58Check.decode(String(decoding: text, as: UTF8.self)) else { return nil }
        switch payload.count {
        case 33, 34: return importVersions.contains(payload[0]) ? .privateKey : nil
        case 78: return extendedVersions.contains(Array(payload[..<4])) ? .extendedKey : nil
        default: return nil
        }
    }

    /// Whether a run may begin a JWT: `{"` in base64url.
    static func startsToken(_ text: ScannedText.SubSequence) -> Bool { text.starts(with: "eyJ".utf8) }

    /// Returns how far the characters of a JWT go, and whether they are one (RFC 7519, section 3): parts in base64url,
    /// the first a JSON object with `alg`.
    static func endOfToken(from start: Int, in text: ScannedText) -> (end: Int, isToken: Bool) {
        var (place, dots, firstDot) = (start, 0, 0)
        while place < text.count {
            if text[place] == UInt8(ascii: ".") {
                guard dots < 4 else { break }
                if dots == 0 { firstDot = place }
                dots += 1
            } else if !text[place].isBase64 {
                break
            }
            place += 1
        }
        // The sentence's own dot.
        while place > start, text[place - 1] == UInt8(ascii: ".") {
            place -= 1
            dots -= 1
        }
        let isToken =
            dots >= 1 && firstDot > start && firstDot - start <= 4_096
            && Base64Text.texts(in: text[start..<firstDot], ofAtLeast: 9)?.contains("\"alg\"".utf8) == true
        return (place, isToken)
    }
}

extension Array<UInt8> {
    /// Whether bytes stand in the array.
    func contains(_ part: String.UTF8View) -> Bool {
        let part = Array(part)
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains {
            self[$0] == part[0] && self[$0..<($0 + part.count)].elementsEqual(part)
        }
    }
}

/// Base64 and base64url (RFC 4648, sections 4 and 5), as texts that people write contain them.
enum Base64Text {
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        (values[Int(UInt8(ascii: "-"))], values[Int(UInt8(ascii: "_"))]) = (62, 63)
        return values
    }()

    /// Returns what was encoded, with a zero in place of each byte that is in no text.
    ///
    /// - Parameter least: how many bytes of text in a row there have to be.
    /// - Returns: nil if there are fewer.
    static func texts(in characters: ScannedText.SubSequence, ofAtLeast least: Int) -> [UInt8]? {
        var (decoded, bits, count, run, longest) = ([UInt8](), UInt32(0), 0, 0, 0)
        decoded.reserveCapacity(characters.count * 3 / 4)
        let values = values
        for character in characters {
            let value = values[Int(character)]
            guard value != 0xFF else { break }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            // Control characters are in no secret that a pattern finds.
            let isText = byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A || byte == 0x0D
            decoded.append(isText ? byte : 0)
            run = isText ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest >= least ? decoded : nil
    }
}
