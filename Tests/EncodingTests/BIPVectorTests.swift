internal import Encoding
internal import TestSupport
internal import Testing

/// All vectors in the texts of BIP-173 and BIP-350.
@Suite("BIP-173 and BIP-350 vectors", .withVectors)
struct BIPVectorTests {
    /// Returns the strings of the list below a line that contains `heading`, each with the rest of its line.
    private func list(_ heading: String, of number: String) throws -> [(text: String, rest: String)] {
        let lines = try Vectors.text("bip-text/bip-\(number).mediawiki")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains(heading) })
        let list = lines[start...].drop { !$0.hasPrefix("* ") }.prefix { $0.hasPrefix("* ") }
        return try list.map { line in
            // An unprintable character is written beside the string: `0x20 + <tt>1nwldj5</tt>`.
            let match = try #require(line.firstMatch(of: /\* (?:0x(..) \+ )?<tt>(.*?)<\/tt>(?: \+ 0x(..))?(.*)/))
            func character(_ code: Substring?) throws -> String {
                try code.map { String(try #require(UInt32($0, radix: 16).flatMap(Unicode.Scalar.init))) } ?? ""
            }
            return (try character(match.1) + match.2 + character(match.3), String(match.4))
        }
    }

    @Test(
        "valid strings are read, with the checksum that is theirs, and written again",
        arguments: [("0173", Bech32.Checksum.bech32, 7), ("0350", .bech32m, 7)])
    func valid(_ number: String, _ checksum: Bech32.Checksum, _ count: Int) throws {
        let name = checksum == .bech32 ? "Bech32" : "Bech32m"
        let strings = try list("The following strings are valid \(name):", of: number)
        #expect(strings.count == count)
        for (text, _) in strings {
            let decoded = try Bech32.decode(text)
            #expect(decoded.checksum == checksum)
            #expect(
                try Bech32.encode(hrp: decoded.hrp, data5: decoded.data5, checksum: checksum) == text.lowercased())
        }
    }

    @Test(
        "invalid strings are refused",
        arguments: [("0173", "are not valid Bech32 (", 12), ("0350", "are not valid Bech32m (", 14)])
    func invalid(_ number: String, _ heading: String, _ count: Int) throws {
        let strings = try list(heading, of: number)
        #expect(strings.count == count)
        for (text, _) in strings { #expect(throws: EncodingError.self, "\(text)") { try Bech32.decode(text) } }
    }

    private static let networks: Set = ["bc", "tb"]

    @Test("valid addresses give the output script, and encode to the same text")
    func validAddresses() throws {
        let addresses = try list("list gives valid segwit addresses", of: "0350")
        #expect(addresses.count == 8)
        for (address, rest) in addresses {
            let script = hex(String(try #require(rest.firstMatch(of: /<tt>([0-9a-f]+)<\/tt>/)).1))
            let (hrp, version, program) = try SegwitAddress.decode(address)
            #expect(Self.networks.contains(hrp))
            #expect([version == 0 ? 0 : 0x50 + UInt8(version), UInt8(program.count)] + program == script)
            #expect(try SegwitAddress.encode(hrp: hrp, version: version, program: program) == address.lowercased())
        }
    }

    @Test("the addresses of BIP-173 for versions above 0 are refused since BIP-350")
    func superseded() throws {
        let addresses = try list("list gives valid segwit addresses", of: "0173")
        #expect(addresses.count == 6)
        for (address, rest) in addresses {
            if rest.contains("<tt>00") {
                _ = try SegwitAddress.decode(address)
            } else {
                #expect(throws: EncodingError.badChecksum) { try SegwitAddress.decode(address) }
            }
        }
    }

    @Test("invalid addresses are refused, or name another network", arguments: [("0173", 10), ("0350", 15)])
    func invalidAddresses(_ number: String, _ count: Int) throws {
        let addresses = try list("list gives invalid segwit addresses", of: number)
        #expect(addresses.count == count)
        for (address, reason) in addresses {
            let hrp = try? SegwitAddress.decode(address).hrp
            #expect(hrp == nil || reason.contains("human-readable part") && hrp == "tc", "\(address)\(reason)")
        }
    }
}
