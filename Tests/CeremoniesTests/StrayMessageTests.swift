internal import Bitcoin
import Curves
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Stray messages and lost connections: a message that does not belong to the step ends nothing, and repeated bytes get
/// the same answer.
@Suite("Ceremonies: stray messages and retries")
struct StrayMessageTests {
    @Test("stray_message: between all steps of signing, with every request repeated; nothing is counted")
    func signing() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 1, segwit: 2)
        let ledgers = [MemoryLedger(), MemoryLedger()]
        let participants = try zip([1, 2], ledgers).map { index, ledger in
            Pestered(try wallet.participant(index, of: spend, ledger: ledger)) { message in
                switch message.kind {
                // Messages that peers have sealed, and that verify, are distinguished from others, and those for one
                // signature from those for another.
                case .receivedTransfers, .receivedMultiplications, .ecdsaSignatures:
                    [message.payload.flipping(message.payload.count - 1), message.payload + [0], []]
                        + Self.exchanged(message.payload, of: 2)
                // The context in the first commitment: the payload, and the shares.
                case .nonceCommitments:
                    [message.payload.flipping(12), message.payload + [0], []] + Self.exchanged(message.payload, of: 4)
                // The packages: another version of the first, or another message to sign in the last.
                case .signingPackages:
                    [message.payload.flipping(4), message.payload.flipping(message.payload.count - 1), []]
                case .signingProposal: [message.payload.flipping(0), message.payload + [0], []]
                default: []
                }
            }
        }
        let signed = try await spend.sign(with: participants, random: SystemRandom())
        #expect(signed.warnings.isEmpty)
        #expect(try signed.psbt.finalised().transaction().inputs.count == 3)
        for ledger in ledgers { #expect(ledger.entries == [.began, .charged, .refunded]) }
        for participant in participants { #expect(await participant.complaints == []) }
    }

    /// Returns the list with two of its messages exchanged, for each two of them, or with one of them twice or left out.
    private static func exchanged(_ payload: [UInt8], of count: Int) -> [[UInt8]] {
        guard let list = try? MessageList.decode(payload, count: count) else { return [] }
        var others: [[[UInt8]]] = [list.dropLast(), list + [list[0]]]
        for one in list.indices {
            for other in list.indices where one != other {
                var twice = list
                twice[one] = list[other]
                var exchanged = twice
                exchanged[other] = list[one]
                others += [twice, exchanged]
            }
        }
        return others.map(MessageList.encode)
    }

    @Test("stray_message: between all steps of a key generation, with every request repeated")
    func keyGeneration() async throws {
        let newcomers = try Newcomers(2, of: 3)
        let participants = newcomers.participants.map { Pestered($0, payloads: Self.unparsable) }
        try await newcomers.run(with: participants)
        let groups = await newcomers.groups().compactMap(\.self)
        #expect(groups.count == 3 && Set(groups.map(\.ecdsa.publicKey.encoded)).count == 1)
        for participant in participants { #expect(await participant.complaints == []) }
    }

    @Test("stray_message: between all steps of a renewal, with every request repeated")
    func renewal() async throws {
        let renewers = try Renewers(of: try KnownWallet(threshold: 2, total: 3), dealers: [1, 2, 3])
        let participants = renewers.participants.map { Pestered($0, payloads: Self.unparsable) }
        try await renewers.run(with: participants)
        #expect(await renewers.groups().count == 3)
        for participant in participants { #expect(await participant.complaints == []) }
    }

    /// In the set-up of pairs, sealed and signed parts are checked; the rest is a list, or empty.
    private static func unparsable(_ message: CeremonyMessage) -> [[UInt8]] {
        let payload = message.payload
        return switch message.kind {
        case .firstPairings, .secondPairings, .thirdPairings, .fourthPairings, .pairingCertificate:
            [payload + [0], payload.flipping(payload.count - 1), payload.flipping(payload.count / 2), []]
        default: [payload + [0]]
        }
    }

    @Test("a wrong message of the current step ends a key generation, and erases its earlier answers")
    func wrong() async throws {
        let newcomers = try Newcomers(2, of: 2)
        let listener = MiddleMan(newcomers.participants[0]) { passage in
            guard passage.direction == .request, passage.step == 4 else { return passage.bytes }
            return passage.bytes.changingPayload { $0.flipping($0.count - 1) }
        }
        #expect(
            await failure { () async throws(CeremonyError) in
                try await newcomers.run(with: [listener, newcomers.participants[1]])
            } != nil)
        for request in await listener.requests {
            #expect(
                await failure { () async throws(CeremonyError) in try await newcomers.participants[0].answer(request) }
                    == .staleMessage)
        }
    }

    @Test("two concurrent messages: one is answered, the other is refused and can be sent again")
    func atOnce() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 1, segwit: 0)
        let participant = try wallet.participant(1, of: spend, ledger: nil)
        let proposal = CeremonyMessage(
            kind: .signingProposal, sender: 0, session: CeremonyID(from: SystemRandom()),
            payload: SigningProposal(confirmed: spend.digest, signers: [1, 2], payload: spend.work.payload.encoded)
                .encoded
        ).encoded
        let answers = await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 { group.addTask { try? await participant.answer(proposal) } }
            return await group.reduce(into: Set<[UInt8]>()) { all, one in if let one { all.insert(one) } }
        }
        #expect(answers.count == 1)
        #expect(try await participant.answer(proposal) == answers.first)
    }
}

