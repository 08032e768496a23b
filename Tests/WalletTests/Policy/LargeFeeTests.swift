internal import Amounts
internal import HDKeys
import Testing
import Wallet

@Suite("Fees that are large whatever a node expects")
struct LargeFeeTests {
    private static let regtest = Chain.bitcoin(.regtest)

    private func names(_ intent: Intent, expecting fee: UInt256? = nil) -> [String] {
        let node = NodeView(balance: .maximum, expectedFee: fee, contracts: [], failure: nil)
        return intent.checked(in: Sample.context(node: node)).costs(besides: []).map(\.name)
    }

    @Test("above an absolute bound a fee is costly, even if the node expects as much")
    func absolute() throws {
        let huge = UInt256(1_000_000_000_000)
        func bitcoin(_ fee: UInt256) -> Intent { Sample.intent(Sample.payment(huge), fee: fee, chain: Self.regtest) }
        #expect(names(bitcoin(100_000), expecting: 100_000) == [])
        #expect(names(bitcoin(100_001), expecting: 100_001) == ["large_fee"])
        let milli = UInt256(1_000_000_000_000_000)
        let five = try milli.multiplied(by: 5)
        let many = try milli.multiplied(by: 1_000_000)
        #expect(names(Sample.intent(Sample.payment(many), fee: five), expecting: five) == [])
        let more = try five.adding(1)
        #expect(names(Sample.intent(Sample.payment(many), fee: more), expecting: more) == ["large_fee"])
        // Nothing is paid, or no coins.
        #expect(names(Sample.intent(.nothing, fee: more), expecting: more) == ["large_fee"])
        let tokens = Sample.payment(1, of: .token(Sample.token))
        #expect(names(Sample.intent(tokens, fee: more), expecting: more) == ["large_fee"])
        #expect(names(Sample.intent(tokens, fee: five), expecting: five) == [])
    }

    @Test("a quarter of the payment is costly, unless it is a small amount")
    func share() throws {
        func bitcoin(_ fee: UInt256, paying amounts: UInt256...) -> Intent {
            Intent.made(amounts.map { Sample.payment($0) }, fee: fee, chain: Self.regtest)
        }
        #expect(names(bitcoin(20_000, paying: 80_000), expecting: 20_000) == ["large_fee"])
        #expect(names(bitcoin(20_000, paying: 80_001), expecting: 20_000) == [])
        #expect(names(bitcoin(20_000, paying: 40_000, 40_000), expecting: 20_000) == ["large_fee"])
        #expect(names(bitcoin(20_000, paying: 40_001, 40_000), expecting: 20_000) == [])
        #expect(names(bitcoin(10_001, paying: 1), expecting: 10_001) == ["large_fee"])
        #expect(names(bitcoin(10_000, paying: 1), expecting: 10_000) == [])
        #expect(names(bitcoin(10_001, paying: .maximum, .maximum), expecting: 10_001) == [])
    }

    @Test("the reserve for a further fee counts")
    func furtherFee() throws {
        let milli = UInt256(1_000_000_000_000_000)
        let intent = Sample.intent(
            Sample.payment(try milli.multiplied(by: 1_000_000)), fee: try milli.multiplied(by: 3))
        func names(_ further: FurtherFee) -> [String] {
            let node = NodeView(
                balance: .maximum, expectedFee: nil, contracts: [], failure: nil, furtherFee: further)
            return intent.checked(in: Sample.context(node: node)).costs(besides: []).map(\.name)
        }
        #expect(names(.now(milli)) == [])
        #expect(names(.now(try milli.adding(1))) == ["large_fee"])
        #expect(names(.now(.maximum)) == ["large_fee"])
    }

    @Test("a fee already found costly by Bitcoin's rules is not reported twice; a notice does not prevent it")
    func once() {
        func intent(_ weight: Finding.Weight) -> Intent {
            Sample.intent(
                Sample.payment(1), fee: 200_000, chain: Self.regtest,
                findings: [Finding("high_fee_share", "x", weight)])
        }
        #expect(names(intent(.costly)) == ["high_fee_share"])
        #expect(names(intent(.notice)) == ["large_fee"])
    }
}
