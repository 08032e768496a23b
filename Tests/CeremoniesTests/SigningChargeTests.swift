import Curves
import Secrets
import Synchronization
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import ThresholdECDSA

/// The cost of an ECDSA session, depending on where it ends.
@Suite("Signing by ECDSA: the cost of a session")
struct SigningChargeTests {
    /// Two honest participants of one session, whose messages the test relays.
    private struct Table {
        let first: SigningParticipant
        let second: SigningParticipant
        let spend: ConfirmedPayload
        let ledger: MemoryLedger
        let session = CeremonyID(from: SystemRandom())

        init(
            _ ledger: MemoryLedger = MemoryLedger(), authorizer: any SigningAuthorizer = PolicyAuthorizer(now: 0),
            cheating: Bool = false, inputs: Int = 1
        ) async throws {
            let wallet = try await MadeWallet()
            let spend = try wallet.spend(taproot: 0, segwit: inputs)
            self.spend = spend
            self.ledger = ledger
            first = try wallet.participant(1, of: spend, ledger: ledger, authorizer: authorizer)
            second =
                cheating
                ? try wallet.cheater(2, of: spend, ledger: MemoryLedger())
                : try wallet.participant(2, of: spend, ledger: MemoryLedger())
        }

        func message(_ kind: CeremonyMessage.Kind, _ payload: [UInt8]) -> [UInt8] {
            CeremonyMessage(kind: kind, sender: 0, session: session, payload: payload).encoded
        }

        /// The payload of the answer.
        func ask(
            _ participant: SigningParticipant, _ kind: CeremonyMessage.Kind, _ payload: [UInt8]
        ) async throws -> [UInt8] {
            try CeremonyMessage(decoding: try await participant.answer(message(kind, payload))).payload
        }

        /// Sends both participants a number of requests, and returns the next request for the first one.
        @discardableResult
        func run(to step: Int) async throws -> [UInt8] {
            let proposal = SigningProposal(
                confirmed: spend.digest, signers: [1, 2], payload: spend.work.payload.encoded)
            var next: (CeremonyMessage.Kind, [UInt8], [UInt8]) = (.signingProposal, proposal.encoded, proposal.encoded)
            for number in 1..<6 {
                if number == step + 1 { break }
                let (mine, theirs) = (
                    try await ask(first, next.0, next.1), try await ask(second, next.0, next.2)
                )
                switch number {
                case 1:
                    let list = MessageList.encode(try both(mine, theirs).flatMap { [$0, $1] })
                    next = (.nonceCommitments, list, list)
                case 2: next = (.receivedTransfers, theirs, mine)
                case 3: next = (.receivedMultiplications, theirs, mine)
                case 4:
                    let list = try signatures(mine, theirs)
                    next = (.ecdsaSignatures, list, list)
                default: return []
                }
            }
            return message(next.0, next.1)
        }

        private func both(_ mine: [UInt8], _ theirs: [UInt8]) throws -> [([UInt8], [UInt8])] {
            let count = spend.work.requests.count
            return Array(
                zip(try MessageList.decode(mine, count: count), try MessageList.decode(theirs, count: count)))
        }

        private func signatures(_ mine: [UInt8], _ theirs: [UInt8]) throws -> [UInt8] {
            let requests = spend.work.requests.compactMap(ECDSARequest.init)
            return MessageList.encode(
                try zip(requests, both(mine, theirs)).map { request, parts in
                    let agreed = try request.agreed(by: [try ParticipantIndex(1), try ParticipantIndex(2)])
                    let mine = try ECDSA.PartialSignature(decoding: parts.0)
                    return try ECDSA.combine(
                        [mine, try ECDSA.PartialSignature(decoding: parts.1)],
                        of: agreed, in: mine.id, message: request.message, for: spend.wallet.groups.ecdsa
                    ).signature.compact
                })
        }
    }

    @Test("control: a successful signature leaves no count")
    func control() async throws {
        let table = try await Table()
        try await table.run(to: 5)
        #expect(table.ledger.entries == [.began, .charged, .refunded])
    }

    @Test("interrupted_session: a connection lost before a transfer is checked costs nothing", arguments: 0...2)
    func dropped(_ step: Int) async throws {
        let table = try await Table()
        try await table.run(to: step)
        #expect(table.ledger.entries == (step == 0 ? [] : [.began]))
    }

    @Test("interrupted_session: a connection lost later stays counted", arguments: 3...4)
    func droppedLater(_ step: Int) async throws {
        let table = try await Table()
        try await table.run(to: step)
        #expect(table.ledger.entries == [.began, .charged])
    }

