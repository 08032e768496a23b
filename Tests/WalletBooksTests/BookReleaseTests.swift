internal import HDKeys
import Secrets
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

/// A report that no signature resulted is only a claim. It frees a limit only while this wallet's own participants have
/// sent nothing from which a signature could be made.
@Suite("The book and a failed session")
struct BookReleaseTests {
    /// Permits a number of messages, and then fails.
    private actor Deserter: Participant {
        nonisolated let index: Int
        private let participant: any Participant
        private var messages: Int

        init(_ participant: any Participant, after messages: Int) {
            index = participant.index
            self.participant = participant
            self.messages = messages
        }

        func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
            guard messages > 0 else { throw CustodyError.book(.unknown).throughPort }
            messages -= 1
            return try await participant.answer(message)
        }
    }

    @Test(
        "what failed before a part of a signature left the other participant is free again; afterwards it counts",
        arguments: [(0, HistoryEntry.State.failed), (1, .reserved)])
    func schnorr(messages: Int, state: HistoryEntry.State) async throws {
        let known = try KnownWallet()
        let books = try BookFixture(known)
        let book = try await books.open(rules: BookFixture.daily("0.00061 BTC@bitcoin:regtest"))
        let spend = try Payment(from: known).confirmed(from: known)
        let authorizer = book.authorizer(in: SigningContext(now: Order.noon))
        func participant(_ index: Int) throws -> SigningParticipant {
            SigningParticipant(
                keys: try known.shares(index), network: .regtest, imported: nil,
                authorizer: ConfirmedIntent(spend.digest, asking: authorizer), ledger: nil,
                random: SystemRandom())
        }
        let deserter = Deserter(try participant(2), after: messages)
        let participants: [any Participant] = [try participant(1), deserter]
        let error = await custodyFailure { () async throws(CeremonyError) in
            try await spend.sign(with: participants, random: SystemRandom())
        }
        #expect(error == .book(.unknown))
        try await book.note(.failed, of: spend.digest)
        #expect(await book.history().map(\.state) == [state])
        let other = try Order.bitcoin(60_000, from: books.wallet, spending: [1])
        #expect(try await book.verdict(on: other) == (state == .failed ? nil : .denied))
    }

    @Test("a participant reports that a part leaves before the last message of ECDSA, and not earlier")
    func ecdsa() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 2)
        // A proposal, and the rounds of ECDSA: the answer to the last round has the parts.
        for (messages, released) in [(2, 0), (3, 1)] {
            let authorizer = NotingAuthorizer()
            let participants: [any Participant] = [
                try wallet.participant(1, of: spend, ledger: MemoryLedger(), authorizer: authorizer),
                Deserter(try wallet.participant(2, of: spend, ledger: MemoryLedger()), after: messages),
            ]
            let error = await custodyFailure { () async throws(CeremonyError) in
                try await spend.sign(with: participants, random: SystemRandom())
            }
            #expect(error == .book(.unknown))
            #expect(authorizer.released == [[UInt8]](repeating: spend.digest, count: released), "\(messages)")
        }
        // With Schnorr signatures beside them, the part leaves earlier.
        let both = try wallet.spend(taproot: 1, segwit: 1)
        let authorizer = NotingAuthorizer()
        let participants: [any Participant] = [
            try wallet.participant(1, of: both, ledger: MemoryLedger(), authorizer: authorizer),
            Deserter(try wallet.participant(2, of: both, ledger: MemoryLedger()), after: 1),
        ]
        _ = await custodyFailure { () async throws(CeremonyError) in
            try await both.sign(with: participants, random: SystemRandom())
        }
        #expect(authorizer.released == [both.digest])
    }
}
