import Testing

@testable import HDKeys

@Suite("Derivation paths")
struct DerivationPathTests {
    @Test("paths are printed as they are parsed", arguments: ["m", "m/0", "m/0/5", "m/86'/0'/0'/1/2147483647"])
    func roundTrip(_ text: String) throws {
        #expect(try DerivationPath(text).description == text)
    }

    @Test("h means the same as an apostrophe")
    func hardened() throws {
        #expect(try DerivationPath("m/86h/0h") == DerivationPath("m/86'/0'"))
    }

    @Test(
        "text that is no path is refused",
        arguments: [
            "", "0", "/0", "M/0", "m/", "m//0", "m/0/", "m/-1", "m/+1", "m/ 0", "m/0 ", "m/01", "m/00", "m/2147483648",
            "m/4294967296", "m/99999999999", "m/0''", "m/'", "m/h", "m/0H", "m/0x1", "m/٣", "m/0h'",
            "m" + String(repeating: "/0", count: 33),
        ])
    func bad(_ text: String) {
        #expect(throws: HDKeyError.badPath) { try DerivationPath(text) }
    }

    @Test("the index of an address is not hardened")
    func hardenedIndex() throws {
        #expect(throws: HDKeyError.badPath) { try AddressPath(.receive, index: 1 << 31) }
    }

    @Test("only two unhardened steps, the first 0 or 1, lead to an address")
    func addressPath() throws {
        #expect(AddressPath(try DerivationPath("m/1/7"))?.description == "m/1/7")
        for text in ["m", "m/0", "m/2/0", "m/0/0/0", "m/0'/0", "m/0/0'"] {
            #expect(AddressPath(try DerivationPath(text)) == nil, "\(text)")
        }
    }
}
