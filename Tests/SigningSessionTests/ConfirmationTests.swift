import Amounts
import Ceremonies
import Custody
import DisplayText
import Ethereum
import Foundation
import SigningSession
import Testing
import Wallet
import WalletBooks

@testable import SigningSessionTestSupport

/// The rules by which a proposal is signed, shown, kept or refused.
@Suite("Confirmation of a proposal", .timeLimit(.minutes(20)))
struct ConfirmationTests {
    private static let repeated = Finding("repeated", "it is under way", .costly)
    private static let oneCase = Finding("one_case", "its letters are of one case", .costly)

    private func propose(_ flow: SigningFlow, _ findings: [Finding] = []) async throws -> ProposedSigning {
        try await flow.propose(
            .personalMessage(try PersonalMessage("hello"), account: 0), findings: findings)
    }

    private func payment(to payee: UInt8) throws -> SigningPayload {
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(UInt256(2)), maxFeePerGas: Wei(UInt256(30)))
        return .ethereumTransaction(
            try EthereumTransaction(
                chainID: .ethereum, nonce: 0, gasLimit: 21_000,
                to: EthereumAddress(bytes: [UInt8](repeating: payee, count: 20)), value: Wei(UInt256(1)), data: [],
                kind: .dynamicFee(fees, [])), account: 0)
    }

    @Test("a question accepts every costly finding, and names a second payment of the same")
    func question() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        let proposal = try await propose(flow)
        guard case .question(let question) = try await flow.confirmation(of: proposal, by: .question),
            case .question(let second) = try await flow.confirmation(
                of: propose(flow, [Self.repeated]), by: .question)
        else {
            Issue.record("no question")
            return
        }
        #expect(!question.repeats && second.repeats)
        #expect(try await flow.sign(question.answeredYes()).digest == proposal.intent.digest)
        await flow.close()
    }

    @Test("a file is signed like a message, and the book has its digest and comment")
    func file() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        var hasher = FileDigest.Hasher()
        hasher.update("hello".utf8)
        let digest = hasher.finalize()
        let proposal = try await flow.propose(try home.wallet.signing(digest, comment: "file:a"))
        guard case .question(let question) = try await flow.confirmation(of: proposal, by: .question) else {
            Issue.record("no question")
            return
        }
        let signed = try await flow.sign(question.answeredYes())
        guard case .file(let signature, let key) = signed.product else {
            Issue.record("it is something else")
            return
        }
        #expect(key == home.wallet.minisignKey)
        #expect(try signature.trustedComment(on: digest, by: key).text == "file:a")
        let entry = try #require(await flow.book.history().last)
        #expect(entry.effects == proposal.intent.effects && entry.digest == signed.digest && entry.state == .signed)
        // A misleading comment is not signed unseen.
        let odd = try await flow.propose(try home.wallet.signing(digest, comment: "file:a\u{202E}gpj"))
        guard case .unaccepted = try await flow.confirmation(of: odd, by: .advance(accepting: .none)) else {
            Issue.record("it was confirmed")
            return
        }
        await flow.close()
    }

    @Test("without a question, each costly finding is accepted by its name, and an unaccepted one stops the signature")
    func advance() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        let both = try await propose(flow, [Self.repeated, Self.oneCase])
        func outcome(_ names: Set<String>, of proposal: ProposedSigning) async throws -> ConfirmationOutcome {
            try await flow.confirmation(of: proposal, by: .advance(accepting: AcceptedFindings(names)))
        }
        guard case .unaccepted(let all, areAll: true) = try await outcome([], of: both),
            case .unaccepted(let rest, areAll: false) = try await outcome(["repeated"], of: both)
        else {
            Issue.record("signed")
            return
        }
        #expect(all.map(\.name) == ["repeated", "one_case"] && rest.map(\.name) == ["one_case"])
        guard case .confirmed(let named) = try await outcome(["repeated", "one_case", "dust"], of: both),
            case .confirmed = try await outcome([], of: propose(flow))
        else {
            Issue.record("not confirmed")
            return
        }
        #expect(named.digest == both.intent.digest)
        await flow.close()
    }

    @Test("a digest confirms exactly its intent, and accepts no costly finding")
    func digest() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        let proposal = try await propose(flow, [Self.repeated])
        let digest = proposal.intent.digest
        func outcome(_ digest: [UInt8], _ accepted: AcceptedFindings) async throws -> ConfirmationOutcome {
            try await flow.confirmation(of: proposal, by: .digest(digest, accepting: accepted))
        }
        guard case .otherDigest = try await outcome(digest.reversed(), AcceptedFindings(["repeated"])),
            case .unaccepted = try await outcome(digest, .none),
            case .confirmed = try await outcome(digest, AcceptedFindings(["repeated"]))
        else {
            Issue.record("wrong step")
            return
        }
        await flow.close()
    }

    @Test("a rehearsal shows what would be signed, and still reports an unaccepted finding; it needs no share")
    func rehearsal() async throws {
        let home = try await TestHome()
        let flow = try await home.flow(isRehearsal: true)
        for share in home.wallet.shares { try FileManager.default.removeItem(atPath: share.path) }
        guard case .rehearsed = try await flow.confirmation(of: propose(flow), by: .question),
            case .rehearsed = try await flow.confirmation(of: propose(flow), by: .advance(accepting: .none)),
            case .unaccepted = try await flow.confirmation(
                of: propose(flow, [Self.repeated]), by: .advance(accepting: .none))
        else {
            Issue.record("wrong step")
            return
        }
        await flow.close()
    }

    @Test("a missing share is reported before a person is asked")
    func missingShare() async throws {
        let home = try await TestHome()
        let flow = try await home.flow()
        let proposal = try await propose(flow)
        for share in home.wallet.shares { try FileManager.default.removeItem(atPath: share.path) }
        let error = await failure { _ = try await flow.confirmation(of: proposal, by: .question) }
        guard case .custody = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await flow.close()
    }

    @Test("a payment that has to wait is kept in the book, but not in a rehearsal", arguments: [false, true])
    func waits(isRehearsal: Bool) async throws {
        let home = try await TestHome()
        try await home.policy(#"{"version":1,"rules":[{"name":"all","then":{"delay":"1h"}}]}"#)
        let flow = try await home.flow(isRehearsal: isRehearsal)
        let proposal = try await flow.propose(try payment(to: 0xB0))
        guard case .forbidden(let decision, let kept) = try await flow.confirmation(of: proposal, by: .question) else {
            Issue.record("not forbidden")
            return
        }
        #expect(decision.verdict == .notBefore(1_700_003_600))
        #expect(kept == (isRehearsal ? .notKept : .waits))
        #expect(await flow.book.proposals().map(\.digest) == (isRehearsal ? [] : [proposal.intent.digest]))
        await flow.close()
    }

    @Test("a rehearsal that is signed neither asks a person nor keeps a waiting payment in the book")
    func signedRehearsal() async throws {
        let home = try await TestHome()
        let first = try await home.flow(isRehearsal: true)
        let allowed = try await propose(first)
        var isAsked = false
        let refusal = await failure {
            _ = try await first.sign(allowed) { _ in
                isAsked = true
                return true
            }
        }
        #expect(refusal == .flow(.rehearsal) && !isAsked)
        await first.close()
        try await home.policy(#"{"version":1,"rules":[{"name":"all","then":{"delay":"1h"}}]}"#)
        let second = try await home.flow(isRehearsal: true)
        let waiting = try await second.propose(try payment(to: 0xB0))
        let error = await failure { _ = try await second.sign(waiting) { _ in true } }
        #expect(error == .custody(.ceremony(.forbidden(waiting.decision))))
        #expect(await second.book.proposals() == [])
        await second.close()
    }

    @Test("a denied payment and a refused one are not kept, however they are confirmed")
    func denied() async throws {
        let home = try await TestHome()
        try await home.policy(#"{"version":1,"rules":[{"name":"all","then":"deny"}]}"#)
        let flow = try await home.flow()
        let denied = try await flow.propose(try payment(to: 0xB0))
        let refused = try await flow.propose(try payment(to: 0))
        for method in [.question, .advance(accepting: .none), .digest([1], accepting: .none)] as [ConfirmationMethod] {
            guard case .forbidden(_, .notKept) = try await flow.confirmation(of: denied, by: method),
                case .refused(let reasons) = try await flow.confirmation(of: refused, by: method)
            else {
                Issue.record("\(method)")
                return
            }
            #expect(reasons.map(\.name) == ["zero_address"])
        }
        #expect(await flow.book.proposals() == [])
        await flow.close()
    }

    @Test("an approver confirms by the same rules")
    func approval() async throws {
        let home = try await TestHome()
        let request = try ApprovalRequest(
            ProposalFile(try payment(to: 0xB0), of: home.wallet), now: 1_700_000_000)
        let digest = request.intent.digest
        #expect(request.confirmation(by: .question) == .question)
        #expect(request.confirmation(by: .digest([1], accepting: .none)) == .otherDigest)
        #expect(request.confirmation(by: .digest(digest, accepting: .none)) == .confirmed)
        let zero = try ApprovalRequest(ProposalFile(try payment(to: 0), of: home.wallet), now: 1_700_000_000)
        guard case .refused = zero.confirmation(by: .digest(zero.intent.digest, accepting: .none)) else {
            Issue.record("a refused payment was approved")
            return
        }
    }
}
