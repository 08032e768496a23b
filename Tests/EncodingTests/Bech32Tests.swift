internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Bech32")
struct Bech32Tests {
    @Test(
        "known answers of BIP-173 and BIP-350",
        arguments: [
            ("a12uel5l", "a", [], Bech32.Checksum.bech32),
            ("abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "abcdef", Array(0...31), .bech32),
            ("?1ezyfcl", "?", [], .bech32),
            ("a1lqfn3a", "a", [], .bech32m),
            ("abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx", "abcdef", (0...31).reversed(), .bech32m),
            ("?1v759aa", "?", [], .bech32m),
        ] as [(String, String, [UInt8], Bech32.Checksum)])
    func knownAnswers(_ text: String, _ hrp: String, _ data5: [UInt8], _ checksum: Bech32.Checksum) throws {
        #expect(try Bech32.encode(hrp: hrp, data5: data5, checksum: checksum) == text)
        for text in [text, text.uppercased()] {
            let decoded = try Bech32.decode(text)
            #expect(decoded == (hrp, data5, checksum))
        }
    }

    @Test(
        "malformed text is refused",
        arguments: [
            (" 1nwldj5", EncodingError.badCharacter(offset: 0)), ("\u{7f}1axkwrx", .badCharacter(offset: 0)),
            ("\u{80}1eym55h", .badCharacter(offset: 0)), ("A1g7sgd8", .badCharacter(offset: 2)),
            ("a12UEL5L", .badCharacter(offset: 3)), ("x1b4n0q5v", .badCharacter(offset: 2)),
            ("de1lg7wtı", .badCharacter(offset: 8)), ("pzry9x0s0muk", .truncated), ("", .truncated),
            ("li1dgmt3", .truncated), ("1pzry9x0s0muk", .unsupported), ("10a06t8", .unsupported),
            ("A1G7SGD8", .badChecksum), ("a12uel5m", .badChecksum),
            (
                "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx",
                .tooLong(limit: 90)
            ),
        ])
    func malformed(_ text: String, _ error: EncodingError) {
        #expect(throws: error) { try Bech32.decode(text) }
    }

    @Test("data that could not be decoded are not encoded")
    func encoding() throws {
        func encode(_ hrp: String, _ data5: [UInt8]) throws {
            _ = try Bech32.encode(hrp: hrp, data5: data5, checksum: .bech32m)
        }
        #expect(throws: EncodingError.unsupported) { try encode("", []) }
        #expect(throws: EncodingError.unsupported) { try encode("a", [32]) }
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try encode("aB", []) }
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try encode("a b", []) }
        #expect(throws: EncodingError.badCharacter(offset: 0)) { try encode("é", []) }
        #expect(throws: EncodingError.tooLong(limit: 90)) { try encode(String(repeating: "a", count: 84), []) }
        #expect(throws: EncodingError.tooLong(limit: 90)) { try encode("a", [UInt8](repeating: 0, count: 83)) }
        try encode(String(repeating: "a", count: 83), [])
        try encode("a", [UInt8](repeating: 0, count: 82))
    }

    @Test("one to four mistyped characters are always found")
    func mistyped() throws {
        let random = SeededRandom(seed: 3)
        for checksum in [Bech32.Checksum.bech32, .bech32m] {
            let text = try Bech32.encode(
                hrp: "bc", data5: (0..<40).map { _ in UInt8(random.below(32)) }, checksum: checksum)
            for _ in 0..<300 {
                var characters = Array(text.utf8)
                for _ in 0...random.below(4) {
                    characters[3 + random.below(46)] = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)[random.below(32)]
                }
                let mistyped = String(decoding: characters, as: UTF8.self)
                // It may be valid under the other checksum, which is never checked at the same time.
                let found = try? Bech32.decode(mistyped).checksum
                #expect(mistyped == text || found != checksum, "\(mistyped)")
            }
        }
    }

    @Test("bytes survive regrouping, and left-over bits are refused")
    func groups() throws {
        let random = SeededRandom(seed: 4)
        for count in 0...64 {
            let bytes = random.publicBytes(count: count)
            let groups = Bech32.groups5(of: bytes)
            #expect(groups.count == (8 * count + 4) / 5)
            #expect(try Bech32.bytes(ofGroups5: groups) == bytes)
        }
        #expect(Bech32.groups5(of: [0xff, 0x01]) == [31, 28, 0, 16])
        #expect(throws: EncodingError.notCanonical) { try Bech32.bytes(ofGroups5: [31, 29]) }
        #expect(throws: EncodingError.notCanonical) { try Bech32.bytes(ofGroups5: [31, 28, 0]) }
        #expect(throws: EncodingError.notCanonical) { try Bech32.bytes(ofGroups5: [0]) }
        #expect(throws: EncodingError.unsupported) { try Bech32.bytes(ofGroups5: [31, 60]) }
    }

    @Test("accepted text is encoded to the same text, in lower case")
    func fuzz() {
        let seeds = [
            "a12uel5l", "A1LQFN3A", "?1v759aa", "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
            "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
        ].map { Array($0.utf8) }
        Fuzz.mutations(of: seeds, iterations: 5_000) { bytes in
            guard let decoded = try? Bech32.decode(text(bytes)) else { return }
            let encoded = try Bech32.encode(hrp: decoded.hrp, data5: decoded.data5, checksum: decoded.checksum)
            try requireEqual(encoded, text(bytes).lowercased())
        }
        let accepted = Fuzz.roundTrips(
            of: [[], [31, 28], Bech32.groups5(of: [1, 2, 3, 4, 5, 6, 7])], iterations: 5_000,
            decode: { try Bech32.bytes(ofGroups5: $0) }, encode: { Bech32.groups5(of: $0) })
        #expect(accepted > 0.01)
    }
}
