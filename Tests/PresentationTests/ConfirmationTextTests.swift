import Custody
import Ethereum
import Payments
import SigningSession
import Sweep
import Testing
import Texts
import Wallet
internal import WalletBooks

@testable import ErrorTexts
@testable import Presentation

@Suite("Confirmations and choices in words")
struct ConfirmationTextTests {
    private static let cost = Finding("large_fee", "the fee is large", .costly)

    @Test("an error at the end repeats nothing that was told before it")
    func telling() {
        func telling(_ outcome: ConfirmationOutcome, isRehearsal: Bool = false) -> IntentView.Telling? {
            outcome.telling(isRehearsal: isRehearsal)
        }
        #expect(telling(.rehearsed, isRehearsal: true) == nil)
        #expect(telling(.refused([])) == .withoutRefusals)
        #expect(telling(.unaccepted([Self.cost], areAll: true)) == .withoutCosts)
        #expect(telling(.unaccepted([Self.cost], areAll: false)) == .all)
        #expect(telling(.otherDigest) == .all && telling(.otherDigest, isRehearsal: true) == nil)
    }

    @Test("an unaccepted finding names the option that was not enough, and the one that accepts it")
    func unaccepted() {
        let sweep = SweepConfirmation.unaccepted([Self.cost]).failure(by: .advance(accepting: .none))
        #expect(sweep?.message == "not signed with --yes: the fee is large")
        #expect(sweep?.hint == "to accept this, add --accept large_fee")
        let approval = ApprovalConfirmation.unaccepted([Self.cost]).failure(by: .digest([], accepting: .none))
        #expect(approval?.message == "not signed with --expect: the fee is large")
        #expect(SweepConfirmation.confirmed.failure(by: .question) == nil)
        #expect(ApprovalConfirmation.question.failure(by: .question) == nil)
        #expect(ApprovalConfirmation.otherDigest.failure(by: .question)?.name == "not_what_was_confirmed")
    }

    @Test("a digest that is no hexadecimal is a mistake in the usage")
    func digest() throws {
        #expect(try Failure.readDigest("AB01") == [0xAB, 1])
        let failure = #expect(throws: Failure.self) { try Failure.readDigest("xyz") }
        #expect(failure?.code == .usage)
    }

    @Test("a text that names no proposal, and one that names no transaction, say what to give")
    func choices() {
        let none = #expect(throws: Failure.self) { try NamedChoice<PendingProposal>.none.proposal }
        #expect(none?.name == "no_such_proposal")
        let bitcoin = #expect(throws: Failure.self) { try ShortID.read("0xabcdef", on: .bitcoin) }
        #expect(bitcoin?.message.contains("is not the identifier of a transaction") == true)
        let ethereum = #expect(throws: Failure.self) {
            try ShortID.read(String(repeating: "5", count: 64), on: .ethereum(.ethereum))
        }
        #expect(ethereum?.hint?.contains("without 0x") == true)
    }
}
