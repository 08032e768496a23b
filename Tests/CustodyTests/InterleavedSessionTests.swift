internal import Bitcoin
import Foundation
import Secrets
import Testing
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// Concurrent sessions with one share, and the effect of one session's end on another.
@Suite("Signing by ECDSA: two concurrent sessions")
struct InterleavedSessionTests {
    /// The device share, its file open, and the backup share, of a wallet of 2 of 3.
    private struct Site: ~Copyable {
        let house: WalletHomeFixture
        let wallet: WalletRecord
        let device: ShareFile

        init() async throws {
            let house = try WalletHomeFixture()
            let wallet = try await house.creation().run()
            device = try await ShareFile.open(
                .device, of: wallet, in: house.home, passphrase: secret(WalletHomeFixture.passphrase),
                random: SystemRandom())
            self.wallet = wallet
            self.house = house
        }

        func backup() async throws -> SealedShare {
            try await house.home.open(.backup, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
        }

        /// The device share's counts and bans.
        func state() async throws -> (unfinished: Int, banned: [Int]) {
            let sealed = try await house.home.open(
                .device, of: wallet, passphrase: secret(WalletHomeFixture.passphrase))
            return (sealed.counts?.unfinished ?? -1, sealed.keys.ecdsa.banned.map(\.value))
        }
    }

