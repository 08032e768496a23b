internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Faults of segwit addresses")
struct SegwitAddressFaultTests {
    private static let prefixes = ["bc", "tb", "bcrt"]
    private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")

    private func fault(_ text: String) -> SegwitAddress.Fault? {
        SegwitAddress.fault(in: text, prefixes: Self.prefixes)
    }

    @Test(
        "an address has no fault, and neither has a text that does not resemble one",
        arguments: [
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
            "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", "", "1", "b", "hello",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "0x0001020304050607080900010203040506070809",
            "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx",
        ])
    func none(_ text: String) {
        #expect(fault(text) == nil)
    }

    @Test(
        "the fault of a text that was meant as an address",
        arguments: [
            // One and two characters changed, the last of them in the checksum; in capitals; in the version.
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", SegwitAddress.Fault.mistyped(offsets: [41])),
            ("bc1qw508d6qejztdg4y5r3zarvary0c5xw7kv8f3t5", .mistyped(offsets: [13, 41])),
            ("BC1QW508D6QEJZTDG4Y5R3ZARVARY0C5XW7KV8F3T4", .mistyped(offsets: [13])),
            ("bc1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hx", .badChecksum),
            // A character of the prefix, with and without another one.
            ("bv1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .mistyped(offsets: [1])),
            ("bclqw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .mistyped(offsets: [2])),
            ("bv1qw508d6qejztdg4y5r3zarvary0c5xw7kv8f3t4", .mistyped(offsets: [1, 13])),
            // Letters that no address has; also one that is a separator, one of two bytes and a control character.
            ("bc1qw5o8d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .foreignCharacters(offsets: [6])),
            ("bc1qwb08d6qejxtdg4y5r3zarvary0c5xw7kv8f3i4", .foreignCharacters(offsets: [5, 40])),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw71v8f3t4", .foreignCharacters(offsets: [35])),
            ("bc1qw508d6qéjxtdg4y5r3zarvary0c5xw7kv8f3t4", .foreignCharacters(offsets: [11])),
            ("bc1qw508d6q\u{1B}jxtdg4y5r3zarvary0c5xw7kv8f3t4", .foreignCharacters(offsets: [11])),
            ("bc1qw508d6qejxtdg4y5R3zarvary0c5xw7kv8f3t4", .mixedCase(offsets: [20])),
            ("Bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .mixedCase(offsets: [0])),
            // A character lost, doubled, and half the address lost.
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t", .length(count: 41, expected: [42, 62])),
            ("bc1qqw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", .length(count: 43, expected: [42, 62])),
            ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj", .length(count: 61, expected: [62])),
            ("bcrt1", .length(count: 5, expected: [44, 64])),
            // Four characters changed.
            ("bc1qqqqqqqqejxtdg4y5r3zarvary0c5xw7kv8f3t4", .badChecksum),
            // Bech32 in place of Bech32m, and the other way round; version 17.
            ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", .otherChecksum),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", .otherChecksum),
            ("BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", .unknownProgram),
        ])
    func known(_ text: String, _ expected: SegwitAddress.Fault) {
        #expect(fault(text) == expected)
    }

    @Test("one or two mistyped characters of any address are found, wherever they are")
    func substitutions() throws {
        let random = SeededRandom(seed: 173)
        for round in 0..<120 {
            let version = round % 2
            let size = version == 0 && round % 4 == 0 ? 20 : 32
            let address = Array(
                try SegwitAddress.encode(
                    hrp: Self.prefixes[random.below(3)], version: version, program: random.publicBytes(count: size)))
            let start = try #require(address.firstIndex(of: "1")) + 1
            for count in 1...2 {
                var offsets: Set<Int> = []
                // The version may be mistyped too, in which case the lengths of the other version are expected.
                while offsets.count < count { offsets.insert(start + 1 + random.below(address.count - start - 1)) }
                var mistyped = address
                for offset in offsets {
                    while mistyped[offset] == address[offset] { mistyped[offset] = Self.alphabet[random.below(32)] }
                }
                #expect(fault(String(mistyped)) == .mistyped(offsets: offsets.sorted()), "\(String(mistyped))")
            }
        }
    }

    @Test("a mistyped version is found, unless it asks for another length")
    func version() throws {
        let address = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"
        for letter in Self.alphabet where letter != "p" {
            var mistyped = Array(address)
            mistyped[3] = letter
            #expect(fault(String(mistyped)) == .mistyped(offsets: [3]), "\(letter)")
        }
    }

    @Test("more than two mistyped characters are rarely taken for one or two")
    func manySubstitutions() throws {
        let random = SeededRandom(seed: 350)
        var misled = 0
        for _ in 0..<400 {
            let address = Array(
                try SegwitAddress.encode(hrp: "bc", version: 0, program: random.publicBytes(count: 20)))
            var mistyped = address
            for offset in [5, 12, 23, 31, 38] {
                while mistyped[offset] == address[offset] { mistyped[offset] = Self.alphabet[random.below(32)] }
            }
            let found = fault(String(mistyped))
            #expect(found != nil)
            if found != .badChecksum { misled += 1 }
        }
        // 41 * 40 / 2 * 31 * 31 of 2^30 remainders: about one of a thousand.
        #expect(misled <= 4)
    }

    @Test("the work for any text is bounded")
    func anyText() {
        let seeds = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bcrt1p", "tb1"].map { Array($0.utf8) }
        Fuzz.mutations(of: seeds, iterations: 3_000) { bytes in
            let text = text(bytes)
            guard let found = fault(text) else { return }
            if case .mistyped(let offsets) = found {
                try requireEqual(offsets.allSatisfy { $0 < text.count } && (1...2).contains(offsets.count), true)
            }
        }
        #expect(
            fault("bc1q" + String(repeating: "q", count: 1_000_000)) == .length(count: 1_000_004, expected: [42, 62]))
    }
}
