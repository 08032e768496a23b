import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import ThresholdECDSA

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The record of ECDSA sessions in a file that may be closed, killed, copied and restored.
@Suite("Share files: bans and failures")
struct ShareFileTests {
    private static let passphrase = WalletHomeFixture.passphrase
    private static var signers: [ParticipantIndex] { [1, 2].compactMap { try? ParticipantIndex($0) } }

    private func open(_ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome)
        async throws(CustodyError)
        -> ShareFile
    {
        try await ShareFile.open(
            location, of: wallet, in: home, passphrase: secret(Self.passphrase), random: SystemRandom())
    }

    /// The bans and the count of a share, read from the file.
    private func state(
        _ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome
    ) async throws -> (banned: [Int], unfinished: Int) {
        let sealed = try await home.open(location, of: wallet, passphrase: secret(Self.passphrase))
        return (sealed.keys.ecdsa.banned.map(\.value), sealed.counts?.unfinished ?? -1)
    }

    @Test("ban_survives_restart: the ban is in the file before the call returns")
    func ban() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let file = try await open(.device, of: wallet, in: house.home)
        try await file.ban(try ParticipantIndex(2))
        // The process is killed here: nothing was closed.
        #expect(try await state(.device, of: wallet, in: house.home).banned == [2])
        await file.close()
        let again = try await open(.device, of: wallet, in: house.home)
        let share = try await again.share()
        #expect(share.keys.ecdsa.banned.map(\.value) == [2])
        // Only the mark is left of the pair: about 12 KB less.
        let other = try await house.home.open(.recovery, of: wallet, passphrase: secret(Self.passphrase))
        let (size, full) = (share.keys.ecdsa.encoded().count, other.keys.ecdsa.encoded().count)
        #expect(size < full - 12_000)
        // The other shares do not contain the ban.
        #expect(try await state(.backup, of: wallet, in: house.home).banned == [])
        #expect(try await state(.recovery, of: wallet, in: house.home).banned == [])
    }

    @Test("no_retry_after_ban: no session begins with a banned peer, and one begins with another peer")
    func noRetry() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let file = try await open(.device, of: wallet, in: house.home)
        try await file.ban(try ParticipantIndex(2))
        await file.close()
        let again = try await open(.device, of: wallet, in: house.home)
        let share = try await again.share()
        func begin(with peer: Int) throws {
            let request = try ECDSA.SigningRequest(
                signers: [ParticipantIndex(1), ParticipantIndex(peer)], message: [UInt8](repeating: 7, count: 32))
            _ = try ECDSA.Round1(share.keys.ecdsa, request, in: [], random: SystemRandom()).message
        }
        #expect(throws: ThresholdError.banned(try ParticipantIndex(2))) { try begin(with: 2) }
        #expect(throws: Never.self) { try begin(with: 3) }
    }

    @Test("a missing participant, or the share's own, cannot be banned")
    func strangers() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let file = try await open(.device, of: wallet, in: house.home)
        for stranger in [1, 3] {
            let index = try ParticipantIndex(stranger)
            #expect(
                await custodyFailure { () async throws(CeremonyError) in try await file.ban(index) }
                    == .ceremony(.threshold(.unknownParticipant(index))))
        }
        #expect(try await state(.device, of: wallet, in: house.home).banned == [])
    }

    @Test(
        "failed_signature_counter_limits_retries: what was charged and did not end well counts, over restarts, up to a limit"
    )
    func counter() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        for number in 1...Limits.unfinishedSignatures {
            let file = try await open(.device, of: wallet, in: house.home)
            try await file.charge(try await file.begin(with: Self.signers))
            #expect(try await state(.device, of: wallet, in: house.home).unfinished == number)
            await file.close()
        }
        let file = try await open(.device, of: wallet, in: house.home)
        let limit = CustodyError.share(.device, .tooManyUnfinishedSignatures(limit: Limits.unfinishedSignatures))
        #expect(
            await custodyFailure { () async throws(CeremonyError) in _ = try await file.begin(with: Self.signers) }
                == limit)
        // The other share has its own count.
        let other = try await open(.backup, of: wallet, in: house.home)
        #expect(
            await custodyFailure { () async throws(CeremonyError) in _ = try await other.begin(with: Self.signers) }
                == nil)
    }

    @Test("a successful session leaves the count unchanged: its own, and once")
    func success() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let file = try await open(.device, of: wallet, in: house.home)
        let first = try await file.begin(with: Self.signers)
        let second = try await file.begin(with: Self.signers)
        let third = try await file.begin(with: Self.signers)
        for session in [first, first, second, third] { try await file.charge(session) }
        #expect(try await state(.device, of: wallet, in: house.home).unfinished == 3)
        try await file.refund(first)
        #expect(try await state(.device, of: wallet, in: house.home).unfinished == 2)
        // The others stay counted however often the first has succeeded.
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.refund(first) }
                == .ceremony(.staleMessage))
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.fail(first) }
                == .ceremony(.staleMessage))
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.charge(first) }
                == .ceremony(.staleMessage))
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.check(first) }
                == .ceremony(.staleMessage))
        #expect(try await state(.device, of: wallet, in: house.home).unfinished == 2)
        try await file.refund(second)
        #expect(try await state(.device, of: wallet, in: house.home).unfinished == 1)
        // A session that is closed while it runs is over.
        await file.close()
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.check(third) }
                == .ceremony(.staleMessage))
        #expect(try await state(.device, of: wallet, in: house.home).unfinished == 1)
    }

    @Test("a success that cannot be recorded stays counted, and cannot be claimed again")
    func unwrittenSuccess() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let path = "\(try wallet.share(at: .backup).path).counts"
        let file = try await open(.backup, of: wallet, in: house.home)
        let session = try await file.begin(with: Self.signers)
        try await file.charge(session)
        try house.put([1], at: "backup/.fueki-w-backup.vault.counts.tmp/x")
        let refused = await custodyFailure { () async throws(CeremonyError) in try await file.refund(session) }
        guard case .share(.backup, .notWritable(path, _)) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        try FileManager.default.removeItem(atPath: "\(house.path)/backup/.fueki-w-backup.vault.counts.tmp")
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.refund(session) }
                == .ceremony(.staleMessage))
        #expect(try await state(.backup, of: wallet, in: house.home).unfinished == 1)
    }

    @Test("sessions that are charged at once are all counted, and a ban meanwhile is not undone")
    func atOnce() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let file = try await open(.device, of: wallet, in: house.home)
        let (peer, signers) = (try ParticipantIndex(2), [try ParticipantIndex(1), try ParticipantIndex(3)])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<9 {
                group.addTask {
                    if number == 4 {
                        try? await file.ban(peer)
                    } else if let session = try? await file.begin(with: signers) {
                        try? await file.charge(session)
                    }
                }
            }
        }
        let state = try await state(.device, of: wallet, in: house.home)
        #expect(state.unfinished == 8)
        #expect(state.banned == [2])
    }

    @Test("sessions of one process run one at a time")
    func locked() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let file = try await open(.device, of: wallet, in: house.home)
        let path = try wallet.share(at: .device).path
        let failure = await failure { () async throws(CustodyError) in
            try await open(.device, of: wallet, in: house.home)
        }
        guard case .share(.device, .unreadable(path, .lockedByAnother)) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        await file.close()
        _ = try await open(.device, of: wallet, in: house.home)
    }

    @Test("a file that cannot be written charges no session, and reports that a ban failed")
    func notWritable() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let path = try wallet.share(at: .backup).path
        let peer = try ParticipantIndex(1)
        // A full disk at the time of the write: a non-empty folder blocks the temporary file.
        for (file, folder) in [
            (path + ".counts", ".fueki-w-backup.vault.counts.tmp"), (path, ".fueki-w-backup.vault.tmp"),
        ] {
            let share = try await open(.backup, of: wallet, in: house.home)
            try house.put([1], at: "backup/\(folder)/x")
            let session = try await share.begin(with: Self.signers)
            for refused in [
                await custodyFailure { () async throws(CeremonyError) in try await share.charge(session) },
                await custodyFailure { () async throws(CeremonyError) in try await share.ban(peer) },
            ] {
                guard case .share(.backup, .notWritable(file, _)) = refused else {
                    Issue.record("\(String(describing: refused))")
                    continue
                }
            }
            await share.close()
            // A file that cannot be written from the beginning.
            if file == path {
                let failure = await failure { () async throws(CustodyError) in
                    try await open(.backup, of: wallet, in: house.home)
                }
                guard case .share(.backup, .notWritable(path, _)) = failure else {
                    Issue.record("\(String(describing: failure))")
                    return
                }
            }
            try FileManager.default.removeItem(atPath: "\(house.path)/backup/\(folder)")
        }
    }

    @Test("restored_snapshot: a copy of the file from before a ban does not lift it on this machine")
    func snapshot() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let path = try wallet.share(at: .device).path
        let copy = try house.bytes("home/wallets/w/device.vault")
        let file = try await open(.device, of: wallet, in: house.home)
        try await file.ban(try ParticipantIndex(2))
        await file.close()
        try house.put(copy, at: "home/wallets/w/device.vault")
        #expect(
            await failure { () async throws(CustodyError) in try await open(.device, of: wallet, in: house.home) }
                == .share(.device, .unreadable(path: path, .rolledBack(found: 1, expected: 2))))
        // Even without a record of generations, the counts beside it know the ban.
        try FileManager.default.removeItem(atPath: "\(house.path)/home/wallets/w/seen")
        let again = try await open(.device, of: wallet, in: house.home)
        #expect(try await again.share().keys.ecdsa.banned.map(\.value) == [2])
        #expect(try await state(.device, of: wallet, in: house.home).banned == [2])
    }

    @Test("outdated_share: the error for a share of an older version asks for a renewal, and names no culprit")
    func outdated() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let path = try wallet.share(at: .device).path
        let sealed = try await house.home.open(.device, of: wallet, passphrase: secret(Self.passphrase)).outdated()
        try FileManager.default.removeItem(atPath: path)
        try sealed.seal(passphrase: secret(Self.passphrase), random: SystemRandom())
        let file = try await open(.device, of: wallet, in: house.home)
        let signers = Self.signers
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await file.begin(with: signers) }
                == .share(.device, .outdated(path: path)))
        await file.close()
        // A renewal repairs it.
        let renewed = try await house.renew(.refresh).wallet
        let next = try await open(.device, of: renewed, in: house.home)
        _ = try await next.begin(with: signers)
        await next.close()
    }

    @Test("opening for signing reports the same errors as reading")
    func refusals() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation(of: 2).run()
        let path = try wallet.share(at: .device).path
        func failure(_ location: ShareLocation, of wallet: WalletRecord, _ words: String = Self.passphrase) async
            -> CustodyError?
        {
            await CustodyTestSupport.failure { () async throws(CustodyError) in
                try await ShareFile.open(
                    location, of: wallet, in: house.home, passphrase: secret(words), random: SystemRandom())
            }
        }
        #expect(await failure(.recovery, of: wallet) == .noSuchShare(name: "recovery"))
        #expect(
            await failure(.device, of: wallet, "other") == .share(.device, .unreadable(path: path, .wrongPassphrase)))
        let swapped = wallet.with(sharesAt: [.backup: path])
        #expect(await failure(.backup, of: swapped) == .share(.backup, .foreign(path: path)))
        // The lock was released each time.
        _ = try await open(.device, of: wallet, in: house.home)
        try FileManager.default.removeItem(atPath: path)
        #expect(await failure(.device, of: wallet) == .share(.device, .missing(path: path, place: .folderIsThere)))
    }
}
