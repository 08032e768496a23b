internal import Bitcoin
internal import Encoding
internal import Ethereum
internal import HDKeys
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("Explanations and requests for approvers")
struct PolicyExplanationTests {
    @Test("without a book, the policy of a wallet without one decides, unless another one is given")
    func standard() async throws {
        let wallet = try KnownWallet()
        let subject = try PolicySubject(ProposalFile(try Order.ether(1, nonce: 0), of: wallet.record))
        let standard = try await subject.explanation(in: nil, under: nil, approvals: [], now: Order.noon)
        #expect(standard.isStandard && !standard.knowsHistory && standard.decision.verdict == .allowed)
        let denying = Policy(rules: [PolicyRule(name: "no", conditions: [], outcome: .deny)])
        let given = try await subject.explanation(in: nil, under: denying, approvals: [], now: Order.noon)
        #expect(!given.isStandard && given.decision.verdict == .denied)
        #expect(given.intent.digest == standard.intent.digest)
    }

    @Test("with a book, its own policy decides, and its contacts have names")
    func book() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": {"delay": "1h"}}"#)
        let party = Party.ethereum(Order.bob)
        try await book.add(try Contact(name: "bob", party: party), unlike: nil)
        let subject = try PolicySubject(ProposalFile(try Order.ether(1, nonce: 0), of: books.wallet))
        let explanation = try await subject.explanation(in: book, under: nil, approvals: [], now: Order.noon)
        #expect(explanation.knowsHistory && !explanation.isStandard)
        #expect(explanation.decision.verdict == .notBefore(Order.noon + 3_600))
        #expect(explanation.names[party] == "bob")
        await book.close()
    }

    @Test("a proposal is read with the keys in its file, unless a wallet or its book is needed")
    func subject() throws {
        let fixture = try WalletHomeFixture()
        let wallet = try KnownWallet()
        let file = PayloadFile.proposal(ProposalFile(try Order.ether(1, nonce: 0), of: wallet.record))
        func subject(_ name: WalletName?, needsWallet: Bool) throws -> PolicySubject {
            try PolicySubject(
                of: file, in: fixture.home, named: name, account: nil, searching: 5, needsWallet: needsWallet)
        }
        #expect(try subject(nil, needsWallet: false).wallet == nil)
        #expect(throws: WalletChoiceFault.noneFits) { try subject(nil, needsWallet: true) }
        #expect(throws: WalletChoiceFault.self) { try subject(try WalletName("w"), needsWallet: false) }
    }

    @Test("an approver computes the wallet's digest, and sees the first addresses of the keys in the file")
    func request() throws {
        let wallet = try KnownWallet()
        let payload = try Order.ether(1, nonce: 0)
        let request = try ApprovalRequest(ProposalFile(payload, of: wallet.record), now: Order.noon)
        #expect(request.intent.digest == (try wallet.record.work(of: payload).intent.digest))
        #expect(request.decision.verdict == .allowed)
        let accounts = try wallet.record.accounts
        #expect(
            request.firstAddresses == [
                try accounts.taproot.address(at: AddressPath(.receive, index: 0)).description,
                try accounts.ethereumKey(at: 0).address.description,
            ])
    }
}
