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

/// The small counts file beside a share's file.
@Suite("Share files: counts")
struct SigningCountsTests {
    private static var signers: [ParticipantIndex] { [1, 2].compactMap { try? ParticipantIndex($0) } }
    private static let share = "home/wallets/w/device.vault"
    private static let counts = "home/wallets/w/device.vault.counts"
    private static let seen = "home/wallets/w/seen"

    private struct Site: ~Copyable {
        let house: WalletHomeFixture
        let wallet: WalletRecord

        init() async throws {
            let house = try WalletHomeFixture()
            wallet = try await house.creation(of: 3).run()
            self.house = house
        }

        func open() async throws(CustodyError) -> ShareFile {
            try await ShareFile.open(
                .device, of: wallet, in: house.home, passphrase: secret(WalletHomeFixture.passphrase),
                random: SystemRandom())
        }

        /// Reads the files, as after a restart.
        func counts() async throws -> SigningCounts? {
            try await house.home.open(.device, of: wallet, passphrase: secret(WalletHomeFixture.passphrase)).counts
        }

        /// The error of opening the file for writing.
        func refusal() async -> CustodyError? {
            do throws(CustodyError) {
                await (try await open()).close()
                return nil
            } catch { return error }
        }
    }

    @Test("a share has no counts before its first charge, and is written once for all later ones")
    func small() async throws {
        let site = try await Site()
        let before = try site.house.bytes(Self.share)
        let file = try await site.open()
        let first = try await file.begin(with: Self.signers)
        try await file.refund(first)
        #expect(try site.house.bytes(Self.share) == before)
        #expect(!site.house.plainFiles.contains(Self.counts))

        try await file.charge(try await file.begin(with: Self.signers))
        let named = try site.house.bytes(Self.share)
        #expect(named != before)
        let small = try site.house.bytes(Self.counts).count
        #expect(small < 1_000 && named.count > 20_000)
        for end in 0..<3 {
            let session = try await file.begin(with: Self.signers)
            try await file.charge(session)
            if end == 0 { try await file.refund(session) } else { try await file.fail(session) }
        }
        #expect(try site.house.bytes(Self.share) == named)
        let counts = try #require(try await site.counts())
        #expect(counts.unfinished == 1 && counts.failed == 2 && counts.banned == [])
    }

