internal import Encoding
internal import TestSupport
internal import Testing

@Suite("Segwit addresses")
struct SegwitAddressTests {
    @Test(
        "known answers of BIP-350",
        arguments: [
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc", 0, "751e76e8199196d454941c45d1b3a323f1433bd6"),
            (
                "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "bc", 1,
                "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
            ),
            ("bc1sw50qgdz25j", "bc", 16, "751e"),
            (
                "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", "tb", 1,
                "000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433"
            ),
        ])
    func knownAnswers(_ address: String, _ hrp: String, _ version: Int, _ program: String) throws {
        #expect(try SegwitAddress.encode(hrp: hrp, version: version, program: hex(program)) == address)
        let decoded = try SegwitAddress.decode(address)
        #expect(decoded == (hrp, version, hex(program)))
        let upper = try SegwitAddress.decode(address.uppercased())
        #expect(upper == (hrp, version, hex(program)))
    }

    @Test(
        "malformed addresses are refused",
        arguments: [
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", EncodingError.badChecksum),
            // Bech32 in place of Bech32m, and the other way round.
            ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", .badChecksum),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", .badChecksum),
            // Version 17.
            ("BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", .unsupported),
            // Programs of 1 and 41 bytes; of 16 bytes for version 0.
            ("bc1pw5dgrnzv", .unsupported),
            ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", .unsupported),
            ("BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", .unsupported),
            // More than four bits over; bits over that are not zero.
            ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", .notCanonical),
            ("tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", .notCanonical),
            ("bc1gmk9yu", .truncated),
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", .badCharacter(offset: 3)),
        ])
    func malformed(_ address: String, _ error: EncodingError) {
        #expect(throws: error) { try SegwitAddress.decode(address) }
    }

    @Test("every version and size is encoded and decoded, or refused")
    func sizes() throws {
        for version in -1...17 {
            for size in 0...42 {
                let program = [UInt8](repeating: 0xa5, count: size)
                let isAllowed =
                    version == 0 ? [20, 32].contains(size) : (1...16).contains(version) && (2...40).contains(size)
                guard isAllowed else {
                    #expect(throws: EncodingError.unsupported) {
                        try SegwitAddress.encode(hrp: "bcrt", version: version, program: program)
                    }
                    continue
                }
                let decoded = try SegwitAddress.decode(
                    SegwitAddress.encode(hrp: "bcrt", version: version, program: program))
                #expect(decoded == ("bcrt", version, program))
            }
        }
    }

    @Test("accepted text is encoded to the same text, in lower case")
    func fuzz() {
        let seeds = [
            "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "bc1sw50qgdz25j",
            "tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c",
        ].map { Array($0.utf8) }
        Fuzz.mutations(of: seeds, iterations: 5_000) { bytes in
            guard let decoded = try? SegwitAddress.decode(text(bytes)) else { return }
            let encoded = try SegwitAddress.encode(
                hrp: decoded.hrp, version: decoded.version, program: decoded.program)
            try requireEqual(encoded, text(bytes).lowercased())
        }
        // With a checksum that is right, so that what is behind it is reached.
        var accepted = 0
        Fuzz.mutations(
            of: [[0] + Bech32.groups5(of: [UInt8](0..<20)), [1] + Bech32.groups5(of: [UInt8](0..<32))],
            iterations: 5_000
        ) {
            let data5 = $0.prefix(80).map { $0 & 31 }
            let checksum: Bech32.Checksum = data5.first == 0 ? .bech32 : .bech32m
            let address = try Bech32.encode(hrp: "tb", data5: data5, checksum: checksum)
            guard let decoded = try? SegwitAddress.decode(address) else { return }
            accepted += 1
            let encoded = try SegwitAddress.encode(hrp: decoded.hrp, version: decoded.version, program: decoded.program)
            try requireEqual(encoded, address)
        }
        // The two seeds at least.
        #expect(accepted >= 2)
    }
}
