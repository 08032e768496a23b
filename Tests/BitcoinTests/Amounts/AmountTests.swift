internal import Bitcoin
import TestSupport
import Testing

@Suite("Amounts")
struct AmountTests {
    @Test(
        "bitcoin text is exact",
        arguments: [
            ("0", 0), ("0.00000001", 1), ("1", 100_000_000), ("1.5", 150_000_000), ("0.1", 10_000_000),
            ("20999999.99999999", 2_099_999_999_999_999), ("21000000", 2_100_000_000_000_000), ("00.10", 10_000_000),
        ])
    func bitcoins(_ text: String, _ satoshis: UInt64) throws {
        let amount = try Amount(bitcoins: text)
        #expect(amount.satoshis == satoshis)
        #expect(try Amount(amount.description) == amount)
        #expect(try Amount(bitcoins: amount.bitcoins) == amount)
    }

    @Test(
        "text that is no amount of bitcoin is refused",
        arguments: [
            "", ".", "1.", ".5", "-1", "+1", " 1", "1 ", "1e3", "1,5", "0.000000001", "1.123456789",
            "21000000.00000001",
            "21000001", "9999999999999999999", "99999999999999999999", "1.2.3", "٣", "0x10", "NaN", "1_000",
        ])
    func badBitcoins(_ text: String) {
        #expect(throws: BitcoinError.badAmount) { try Amount(bitcoins: text) }
    }

    @Test("an amount with a unit requires the unit, and a satoshi has no fractions")
    func units() throws {
        #expect(try Amount("1500 sat").satoshis == 1_500)
        #expect(try Amount("0.1 BTC").satoshis == 10_000_000)
        for text in [
            "1500", "1500sat", "1.5 sat", "1 btc", "1  sat", " sat", "2100000000000001 sat", "-1 sat", "1 sat ",
        ] {
            #expect(throws: BitcoinError.badAmount, "\(text)") { try Amount(text) }
        }
    }

    @Test("an amount is printed with eight decimals")
    func description() throws {
        #expect(Amount.zero.description == "0.00000000 BTC")
        #expect(try Amount(satoshis: 1).bitcoins == "0.00000001")
        #expect(Amount.maximum.bitcoins == "21000000.00000000")
    }

    @Test("sums and differences outside the range are refused")
    func arithmetic() throws {
        let one = try Amount(satoshis: 1)
        #expect(throws: BitcoinError.badAmount) { try Amount.maximum.adding(one) }
        #expect(throws: BitcoinError.badAmount) { try Amount.zero.subtracting(one) }
        #expect(throws: BitcoinError.badAmount) { try Amount(satoshis: .max) }
        #expect(throws: BitcoinError.badAmount) { try Amount.sum([.maximum, one, .maximum]) }
        #expect(try Amount.maximum.subtracting(one).adding(one) == .maximum)
    }

    @Test("any amount is parsed back from its text")
    func roundTrip() throws {
        let random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            let amount = try Amount(satoshis: random.next() % 2_100_000_000_000_001 >> UInt64(random.below(50)))
            #expect(try Amount(amount.description) == amount, "seed \(random.seed)")
            #expect(try Amount("\(amount.satoshis) sat") == amount, "seed \(random.seed)")
        }
    }

    @Test("a feerate is an integer with three decimals")
    func feeRate() throws {
        #expect(FeeRate(fee: try Amount(satoshis: 1_000), virtualSize: 111).description == "9.009 sat/vB")
        #expect(FeeRate(fee: .zero, virtualSize: 111).description == "0.000 sat/vB")
        #expect(FeeRate(fee: .maximum, virtualSize: 1).satoshisPerKilobyte == 2_100_000_000_000_000_000)
    }
}
