import Amounts
import Encoding
import Ethereum
import Testing
import Wallet

@Suite("Until when an allowance holds")
struct AllowanceTermTests {
    /// Permit2's approve(address,address,uint160,uint48).
    private static func payload(expiration: UInt64) throws -> SigningPayload {
        func word(_ value: UInt64) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 64 - digits.count) + digits
        }
        let data = try Hex.decode("87517c45" + word(0x11) + word(0x22) + word(1_000) + word(expiration))
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(UInt256(2)), maxFeePerGas: Wei(UInt256(30)))
        return .ethereumTransaction(
            try EthereumTransaction(
                chainID: .ethereum, nonce: 0, gasLimit: 60_000,
                to: try EthereumAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3"), value: .zero, data: data,
                kind: .dynamicFee(fees, [])), account: 0)
    }

    @Test("an allowance of Permit2 ends at its time, and zero is the block that takes it in")
    func permit2() throws {
        #expect(
            try Self.payload(expiration: 1_800_000_000).allowanceTerms
                == [.until(UInt256(1_800_000_000), handedInBy: nil)])
        #expect(try Self.payload(expiration: 0).allowanceTerms == [.inOneBlock(handedInBy: nil)])
    }

    @Test("an effect without an allowance has no term")
    func message() throws {
        #expect(SigningPayload.personalMessage(try PersonalMessage("hello"), account: 0).allowanceTerms.isEmpty)
    }
}