    /// Runs a session during which another one detects that the backup share's participant cheats.
    ///
    /// - Parameter step: the request to the device's participant before which this happens.
    private func run(
        _ site: borrowing Site, cheatingBefore step: Int
    ) async throws -> (outcome: Result<SignedPayload, CeremonyError>, answers: Int) {
        let second = try ParticipantIndex(2)
        let spend = try site.wallet.spend(taproot: 1, segwit: 1)
        let cheater = try await site.backup().cheating()
            .participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: MemoryLedger(),
                random: SystemRandom())
        let victim = try await site.device.share()
            .participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: site.device,
                random: SystemRandom())
        let interrupted = Interrupted(
            try await site.device.share()
                .participant(
                    confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: site.device,
                    random: SystemRandom()),
            before: step
        ) {
            let error = await custodyFailure { () async throws(CeremonyError) in
                try await spend.sign(with: [victim, cheater], random: SystemRandom())
            }
            #expect(error == .ceremony(.accusation(.cheating(by: second), by: 1)))
        }
        let honest = try await site.backup()
            .participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: MemoryLedger(),
                random: SystemRandom())
        let outcome: Result<SignedPayload, CeremonyError>
        do throws(CeremonyError) {
            outcome = .success(try await spend.sign(with: [interrupted, honest], random: SystemRandom()))
        } catch { outcome = .failure(error) }
        return (outcome, await interrupted.answers)
    }

    @Test("a ban prevents an answer from being repeated, too")
    func banned() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let device = try await ShareFile.open(
            .device, of: wallet, in: house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let participant = try await device.share().participant(
            confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: device, random: SystemRandom())
        let proposal = CeremonyMessage(
            kind: .signingProposal, sender: 0, session: CeremonyID(from: SystemRandom()),
            payload: SigningProposal(confirmed: spend.digest, signers: [1, 2], payload: spend.work.payload.encoded)
                .encoded
        ).encoded
        let answer = try await participant.answer(proposal)
        #expect(try await participant.answer(proposal) == answer)
        let peer = try ParticipantIndex(2)
        try await device.ban(peer)
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await participant.answer(proposal) }
                == .ceremony(.threshold(.banned(peer))))
    }

    @Test("ban_ends_running_sessions: another session at any step sends nothing more", arguments: 1...5)
    func banned(_ step: Int) async throws {
        let site = try await Site()
        let (outcome, answers) = try await run(site, cheatingBefore: step)
        guard case .failure(.accusation(.banned(try ParticipantIndex(2)), by: 1)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(answers == step - 1)
        // The cheated session is counted, and the other one if it had checked a transfer (request 4).
        let state = try await site.state()
        #expect(state.unfinished == (step <= 4 ? 1 : 2))
        #expect(state.banned == [2])
    }

    @Test("a signature made at the time of the ban is not lost, and its session stays counted")
    func made() async throws {
        let site = try await Site()
        let (outcome, _) = try await run(site, cheatingBefore: 6)
        let signed = try outcome.get()
        #expect(try signed.psbt.finalised().transaction().inputs.count == 2)
        #expect(signed.warnings == [.accusation(.banned(try ParticipantIndex(2)), by: 1)])
        #expect(try await site.state().unfinished == 2)
    }

    @Test("control: two interleaved sessions both sign")
    func control() async throws {
        let site = try await Site()
        let spend = try site.wallet.spend(taproot: 1, segwit: 1)
        func participant() async throws -> SigningParticipant {
            try await site.device.share().participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: site.device,
                random: SystemRandom())
        }
        func peer() async throws -> SigningParticipant {
            try await site.backup().participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: MemoryLedger(),
                random: SystemRandom())
        }
        let (inner, innerPeer) = (try await participant(), try await peer())
        let outer = Interrupted(try await participant(), before: 5) {
            #expect(
                await custodyFailure { () async throws(CeremonyError) in
                    try await spend.sign(with: [inner, innerPeer], random: SystemRandom())
                } == nil)
        }
        let signed = try await spend.sign(with: [outer, try await peer()], random: SystemRandom())
        #expect(signed.warnings.isEmpty)
        let state = try await site.state()
        #expect(state.unfinished == 0 && state.banned == [])
    }

    @Test("a session with a peer that is not banned continues")
    func otherPeer() async throws {
        let site = try await Site()
        let spend = try site.wallet.spend(taproot: 0, segwit: 1)
        let (device, second) = (site.device, try ParticipantIndex(2))
        let interrupted = Interrupted(
            try await site.device.share().participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: site.device,
                random: SystemRandom()),
            before: 5
        ) { try? await device.ban(second) }
        let third = try await site.house.home.open(
            .recovery, of: site.wallet, passphrase: secret(WalletHomeFixture.passphrase)
        ).participant(
            confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: MemoryLedger(),
            random: SystemRandom())
        let signed = try await spend.sign(with: [interrupted, third], random: SystemRandom())
        #expect(signed.warnings.isEmpty)
        let state = try await site.state()
        #expect(state.unfinished == 0 && state.banned == [2])
    }

    @Test("a ban that cannot be recorded still ends the sessions")
    func unwrittenBan() async throws {
        let site = try await Site()
        let signers = [try ParticipantIndex(1), try ParticipantIndex(2)]
        let session = try await site.device.begin(with: signers)
        try await site.device.check(session)
        try site.house.put([1], at: "home/wallets/w/.device.vault.counts.tmp/x")
        let device = site.device
        #expect(await custodyFailure { () async throws(CeremonyError) in try await device.ban(signers[1]) } != nil)
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await device.check(session) }
                == .ceremony(.threshold(.banned(signers[1]))))
    }

    @Test("a full disk at the end loses no signature: it is returned with a warning, and the session stays counted")
    func fullDisk() async throws {
        let site = try await Site()
        let path = "\(try site.wallet.share(at: .device).path).counts"
        let spend = try site.wallet.spend(taproot: 1, segwit: 2)
        let temporary = "\(site.house.path)/home/wallets/w/.device.vault.counts.tmp"
        // The proposal, the packages, and four requests for both ECDSA signatures.
        let participant = Interrupted(
            try await site.device.share().participant(
                confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: site.device,
                random: SystemRandom()),
            before: 6
        ) {
            try? FileManager.default.createDirectory(atPath: "\(temporary)/x", withIntermediateDirectories: true)
        }
        let other = MemoryLedger()
        let signed = try await spend.sign(
            with: [
                participant,
                try await site.backup().participant(
                    confirmed: spend.digest, authorizer: PolicyAuthorizer(now: 0), ledger: other, random: SystemRandom()
                ),
            ], random: SystemRandom())
        #expect(try signed.psbt.finalised().transaction().inputs.map(\.witness.count) == [1, 2, 2])
        let warnings = signed.warnings.map { CustodyError($0) }
        guard warnings.count == 1, case .share(.device, .notWritable(path, _)) = warnings[0] else {
            Issue.record("\(signed.warnings)")
            return
        }
        // The next participant was told nevertheless.
        #expect(other.entries == [.began, .charged, .refunded])
        #expect(try await site.state().unfinished == 1)
    }
}

/// Runs a closure before it relays one request.
private actor Interrupted: Participant {
    nonisolated let index: Int
    private let participant: any Participant
    private let step: Int
    private let interlude: @Sendable () async -> Void
    private var requests = 0
    private(set) var answers = 0

    init(_ participant: any Participant, before step: Int, _ interlude: @escaping @Sendable () async -> Void) {
        self.participant = participant
        self.step = step
        self.interlude = interlude
        index = participant.index
    }

    func answer(_ message: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        requests += 1
        if requests == step { await interlude() }
        let answer = try await participant.answer(message)
        answers += 1
        return answer
    }
}