    @Test("parallel_sessions: they are charged no more often than consecutive ones")
    func parallel() async throws {
        let site = try await Site()
        let file = try await site.open()
        var sessions: [SigningAttempt] = []
        for _ in 0..<20 { sessions.append(try await file.begin(with: Self.signers)) }
        let charged = await withTaskGroup(of: Bool.self) { group in
            for session in sessions {
                group.addTask {
                    await custodyFailure { () async throws(CeremonyError) in try await file.charge(session) } == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(charged == Limits.unfinishedSignatures)
        #expect(try await site.counts()?.unfinished == Limits.unfinishedSignatures)
    }

    @Test("sessions ended by a ban stay counted, and no longer reserve room for a failure")
    func bannedSessions() async throws {
        let site = try await Site()
        let file = try await site.open()
        let others = [1, 3].compactMap { try? ParticipantIndex($0) }
        for _ in 0..<(Limits.failedSignatures / 2) {
            let session = try await file.begin(with: others)
            try await file.charge(session)
            try await file.fail(session)
        }
        var sessions: [SigningAttempt] = []
        for _ in 0..<(Limits.failedSignatures / 2) {
            let session = try await file.begin(with: Self.signers)
            try await file.charge(session)
            sessions.append(session)
        }
        let second = try ParticipantIndex(2)
        try await file.ban(second)
        for session in sessions {
            let refusal = await custodyFailure { () async throws(CeremonyError) in try await file.refund(session) }
            #expect(refusal == .ceremony(.threshold(.banned(second))))
        }
        let next = try await file.begin(with: others)
        try await file.charge(next)
        try await file.refund(next)
        #expect(try await site.counts()?.unfinished == Limits.failedSignatures / 2)
        await file.close()
    }

    @Test("sessions whose participants were dropped stay counted, and no longer reserve room for a failure")
    func abandonedSessions() async throws {
        let site = try await Site()
        let file = try await site.open()
        for number in 0..<Limits.failedSignatures {
            let session = try await file.begin(with: Self.signers)
            try await file.charge(session)
            if number % 2 == 0 { try await file.fail(session) }
        }
        let next = try await file.begin(with: Self.signers)
        try await file.charge(next)
        try await file.refund(next)
        let counts = try #require(try await site.counts())
        #expect(counts.unfinished == Limits.failedSignatures / 2 && counts.failed == Limits.failedSignatures / 2)
        await file.close()
    }

    @Test("failed signatures have a limit of their own, which concurrent sessions cannot exceed either")
    func failed() async throws {
        let site = try await Site()
        let file = try await site.open()
        for _ in 1..<Limits.failedSignatures {
            let session = try await file.begin(with: Self.signers)
            try await file.charge(session)
            try await file.fail(session)
        }
        let (last, more) = (try await file.begin(with: Self.signers), try await file.begin(with: Self.signers))
        try await file.charge(last)
        let limit = CustodyError.share(.device, .tooManyFailedSignatures(limit: Limits.failedSignatures))
        #expect(await custodyFailure { () async throws(CeremonyError) in try await file.charge(more) } == limit)
        try await file.fail(last)
        #expect(await custodyFailure { () async throws(CeremonyError) in try await file.charge(more) } == limit)
        await file.close()
        let again = try await site.open()
        let signers = Self.signers
        #expect(
            await custodyFailure { () async throws(CeremonyError) in _ = try await again.begin(with: signers) } == limit
        )
        let counts = try #require(try await site.counts())
        #expect(counts.unfinished == 0 && counts.failed == Limits.failedSignatures)
    }

    @Test("a kill between charge and refund counts too much, and never too little")
    func killed() async throws {
        let site = try await Site()
        let file = try await site.open()
        let session = try await file.begin(with: Self.signers)
        try await file.charge(session)
        // The process is killed here: nothing is closed.
        #expect(try await site.counts()?.unfinished == 1)
        await file.close()
        let again = try await site.open()
        #expect(
            await custodyFailure { () async throws(CeremonyError) in try await again.refund(session) }
                == .ceremony(.staleMessage))
        #expect(try await again.share().counts?.unfinished == 1)
    }

    @Test("deleted_counts: without the counts that the share names it signs nothing, but can be read")
    func missing() async throws {
        let site = try await Site()
        let path = "\(try site.wallet.share(at: .device).path).counts"
        let file = try await site.open()
        try await file.charge(try await file.begin(with: Self.signers))
        await file.close()
        try FileManager.default.removeItem(atPath: path)
        #expect(await site.refusal() == .share(.device, .countsMissing(path: path)))
        #expect(try await site.counts() == nil)
        // A renewal ends that.
        let renewed = try await site.house.renew(.refresh).wallet
        let next = try await ShareFile.open(
            .device, of: renewed, in: site.house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        _ = try await next.begin(with: Self.signers)
    }

    @Test("restored_counts: an older copy of the counts is refused on this machine")
    func older() async throws {
        let site = try await Site()
        let file = try await site.open()
        try await file.charge(try await file.begin(with: Self.signers))
        let old = try site.house.bytes(Self.counts)
        try await file.charge(try await file.begin(with: Self.signers))
        await file.close()
        try site.house.put(old, at: Self.counts)
        let path = "\(try site.wallet.share(at: .device).path).counts"
        #expect(
            await site.refusal() == .share(.device, .unreadable(path: path, .rolledBack(found: 2, expected: 3))))
    }

    @Test("foreign_counts: the counts of another share, and newly made ones, are refused")
    func foreign() async throws {
        let site = try await Site()
        let before = try site.house.bytes(Self.share)
        let path = "\(try site.wallet.share(at: .device).path).counts"
        let file = try await site.open()
        try await file.charge(try await file.begin(with: Self.signers))
        await file.close()
        let named = try site.house.bytes(Self.share)
        let backup = try await ShareFile.open(
            .backup, of: site.wallet, in: site.house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        try await backup.charge(try await backup.begin(with: Self.signers))
        await backup.close()
        try site.house.put(try site.house.bytes("backup/fueki-w-backup.vault.counts"), at: Self.counts)
        #expect(await site.refusal() == .share(.device, .foreignCounts(path: path)))
        #expect(try await site.counts() == nil)

        // On a machine that has seen neither: from an older copy of the share new counts can be made, which are not the
        // counts that the newer copy names.
        try FileManager.default.removeItem(atPath: "\(site.house.path)/\(Self.seen)")
        try FileManager.default.removeItem(atPath: path)
        try site.house.put(before, at: Self.share)
        let old = try await site.open()
        try await old.charge(try await old.begin(with: Self.signers))
        await old.close()
        try FileManager.default.removeItem(atPath: "\(site.house.path)/\(Self.seen)")
        try site.house.put(named, at: Self.share)
        #expect(await site.refusal() == .share(.device, .foreignCounts(path: path)))
        #expect(try await site.counts() == nil)
    }

    @Test(
        "restored_share: an older copy of the share, from before it named its counts, is counted by them anyway")
    func unnamed() async throws {
        let site = try await Site()
        let before = try site.house.bytes(Self.share)
        let file = try await site.open()
        for _ in 0..<3 { try await file.charge(try await file.begin(with: Self.signers)) }
        try await file.ban(try ParticipantIndex(3))
        await file.close()
        try FileManager.default.removeItem(atPath: "\(site.house.path)/\(Self.seen)")
        try site.house.put(before, at: Self.share)
        let again = try await site.open()
        let share = try await again.share()
        #expect(share.counts?.unfinished == 3 && share.keys.ecdsa.banned.map(\.value) == [3])
        try await again.charge(try await again.begin(with: Self.signers))
        await again.close()
        #expect(try await site.counts()?.unfinished == 4)
    }

    @Test("a crash between the creation of the counts and the share's record of them loses neither counts nor share")
    func interrupted() async throws {
        let site = try await Site()
        let file = try await site.open()
        let peer = try ParticipantIndex(2)
        try site.house.put([1], at: "home/wallets/w/.device.vault.tmp/x")
        #expect(await custodyFailure { () async throws(CeremonyError) in try await file.ban(peer) } != nil)
        await file.close()
        #expect(site.house.plainFiles.contains(Self.counts))
        try FileManager.default.removeItem(atPath: "\(site.house.path)/home/wallets/w/.device.vault.tmp")
        let again = try await site.open()
        let signers = Self.signers
        #expect(
            await custodyFailure { () async throws(CeremonyError) in _ = try await again.begin(with: signers) }
                == .ceremony(.threshold(.banned(peer))))
        #expect(try await again.share().keys.ecdsa.banned == [peer])
    }

    @Test("a session whose share could not be written is charged once, and is refunded")
    func chargedOnce() async throws {
        for isGivenUp in [false, true] {
            let site = try await Site()
            let file = try await site.open()
            let path = try site.wallet.share(at: .device).path
            let session = try await file.begin(with: Self.signers)
            // The counts can be written, and then the share cannot.
            try site.house.put([1], at: "home/wallets/w/.device.vault.tmp/x")
            for _ in 0..<3 {
                let refusal = await custodyFailure { () async throws(CeremonyError) in try await file.charge(session) }
                guard case .share(.device, .notWritable(path, _)) = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    return
                }
                #expect(try await file.share().counts?.unfinished == 1)
            }
            if !isGivenUp {
                try FileManager.default.removeItem(atPath: "\(site.house.path)/home/wallets/w/.device.vault.tmp")
                try await file.charge(session)
                #expect(try await site.counts()?.unfinished == 1)
            }
            try await file.refund(session)
            await file.close()
            if isGivenUp {
                try FileManager.default.removeItem(atPath: "\(site.house.path)/home/wallets/w/.device.vault.tmp")
            }
            await (try await site.open()).close()
            #expect(try await site.counts()?.unfinished == 0)
        }
    }

