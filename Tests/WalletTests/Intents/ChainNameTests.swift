import Ethereum
import HDKeys
import Testing
import Wallet

@Suite("Chains as users name them")
struct ChainNameTests {
    @Test("every listed name is read, and written as it was read")
    func names() throws {
        for name in ChainName.all { #expect(try #require(ChainName(name)).text == name) }
        #expect(ChainName("ethereum:1")?.text == "ethereum")
        #expect(ChainName("ethereum:12345")?.text == "ethereum:12345")
    }

    @Test(
        "no other text is a name", arguments: ["", "Bitcoin", "bitcoin:mainnet", "ethereum:", "ethereum:0x1", "mars"])
    func refused(text: String) { #expect(ChainName(text) == nil) }

    @Test("Bitcoin is named only on the wallet's network")
    func network() {
        #expect(ChainName(.bitcoin(.regtest), of: .regtest) == .bitcoin)
        #expect(ChainName(.bitcoin(.mainnet), of: .regtest) == nil)
        #expect(ChainName(.ethereum(.ethereum), of: .regtest) == .ethereum(.ethereum))
    }
}
