internal import Encoding
internal import TestSupport
internal import Testing

/// All vectors of BIP-173 and BIP-350.
@Suite("BIP-173 and BIP-350 vectors")
struct BIPVectorTests {
    @Test(
        "valid strings are read, with the checksum that is theirs, and written again",
        arguments: [("bip173", Bech32.Checksum.bech32, 7), ("bip350", .bech32m, 7)])
    func valid(_ name: String, _ checksum: Bech32.Checksum, _ count: Int) throws {
        for string in try Vectors.json(name)["valid"].array(of: count) {
            let text = try string.string
            let decoded = try Bech32.decode(text)
            #expect(decoded.checksum == checksum)
            #expect(
                try Bech32.encode(hrp: decoded.hrp, data5: decoded.data5, checksum: checksum) == text.lowercased())
        }
    }

    @Test("invalid strings are refused", arguments: [("bip173", 12), ("bip350", 14)])
    func invalid(_ name: String, _ count: Int) throws {
        for string in try Vectors.json(name)["invalid"].array(of: count) {
            let text = try string.string
            #expect(throws: EncodingError.self, "\(text)") { try Bech32.decode(text) }
        }
    }

    private static let networks: Set = ["bc", "tb"]

    @Test("valid addresses give the output script, and encode to the same text")
    func validAddresses() throws {
        for test in try Vectors.json("bip350")["addresses"].array(of: 8) {
            let (address, script) = (try test["address"].string, try test["script"].bytes)
            let (hrp, version, program) = try SegwitAddress.decode(address)
            #expect(Self.networks.contains(hrp))
            #expect([version == 0 ? 0 : 0x50 + UInt8(version), UInt8(program.count)] + program == script)
            #expect(try SegwitAddress.encode(hrp: hrp, version: version, program: program) == address.lowercased())
        }
    }

    @Test("the addresses of BIP-173 for versions above 0 are refused since BIP-350")
    func superseded() throws {
        for test in try Vectors.json("bip173")["addresses"].array(of: 6) {
            let address = try test["address"].string
            if try test["script"].bytes[0] == 0 {
                _ = try SegwitAddress.decode(address)
            } else {
                #expect(throws: EncodingError.badChecksum) { try SegwitAddress.decode(address) }
            }
        }
    }

    @Test("invalid addresses are refused, or name another network", arguments: [("bip173", 10), ("bip350", 15)])
    func invalidAddresses(_ name: String, _ count: Int) throws {
        for test in try Vectors.json(name)["invalid_addresses"].array(of: count) {
            let (address, isOther) = (try test["address"].string, try test["is_other_network"].bool)
            let hrp = try? SegwitAddress.decode(address).hrp
            #expect(hrp == nil || isOther && hrp == "tc", "\(address)")
        }
    }
}
