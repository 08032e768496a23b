internal import Amounts
import Secrets
import TestSupport
import Testing

@Suite("Numbers of 256 bits")
struct UInt256Tests {
    private static let maximumText = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

    private func random(_ random: SeededRandom) throws -> UInt256 {
        try UInt256(bytes: random.publicBytes(count: random.below(33)))
    }

    @Test("the greatest number, in all of its forms")
    func maximum() throws {
        let maximum = UInt256.maximum
        #expect(maximum.description == Self.maximumText)
        #expect(maximum.bytes == [UInt8](repeating: 0xff, count: 32) && maximum.minimalBytes == maximum.bytes)
        #expect(maximum.quantity == "0x" + String(repeating: "f", count: 64))
        #expect(try UInt256(decimal: Self.maximumText) == maximum)
        #expect(try UInt256(quantity: maximum.quantity) == maximum)
        #expect(try UInt256(bytes: maximum.bytes) == maximum)
        #expect(maximum.bitWidth == 256 && maximum.uint64 == nil)
    }

    @Test("zero has no bytes, one digit, and no bits")
    func zero() throws {
        #expect(UInt256.zero.minimalBytes.isEmpty && UInt256.zero.bytes == [UInt8](repeating: 0, count: 32))
        #expect(UInt256.zero.description == "0" && UInt256.zero.quantity == "0x0" && UInt256.zero.bitWidth == 0)
        #expect(try UInt256(bytes: []) == .zero && UInt256.zero.isZero && !UInt256.one.isZero)
    }

    @Test("sums, differences, products and quotients out of range are refused")
    func bounds() throws {
        let half = try UInt256(hexadecimal: "0x8" + String(repeating: "0", count: 63))
        #expect(throws: AmountError.outOfRange) { try UInt256.maximum.adding(.one) }
        #expect(throws: AmountError.outOfRange) { try UInt256.zero.subtracting(.one) }
        #expect(throws: AmountError.outOfRange) { try half.multiplied(by: 2) }
        #expect(throws: AmountError.outOfRange) { try UInt256.one.divided(by: .zero) }
        #expect(throws: AmountError.outOfRange) { try UInt256(bytes: [UInt8](repeating: 0, count: 33)) }
        #expect(try half.adding(half.subtracting(.one)) == .maximum)
        #expect(try UInt256(1 << 32).multiplied(by: UInt256(1 << 32)).description == "18446744073709551616")
        #expect(try UInt256.maximum.divided(by: half) == (1, half.subtracting(1)))
    }

    @Test("arithmetic is consistent, and every form is parsed back to the same number")
    func properties() throws {
        let source = SeededRandom(seed: 4)
        for _ in 0..<1_000 {
            let (left, right) = (try random(source), try random(source))
            #expect(try UInt256(decimal: left.description) == left, "seed \(source.seed)")
            #expect(try UInt256(quantity: left.quantity) == left, "seed \(source.seed)")
            #expect(try UInt256(bytes: left.bytes) == left && UInt256(bytes: left.minimalBytes) == left)
            #expect(left.minimalBytes.first != 0 && left.bytes.count == 32)
            let (high, low) = (max(left, right), min(left, right))
            #expect(try high.subtracting(low).adding(low) == high, "seed \(source.seed)")
            guard !low.isZero else { continue }
            let (quotient, remainder) = try high.divided(by: low)
            #expect(try quotient.multiplied(by: low).adding(remainder) == high && remainder < low)
        }
    }

    @Test(
        "text that is no number is refused",
        arguments: [
            "", "-1", "+1", " 1", "1_0", "1e3", "0x1", "٣", "1.0", String(repeating: "0", count: 129),
        ])
    func badDecimal(_ text: String) {
        #expect(throws: AmountError.malformed) { try UInt256(decimal: text) }
    }

    @Test(
        "a number above the maximum is refused",
        arguments: [
            maximumText + "0", "115792089237316195423570985008687907853269984665640564039457584007913129639936",
        ])
    func large(_ text: String) {
        #expect(throws: AmountError.outOfRange) { try UInt256(decimal: text) }
    }

    @Test("hexadecimal text has its prefix, and a quantity no leading zeros")
    func badHexadecimal() throws {
        for text in ["", "0x", "1", "0X1", "0xg", "0x-1", "x1", "0x" + String(repeating: "0", count: 65)] {
            #expect(throws: AmountError.malformed, "\(text)") { try UInt256(hexadecimal: text) }
        }
        #expect(try UInt256(hexadecimal: "0x00Ff") == 255)
        for text in ["0x00", "0x01", "0x"] {
            #expect(throws: AmountError.malformed, "\(text)") { try UInt256(quantity: text) }
        }
        #expect(try UInt256(quantity: "0x0") == .zero && UInt256(quantity: "0x1F") == 31)
    }
}

