internal import Encoding
internal import TestSupport
internal import Testing

@Suite("Hex")
struct HexTests {
    @Test(
        "known answers of RFC 4648, section 10",
        arguments: [("", ""), ("f", "66"), ("foo", "666f6f"), ("foobar", "666f6f626172")])
    func knownAnswers(_ ascii: String, _ text: String) throws {
        #expect(Hex.encode(Array(ascii.utf8)) == text)
        #expect(try Hex.decode(text) == Array(ascii.utf8))
    }

    @Test("every byte is encoded, and upper case is decoded")
    func everyByte() throws {
        let all = [UInt8](0...255)
        #expect(Hex.encode(all) == hex(all))
        #expect(try Hex.decode(Hex.encode(all)) == all)
        #expect(try Hex.decode(hex(all).uppercased()) == all)
    }

    @Test("an odd number of digits is refused")
    func odd() {
        #expect(throws: EncodingError.truncated) { try Hex.decode("abc") }
    }

    @Test("other characters are refused", arguments: ["0x00", "g0", " 00", "00\n", "é0", "０0", "/0", ":0", "@0", "`0"])
    func characters(_ text: String) {
        let offset = text.utf8.firstIndex { !"0123456789abcdef".utf8.contains($0) } ?? text.utf8.endIndex
        #expect(throws: EncodingError.badCharacter(offset: text.utf8.distance(from: text.utf8.startIndex, to: offset)))
        {
            try Hex.decode(text)
        }
    }

    @Test("accepted text is encoded to the same digits, except for their case")
    func fuzz() {
        Fuzz.mutations(of: ["", "00", "0123456789abcdef", "DEADBEEF00"].map { Array($0.utf8) }) { bytes in
            let text = text(bytes)
            guard let decoded = try? Hex.decode(text) else { return }
            try requireEqual(Hex.encode(decoded), text.lowercased())
        }
    }
}
