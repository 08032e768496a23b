import Foundation
import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("A share that is checked")
struct ShareCheckTests {
    private struct Site: ~Copyable {
        let house: WalletHomeFixture
        let wallet: WalletRecord

        init() async throws {
            let house = try WalletHomeFixture()
            wallet = try await house.creation().run()
            self.house = house
        }

        func check(
            _ location: ShareLocation, of wallet: WalletRecord? = nil, passphrase: String = WalletHomeFixture.passphrase
        ) async throws(CustodyError) -> SigningCounts? {
            try await house.home.check(location, of: wallet ?? self.wallet, passphrase: secret(passphrase))
        }

        func refusal(
            _ location: ShareLocation, of wallet: WalletRecord? = nil, passphrase: String = WalletHomeFixture.passphrase
        ) async -> CustodyError? {
            do throws(CustodyError) {
                _ = try await check(location, of: wallet, passphrase: passphrase)
                return nil
            } catch { return error }
        }
    }

    @Test("each share of a wallet belongs to it, with its counts, and no file is changed")
    func valid() async throws {
        let site = try await Site()
        let files = site.house.plainFiles
        let before = try files.map { try site.house.bytes($0) }
        for location in site.wallet.shares.map(\.location) {
            #expect(try await site.check(location) == SigningCounts(), "\(location.name)")
        }
        #expect(site.house.plainFiles == files)
        #expect(try files.map { try site.house.bytes($0) } == before)
    }

    @Test("which shares a repair can replace, and how many have to be found to sign at all")
    func unusable() async throws {
        let site = try await Site()
        let paths = Dictionary(site.wallet.shares.map { ($0.location, $0.path) }) { first, _ in first }
        try FileManager.default.removeItem(atPath: try #require(paths[.backup]))
        let missing = try #require(await site.refusal(.backup))
        let one = UnusableShares(of: site.wallet, [missing])
        #expect(one.count == 1 && one.total == 3 && one.missing == 0 && one.lost == [.backup])

        try site.house.put([1, 2, 3], at: "recovery/fueki-w-recovery.vault")
        let damaged = try #require(await site.refusal(.recovery))
        let two = UnusableShares(of: site.wallet, [missing, damaged])
        #expect(two.missing == 1 && two.lost == [.backup, .recovery])
        // A share whose chip does not answer is not lost.
        let locked = CustodyError.share(.device, .unreadable(path: "", .backend(.tpm, .timedOut)))
        #expect(UnusableShares(of: site.wallet, [locked]).lost == [])
        #expect(UnusableShares(of: site.wallet, [missing, damaged, locked]).missing == 2)
    }

    @Test("a description that is not what was sealed with the share is refused, and the share is named")
    func otherDescription() async throws {
        let site = try await Site()
        let wallet = site.wallet
        func changed(_ network: Network, _ createdAt: Int64) -> WalletRecord {
            WalletRecord(
                name: wallet.name, network: network, createdAt: createdAt, epoch: wallet.epoch, keys: wallet.keys,
                imported: nil, shares: wallet.shares)
        }
        #expect(
            await site.refusal(.backup, of: changed(wallet.network, wallet.createdAt + 1))
                == .damagedWallet(name: "w", reason: "wallet.json is not what was sealed with the backup share"))
        #expect(await site.refusal(.backup, of: changed(wallet.network, wallet.createdAt)) == nil)
        let path = try wallet.share(at: .backup).path
        #expect(
            await site.refusal(.backup, of: changed(.mainnet, wallet.createdAt))
                == .share(.backup, .foreign(path: path)))
    }

    @Test("another passphrase, a missing file and another wallet's share are refused as such")
    func unopened() async throws {
        let site = try await Site()
        guard case .share(.device, .unreadable(_, .wrongPassphrase)) = await site.refusal(.device, passphrase: "wrong")
        else { return #expect(Bool(false), "opened by another passphrase") }
        let nowhere = site.wallet.with(sharesAt: [.device: "\(site.house.path)/nowhere.vault"])
        guard case .share(.device, .missing) = await site.refusal(.device, of: nowhere) else {
            return #expect(Bool(false), "there is no file")
        }
        let elsewhere = try await Site()
        let path = try elsewhere.wallet.share(at: .backup).path
        let foreign = site.wallet.with(sharesAt: [.backup: path])
        guard case .share(.backup, .foreign) = await site.refusal(.backup, of: foreign) else {
            return #expect(Bool(false), "the share is another wallet's")
        }
    }

    @Test("where the file of counts is missing, the share is valid and its counts are not known")
    func noCounts() async throws {
        let site = try await Site()
        let file = try await ShareFile.open(
            .device, of: site.wallet, in: site.house.home, passphrase: secret(WalletHomeFixture.passphrase),
            random: SystemRandom())
        let signers = try [1, 2].map { try ParticipantIndex($0) }
        try await file.charge(try await file.begin(with: signers))
        await file.close()
        #expect(try await site.check(.device)?.unfinished == 1)
        let counts = "\(site.house.path)/home/wallets/w/device.vault.counts"
        try FileManager.default.removeItem(atPath: counts)
        #expect(try await site.check(.device) == nil)
    }
}
