import Payments
import Testing
import Texts

@testable import Custody
@testable import ErrorTexts
@testable import Presentation

@Suite("Views")
struct ViewTests {
    @Test("a code has the same size drawn and printed, with a quiet zone of four modules", arguments: [true, false])
    func code(isStyled: Bool) throws {
        let code = try #require(QRCode("ethereum:0x52908400098527886E0F7030069857D2E4169EE7"))
        let lines = code.text(isStyled: false).text(isStyled: false).split(separator: "\n")
        let other = code.text(isStyled: isStyled).text(isStyled: false).split(separator: "\n")
        #expect(lines.count == other.count)
        #expect(Set(other.map(\.count)).count == 1)
        // Version 3 has 29 modules a side.
        #expect(other.first?.count == 29 + 2 * 4)
        // The first two lines are quiet: nothing is drawn in them where black is drawn.
        if isStyled { #expect(other.prefix(2).allSatisfy { $0.allSatisfy { $0 == " " } }) }
    }

    @Test("a share whose counts are missing is reported, and one without failed attempts is not")
    func counts() throws {
        let wallet = try WalletName("savings")
        #expect(UnfinishedAdvice.sentence(on: SigningCounts(), of: .backup, in: wallet) == nil)
        let missing = try #require(UnfinishedAdvice.sentence(on: nil, of: .backup, in: wallet))
        #expect(missing.contains("backup") && missing.hasSuffix("fueki wallet refresh savings"))
    }

    @Test("what is told on the way of a payment ends up among the warnings of its result only where it has to")
    func events() throws {
        let wallet = try WalletName("savings")
        #expect(
            PaymentEvent.handedOverEarlier(id: "ab").warning
                == "transaction ab, which was signed before, was handed to the node")
        #expect(PaymentEvent.askingForCoins.warning == nil)
        #expect(PaymentEvent.stillWaiting(seconds: 30).text(for: wallet, columns: 80) == "still waiting (30 s)")
    }
}
