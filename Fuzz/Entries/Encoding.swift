@testable internal import Encoding

extension FuzzEntry {
    /// The decoders of the library Encoding.
    static let encoding: [FuzzEntry] = [
        FuzzEntry(
            "cbor",
            seeds: [
                CBOR.array([
                    CBOR(1), CBOR(-1), .bool(true), .null, CBOR(1 << 40), .text("é"), .bytes([1, 2]), .array([]),
                ])
                .encoded, [0xA3, 0x26, 0x00, 0x61, 0x61, 0x80, 0x61, 0x62, 0xA0],
            ]
        ) { try CBOR(decoding: $0).encoded },
        FuzzEntry(
            "rlp",
            seeds: [
                RLP.list([
                    RLP(0), RLP(1 << 40), .bytes([UInt8](repeating: 7, count: 60)), .list([.bytes([]), .list([])]),
                ]),
                .bytes([127]), .bytes([128]),
            ].map(\.encoded)
        ) { try RLP(decoding: $0).encoded },
        // White space and escapes may differ: the decoded value has to encode and decode to itself.
        FuzzEntry(
            "json",
            seeds: [
                #"{"a": [1, -2.5e+3, true, false, null], "b": {"c": "\u00e9\n\ud83d\ude00"}, "": []}"#, "\"\"", "0",
            ].map { Array($0.utf8) }
        ) { input in
            let value = try JSON(decoding: input)
            precondition((try? JSON(decoding: value.encoded)) == value, "written differently")
            return input
        },
        FuzzEntry("hex", texts: ["", "00ff", "DEADbeef"]) {
            Hex.encode(try Hex.decode($0)) == $0.lowercased() ? $0 : ""
        },
        FuzzEntry("base64", texts: ["", "AA==", "AAA=", "+/8A"]) { Base64.encode(try Base64.decode($0)) },
        FuzzEntry("base64url", texts: ["", "AA", "AAA", "-_8A"]) { Base64URL.encode(try Base64URL.decode($0)) },
        FuzzEntry("base58", texts: ["", "11", "2NEpo7TZRRrLZSi2U"]) {
            String(decoding: Base58.encode(try Base58.decode($0)), as: UTF8.self)
        },
        FuzzEntry(
            "base58check", texts: [Base58Check.encode([0] + [UInt8](repeating: 9, count: 20)), Base58Check.encode([])]
        ) { Base58Check.encode(try Base58Check.decode($0)) },
        FuzzEntry(
            "bech32",
            texts: [
                "A12UEL5L", try Bech32.encode(hrp: "age", data5: [0, 31, 7], checksum: .bech32),
                try Bech32.encode(hrp: "x1y", data5: [], checksum: .bech32m),
            ]
        ) {
            let (hrp, data5, checksum) = try Bech32.decode($0)
            return try Bech32.encode(hrp: hrp, data5: data5, checksum: checksum) == $0.lowercased() ? $0 : ""
        },
        FuzzEntry("groups5", seeds: [[], [31, 28], Bech32.groups5(of: [1, 2, 3, 4, 5, 6])]) {
            Bech32.groups5(of: try Bech32.bytes(ofGroups5: $0))
        },
        FuzzEntry(
            "segwit",
            texts: try [(0, 20), (0, 32), (1, 32), (16, 2)].map { version, count in
                try SegwitAddress.encode(hrp: "bc", version: version, program: [UInt8](repeating: 0x51, count: count))
            }
        ) {
            let (hrp, version, program) = try SegwitAddress.decode($0)
            return try SegwitAddress.encode(hrp: hrp, version: version, program: program) == $0.lowercased() ? $0 : ""
        },
    ]
}