    @Test("a refusal by the policy, and a wrong first message, cost nothing")
    func refused() async throws {
        struct Refusal: SigningAuthorizer {
            func admit(_ payload: SigningPayload, meaning intent: Intent) throws(CeremonyError) { throw .unwritable }
            func willSendSignature(of digest: [UInt8]) {}
        }
        let table = try await Table(authorizer: Refusal())
        let proposal = try await table.run(to: 0)
        let first = table.first
        #expect(await failure { () async throws(CeremonyError) in try await first.answer(proposal) } == .unwritable)
        #expect(table.ledger.entries == [])
    }

    @Test("kill_before_ban: a transfer is checked only after the charge is recorded")
    func chargeFirst() async throws {
        let full = Toggle()
        let ledger = MemoryLedger { () throws(CeremonyError) in if full.isOn { throw .unwritable } }
        // Cheating is not detected while the charge cannot be recorded.
        let table = try await Table(ledger, cheating: true)
        let transfers = try await table.run(to: 2)
        let first = table.first
        full.isOn = true
        #expect(await failure { () async throws(CeremonyError) in try await first.answer(transfers) } == .unwritable)
        #expect(ledger.entries == [.began])
        full.isOn = false
        let cheater = try ParticipantIndex(2)
        #expect(
            await failure { () async throws(CeremonyError) in try await first.answer(transfers) }
                == .threshold(.cheating(by: cheater)))
        #expect(ledger.entries == [.began, .charged, .banned(2)])
        // Giving up afterwards refunds nothing.
        let abort = table.message(.abort, [])
        #expect(await failure { () async throws(CeremonyError) in try await first.answer(abort) } == .staleMessage)
        #expect(ledger.entries == [.began, .charged, .banned(2)])
    }

    @Test("abort: it costs nothing before a part of a signature is sent, and is final", arguments: 1...3)
    func abort(_ step: Int) async throws {
        let table = try await Table()
        let next = try await table.run(to: step)
        let first = table.first
        let (abort, long) = (table.message(.abort, []), table.message(.abort, [0]))
        #expect(await failure { () async throws(CeremonyError) in try await first.answer(long) } == .malformedMessage)
        let answer = try CeremonyMessage(decoding: try await first.answer(abort))
        #expect(
            answer.kind == .aborted && answer.sender == 1 && answer.session == table.session && answer.payload == [])
        #expect(table.ledger.entries == (step < 3 ? [.began, .refunded] : [.began, .charged, .refunded]))
        #expect(await failure { () async throws(CeremonyError) in try await first.answer(next) } == .staleMessage)
        #expect(try await first.answer(abort) == answer.encoded)
        #expect(table.ledger.entries.count(where: { $0 == .refunded }) == 1)
    }

    @Test("abort: during a step it ends the session after the step", .timeLimit(.minutes(20)))
    func abortInStep() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let ledger = MemoryLedger { () async throws(CeremonyError) in
            start.finish()
            for await _ in opened {}
        }
        let table = try await Table(ledger)
        let transfers = try await table.run(to: 2)
        let (first, abort) = (table.first, table.message(.abort, []))
        let step = Task { try await first.answer(transfers) }
        for await _ in started {}
        let end = Task { try await first.answer(abort) }
        // Also a second abort, as if the coordinator sent it again.
        let again = Task { try await first.answer(abort) }
        open.finish()
        #expect(try CeremonyMessage(decoding: await step.value).kind == .multiplications)
        #expect(try CeremonyMessage(decoding: await end.value).kind == .aborted)
        _ = try? await again.value
        #expect(ledger.entries == [.began, .charged, .refunded] && !ledger.isHeld)
    }

    @Test("abort: only a few callers may wait for a step to end", .timeLimit(.minutes(20)))
    func abortsInStep() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let ledger = MemoryLedger { () async throws(CeremonyError) in
            start.finish()
            for await _ in opened {}
        }
        let table = try await Table(ledger)
        let transfers = try await table.run(to: 2)
        let (first, abort) = (table.first, table.message(.abort, []))
        let step = Task { try await first.answer(transfers) }
        for await _ in started {}
        let refusals = await withTaskGroup(of: Bool.self) { group in
            for _ in 0...Limits.waitingAborts {
                group.addTask {
                    await failure { () async throws(CeremonyError) in try await first.answer(abort) } == .staleMessage
                }
            }
            // The first answer is that of the call without room: the step continues only after it.
            let first = await group.next()
            open.finish()
            return [first ?? false] + (await group.reduce(into: []) { $0.append($1) })
        }
        #expect(refusals.first == true)
        #expect(refusals.count(where: { !$0 }) >= 1)
        _ = try await step.value
        #expect(ledger.entries == [.began, .charged, .refunded])
    }

    @Test("a session without memory for a batch of signatures draws nothing, and can be proposed again")
    func noMemory() async {
        await #expect(processExitsWith: .success) {
            // More than a batch: the memory of one is reserved.
            let table = try await Table(inputs: Limits.multiplications + 1)
            let (first, proposal) = (table.first, try await table.run(to: 0))
            let (limits, before) = (SecretMemory.limits, SecretMemory.state)
            let size = Limits.multiplications * ECDSA.memory(signers: 2)
            SecretMemory.limit(
                to: SecretMemory.Limits(bytes: before.admitted + size - 1, sessions: limits.sessions))
            #expect(
                await failure { () async throws(CeremonyError) in try await first.answer(proposal) }
                    == .threshold(.exhausted(.bytes(limit: before.admitted + size - 1))))
            #expect(SecretMemory.state.admitted == before.admitted && table.ledger.entries == [])
            SecretMemory.limit(to: SecretMemory.Limits(bytes: before.admitted + size, sessions: limits.sessions))
            _ = try await first.answer(proposal)
            #expect(SecretMemory.state.admitted == before.admitted + size)
            _ = try await first.answer(table.message(.abort, []))
            #expect(SecretMemory.state.admitted == before.admitted && table.ledger.entries == [.began, .refunded])
        }
    }

    @Test("abort_after_signing: an abort after a partial signature was sent counts as a failed signature")
    func abortLate() async throws {
        let table = try await Table()
        try await table.run(to: 4)
        _ = try await table.first.answer(table.message(.abort, []))
        #expect(table.ledger.entries == [.began, .charged, .failed])
    }

    @Test("abort: for another session, under a participant's name, before the begin or after the end it is stale")
    func strayAbort() async throws {
        let table = try await Table()
        let first = table.first
        func isStale(_ message: [UInt8]) async -> Bool {
            await failure { () async throws(CeremonyError) in try await first.answer(message) } == .staleMessage
        }
        let abort = table.message(.abort, [])
        #expect(await isStale(abort))
        try await table.run(to: 1)
        #expect(await isStale(abort.flipping(36)))
        #expect(await isStale(abort.flipping(4)))
        #expect(table.ledger.entries == [.began])
        let other = try await Table()
        try await other.run(to: 5)
        let end = other.message(.abort, [])
        let finished = other.first
        #expect(await failure { () async throws(CeremonyError) in try await finished.answer(end) } == .staleMessage)
    }

    @Test("every end of a session returns its memory: a signature, cheating, an abort, and a lost participant")
    func ticketGivenBack() async throws {
        let signed = try await Table()
        let signature = try await signed.run(to: 4)
        #expect(signed.ledger.isHeld)
        _ = try await signed.first.answer(signature)
        #expect(signed.ledger.entries.last == .refunded && !signed.ledger.isHeld)

        let cheated = try await Table(cheating: true)
        let transfers = try await cheated.run(to: 2)
        #expect(cheated.ledger.isHeld)
        #expect(await failure { () async throws(CeremonyError) in try await cheated.first.answer(transfers) } != nil)
        #expect(cheated.ledger.entries.last == .banned(2) && !cheated.ledger.isHeld)

        let aborted = try await Table()
        try await aborted.run(to: 3)
        _ = try await aborted.first.answer(aborted.message(.abort, []))
        #expect(aborted.ledger.entries.last == .refunded && !aborted.ledger.isHeld)

        let ledger = MemoryLedger()
        try await Table(ledger).run(to: 3)
        #expect(ledger.entries == [.began, .charged] && !ledger.isHeld)
    }

    @Test("a failing coordinator tells all participants: each counts one failed signature")
    func told() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let ledgers = [MemoryLedger(), MemoryLedger()]
        let liar = MiddleMan(try wallet.participant(2, of: spend, ledger: ledgers[1])) { passage in
            guard passage.direction == .answer, passage.step == 4 else { return passage.bytes }
            return passage.bytes.flipping(passage.bytes.count - 1)
        }
        let first = try wallet.participant(1, of: spend, ledger: ledgers[0])
        #expect(
            await failure { () async throws(CeremonyError) in
                try await spend.sign(with: [first, liar], random: SystemRandom())
            } == .threshold(.failedSignature))
        for ledger in ledgers { #expect(ledger.entries == [.began, .charged, .failed]) }
    }
}

/// A flag that a closure can read.
private final class Toggle: Sendable {
    private let state = Mutex(false)

    var isOn: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