    @Test("a share that a crash left without the name of its counts gets it when it is opened")
    func namedLater() async throws {
        let site = try await Site()
        let path = "\(try site.wallet.share(at: .device).path).counts"
        let file = try await site.open()
        let session = try await file.begin(with: Self.signers)
        try site.house.put([1], at: "home/wallets/w/.device.vault.tmp/x")
        #expect(await custodyFailure { () async throws(CeremonyError) in try await file.charge(session) } != nil)
        await file.close()
        try FileManager.default.removeItem(atPath: "\(site.house.path)/home/wallets/w/.device.vault.tmp")
        await (try await site.open()).close()
        // From then on the share is worthless without its counts.
        try FileManager.default.removeItem(atPath: path)
        #expect(await site.refusal() == .share(.device, .countsMissing(path: path)))
    }

    @Test(
        "left_over_counts: counts of another wallet beside a new share are told as such, and no share is made beside them"
    )
    func leftOver() async throws {
        let other = try await Site()
        let site = try await Site()
        let file = try await other.open()
        try await file.charge(try await file.begin(with: Self.signers))
        await file.close()
        let counts = try other.house.bytes(Self.counts)
        try site.house.put(counts, at: Self.counts)
        let path = "\(try site.wallet.share(at: .device).path).counts"
        #expect(await site.refusal() == .share(.device, .foreignCounts(path: path)))

        let house = try WalletHomeFixture()
        try house.put(counts, at: "backup/fueki-w-backup.vault.counts")
        let inTheWay = CustodyError.shareFile(path: "\(house.path)/backup/fueki-w-backup.vault.counts", .inTheWay)
        let creation = try house.creation(of: 3)
        #expect(await failure { () async throws(CustodyError) in _ = try await creation.run() } == inTheWay)
        try site.house.put(counts, at: "backup/fueki-w-backup-epoch-1.vault.counts")
        let renewal = await failure { () async throws(CustodyError) in try await site.house.renew(.refresh) }
        #expect(
            renewal == .shareFile(path: "\(site.house.path)/backup/fueki-w-backup-epoch-1.vault.counts", .inTheWay))
    }

    @Test("golden bytes")
    func golden() throws {
        var counts = SigningCounts(unfinished: 0x0102)
        #expect(hex(counts.encoded) == "01" + "00000102" + "00000000" + "00")
        counts.failed = 3
        counts.banned = [try ParticipantIndex(15), try ParticipantIndex(2)]
        #expect(hex(counts.encoded) == "01" + "00000102" + "00000003" + "02" + "020f")
        #expect(try SigningCounts(decoding: counts.encoded) == counts)
    }

    @Test(
        "counts of another format, cut short, with more behind them, or with peers out of order or twice, are refused")
    func malformed() throws {
        for bytes in [
            "", "01", "020000000000000000" + "00", "010000000000000000", "010000000000000000" + "01",
            "010000000000000000" + "0000", "010000000000000000" + "020302", "010000000000000000" + "020303",
            "010000000000000000" + "0100", "010000000000000000" + "0110",
        ] {
            #expect(throws: CustodyError.malformedRecord, "\(bytes)") { try SigningCounts(decoding: hex(bytes)) }
        }
    }

    @Test("fuzzing: accepted counts encode to the same bytes, and nothing traps")
    func fuzz() throws {
        Fuzz.mutations(of: [hex("01000001020000000302020f")], iterations: 2_000) { bytes in
            guard let counts = try? SigningCounts(decoding: bytes) else { return }
            #expect(counts.encoded == bytes)
        }
    }
}
