import Ethereum
import HDKeys
import Testing
import Wallet

@Suite("Chains in sentences")
struct ChainTests {
    @Test("a sentence names the chain, and that it is for tests; programs get a number")
    func sentences() throws {
        func chain(_ number: UInt64) throws -> Chain { .ethereum(try ChainID(number)) }
        #expect(try chain(8_453).name == "Base (ethereum:8453)")
        #expect(try chain(11_155_111).name == "Sepolia, a test network (ethereum:11155111)")
        #expect(try chain(31_337).name == "local test chain (ethereum:31337)")
        #expect(try chain(12_345).name == "chain 12345" && Chain.bitcoin(.signet).name == "bitcoin:signet")
        #expect(try chain(8_453).description == "ethereum:8453" && chain(12_345).description == "ethereum:12345")
        #expect(try chain(137).unit == "POL" && chain(8_453).unit == "ETH" && chain(12_345).unit == "coins")
    }
}