extension StrayMessageTests {
    @Test("a ban while the next message waits for its charge also prevents a repeated answer")
    func bannedWhileCharging() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let peer = try ParticipantIndex(2)
        let interlude = Interlude()
        let ledger = MemoryLedger { await interlude.run() }
        let participant = try wallet.participant(1, of: spend, ledger: ledger)
        let listener = MiddleMan(listeningTo: participant)
        await interlude.set {
            let (before, answer) = (await listener.requests.dropLast().last ?? [], await listener.answers.last)
            #expect((try? await participant.answer(before)) == answer)
            ledger.ban(peer)
            #expect(
                await failure { () async throws(CeremonyError) in try await participant.answer(before) }
                    == .threshold(.banned(peer)))
        }
        let second = try wallet.participant(2, of: spend, ledger: MemoryLedger())
        #expect(
            await failure { () async throws(CeremonyError) in
                try await spend.sign(with: [listener, second], random: SystemRandom())
            } == .accusation(.banned(peer), by: 1))
        #expect(ledger.entries == [.began, .banned(2), .charged])
        #expect(try CeremonyMessage(decoding: try #require(await listener.answers.last)).kind == .transfers)
    }
}

/// An event inside another operation, known only when that has begun.
private actor Interlude {
    private var action: (@Sendable () async -> Void)?

    func set(_ action: @escaping @Sendable () async -> Void) { self.action = action }

    func run() async {
        await action?()
        action = nil
    }
}

/// Sends a participant stray messages before each request, each request twice, and other bytes for it afterwards.
private actor Pestered: Participant {
    nonisolated let index: Int
    private let participant: any Participant
    private let payloads: @Sendable (CeremonyMessage) -> [[UInt8]]
    private var isFirst = true
    /// The participant's wrong reactions.
    private(set) var complaints: [String] = []

    /// - Parameter payloads: other payloads for a request, which do not belong to its step.
    init(_ participant: any Participant, payloads: @escaping @Sendable (CeremonyMessage) -> [[UInt8]]) {
        self.participant = participant
        self.payloads = payloads
        index = participant.index
    }

    func answer(_ bytes: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        let message = try CeremonyMessage(decoding: bytes)
        var strays = [
            [], Array(bytes.dropLast()), bytes + [0], bytes.flipping(4), bytes.flipping(0), bytes.flipping(2),
        ]
        for kind in CeremonyMessage.Kind.allCases where kind != message.kind {
            if kind == .abort, !isFirst { continue }
            strays.append(
                CeremonyMessage(kind: kind, sender: 0, session: message.session, payload: message.payload).encoded)
        }
        // The first message names the session.
        if !isFirst { strays.append(bytes.flipping(36)) }
        strays.append(bytes.flipping(36).flipping(4))
        strays.append(
            CeremonyMessage(kind: .abort, sender: 0, session: CeremonyID(from: SystemRandom()), payload: []).encoded)
        strays += payloads(message).map { message.with(payload: $0).encoded }.filter { $0 != bytes }
        for stray in strays {
            if (try? await participant.answer(stray)) != nil {
                complaints.append("\(message.kind): a stray was answered")
            }
        }
        isFirst = false
        let answer = try await participant.answer(bytes)
        if (try? await participant.answer(bytes)) != answer { complaints.append("\(message.kind): another answer") }
        if (try? await participant.answer(message.with(payload: message.payload + [0]).encoded)) != nil {
            complaints.append("\(message.kind): a second answer")
        }
        return answer
    }
}