@Suite("Amounts with decimals and units")
struct DecimalTextTests {
    @Test(
        "text is exact, with as many places as the unit has",
        arguments: [
            ("1", 18, "1000000000000000000"), ("0.1", 18, "100000000000000000"), ("0.000000000000000001", 18, "1"),
            ("1.5", 6, "1500000"), ("007", 0, "7"), ("0", 36, "0"),
            ("0.000000000000000000000000000000000001", 36, "1"),
            (
                "115792089237316195423570985008687907853269984665640564039457.584007913129639935", 18,
                "115792089237316195423570985008687907853269984665640564039457584007913129639935"
            ),
        ])
    func exact(_ text: String, _ places: Int, _ digits: String) throws {
        let decimals = try Decimals(places)
        let value = try DecimalText.read(text, decimals)
        #expect(value.description == digits)
        #expect(try DecimalText.read(DecimalText.full(value, decimals), decimals) == value)
        #expect(try DecimalText.read(DecimalText.short(value, decimals), decimals) == value)
    }

    @Test("an amount is printed with all decimals, or without trailing zeros")
    func printed() throws {
        #expect(DecimalText.full(1_500_000, try Decimals(6)) == "1.500000")
        #expect(DecimalText.short(1_500_000, try Decimals(6)) == "1.5")
        #expect(DecimalText.short(2_000_000, try Decimals(6)) == "2" && DecimalText.short(0, .ether) == "0")
        #expect(DecimalText.full(0, .ether) == "0.000000000000000000" && DecimalText.full(100, .none) == "100")
        #expect(DecimalText.short(100, .none) == "100" && DecimalText.short(1, .gwei) == "0.000000001")
    }

    @Test(
        "a text that is not a number, or has too many decimal places, is refused",
        arguments: [
            "", ".", "1.", ".5", "-1", "+1", " 1", "1 ", "1e3", "1,5", "0.0000001", "1.2.3", "٣", "0x10", "1_000",
        ])
    func refused(_ text: String) throws {
        let six = try Decimals(6)
        #expect(throws: AmountError.malformed) { try DecimalText.read(text, six) }
    }

    @Test("a unit without decimals has no point, and no unit has more than 36")
    func places() {
        for text in ["1.0", "1.", "1.5"] {
            #expect(throws: AmountError.malformed) { try DecimalText.read(text, .none) }
        }
        for count in [-1, 37, 255] { #expect(throws: AmountError.outOfRange) { try Decimals(count) } }
    }

    @Test("any number with any number of decimals is parsed back from its text")
    func roundTrip() throws {
        let random = SeededRandom(seed: 8)
        for _ in 0..<2_000 {
            let value = try UInt256(bytes: random.publicBytes(count: random.below(33)))
            let decimals = try Decimals(random.below(37))
            #expect(try DecimalText.read(DecimalText.full(value, decimals), decimals) == value, "seed \(random.seed)")
            #expect(try DecimalText.read(DecimalText.short(value, decimals), decimals) == value, "seed \(random.seed)")
        }
    }

    @Test("an amount names its unit")
    func units() throws {
        #expect(try Wei("0.1eth").value.description == "100000000000000000")
        #expect(try Wei("30 gwei").value == 30_000_000_000 && Wei("12wei").value == 12 && Wei("1.5 ETH").ether == "1.5")
        #expect(try MoneyUnit.read("1500sat") == (1_500, .sat) && MoneyUnit.read("0.01 btc") == (1_000_000, .btc))
        for text in [
            "", "1", "eth", " eth", "1  eth", "1eth ", "1Eth", "1ether", "1.5wei", "0.0000000001gwei",
            "1e18wei", "0x1wei", "-1eth", "1eth1", "1 eth eth", "1\u{a0}eth",
        ] {
            #expect(throws: AmountError.malformed, "\(text)") { try Wei(text) }
        }
        for text in ["1sat", "1 btc"] {
            #expect(throws: AmountError.otherUnit, "\(text)") { try Wei(text) }
        }
    }

    @Test("ether is added, subtracted and multiplied within 256 bits")
    func wei() throws {
        let one = try Wei("1eth")
        #expect(try one.adding(one).description == "2 ETH" && one.subtracting(one) == .zero)
        #expect(try Wei("30.5gwei").multiplied(by: 21_000).gwei == "640500")
        #expect(throws: AmountError.outOfRange) { try Wei(.maximum).adding(one) }
        #expect(throws: AmountError.outOfRange) { try Wei.zero.subtracting(one) }
        #expect(throws: AmountError.outOfRange) { try Wei(.maximum).multiplied(by: 2) }
    }
}
