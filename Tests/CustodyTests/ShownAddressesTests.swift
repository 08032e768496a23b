import Foundation
internal import HDKeys
import SecureStorage
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Which addresses were shown")
struct ShownAddressesTests {
    private static let row = ShownAddresses.Row(.taproot, .receive)

    /// The path where `wallet.json` would be.
    private static func makeFolder(of wallet: WalletRecord, in home: WalletHome) throws {
        try FileManager.default.createDirectory(
            atPath: home.folder(of: wallet.name), withIntermediateDirectories: true)
    }

    @Test(
        "what was shown is known when it is asked for again, of each kind for itself; the next one is the lowest that was not"
    )
    func remembered() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try KnownWallet().record
        let home = fixture.home
        try Self.makeFolder(of: wallet, in: fixture.home)
        #expect(home.shownAddresses(of: wallet) == ShownAddresses())
        for index in [0, 1, 30, 2, 1] as [UInt32] { try await home.noteShown(index, in: Self.row, of: wallet) }
        let segwit = ShownAddresses.Row(.segwit, .change)
        #expect(try await home.takeAddress(in: segwit, of: wallet) == 0)
        let shown = home.shownAddresses(of: wallet)
        #expect((0...35).filter { shown.contains($0, in: Self.row) } == [0, 1, 2, 30])
        #expect(shown.end(of: Self.row) == 31 && shown.end(of: segwit) == 1)
        #expect(shown.end(of: .init(.segwit, .receive)) == 0)
        #expect(shown.free(3, in: Self.row) == [3, 4, 5])
        #expect(try await home.takeAddress(in: Self.row, of: wallet) == 3)
        #expect(try await home.takeAddress(in: Self.row, of: wallet) { $0 > 5 } == 6)
        // Indices shown before are reported, without a write.
        #expect(try await home.noteShown(30, in: Self.row, of: wallet).contains(30, in: Self.row))
    }

    @Test("two concurrent requests get two different addresses")
    func atOnce() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try KnownWallet().record
        let home = fixture.home
        try Self.makeFolder(of: wallet, in: fixture.home)
        let taken = try await withThrowingTaskGroup(of: UInt32?.self) { group in
            for _ in 0..<12 { group.addTask { try await home.takeAddress(in: Self.row, of: wallet) } }
            var all: [UInt32] = []
            for try await index in group { if let index { all.append(index) } }
            return all
        }
        #expect(taken.sorted() == Array(0..<12))
    }

    @Test("an absent or damaged file, or one of another wallet, is ignored")
    func damaged() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try KnownWallet().record
        let home = fixture.home
        try Self.makeFolder(of: wallet, in: fixture.home)
        let path = home.shownAddressesPath(of: wallet.name)
        try await home.noteShown(7, in: Self.row, of: wallet)
        let whole = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(
            whole == #"{"version":1,"wallet":"\#(hex(wallet.walletID))","#
                + #""shown":[{"type":"taproot","for":"receive","indices":[[7,7]]}]}"# + "\n")
        for (old, new) in [
            ("[[7,7]]", "[[7,6]]"), ("[[7,7]]", "[[7,20000]]"), ("[[7,7]]", "[[7,7],[8,9]]"), ("[[7,7]]", "[]"),
            ("[[7,7]]", "[[7]]"), ("[[7,7]]", "[[-1,7]]"), ("taproot", "p2sh"), ("receive", "both"),
            ("\"version\":1", "\"version\":2"), ("\"wallet\":\"", "\"wallet\":\"0"), ("{", ""), (whole, ""),
        ] {
            try Data(whole.replacing(old, with: new, maxReplacements: 1).utf8).write(to: URL(fileURLWithPath: path))
            #expect(home.shownAddresses(of: wallet) == ShownAddresses(), "\(new)")
        }
        #expect(try await home.takeAddress(in: Self.row, of: wallet) == 0)
        #expect(home.shownAddresses(of: wallet).end(of: Self.row) == 1)
    }

    @Test("an index beyond the search is not recorded; if there are too many ranges, the nearest are joined")
    func bounds() throws {
        var shown = ShownAddresses()
        shown.insert(ShownAddresses.bound, in: Self.row)
        shown.insert(.max, in: Self.row)
        #expect(shown == ShownAddresses())
        for number in 0..<UInt32(2 * Limits.shownRanges) { shown.insert(3 * number, in: Self.row) }
        let bytes = shown.encoded(for: [1])
        #expect(bytes.count < Limits.shownAddressesSize && ShownAddresses(decoding: bytes, for: [1]) == shown)
        #expect((0..<UInt32(2 * Limits.shownRanges)).allSatisfy { shown.contains(3 * $0, in: Self.row) })
        #expect(shown.end(of: Self.row) == 3 * UInt32(2 * Limits.shownRanges - 1) + 1)
    }
}

@Suite("Comparing a description with a share")
struct ProvenWalletTests {
    @Test("the wallet's own description is proven by the first share that opens; a wrong passphrase proves nothing")
    func proven() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try fixture.sealDeviceShare(of: KnownWallet())
        let proven = try await fixture.home.proven(wallet, passphrase: secret(WalletHomeFixture.passphrase))
        #expect(proven.record == wallet && proven.share == .device)
        await #expect {
            _ = try await fixture.home.proven(wallet, passphrase: secret("another one"))
        } throws: { error in
            guard case .share(_, .unreadable(_, .wrongPassphrase))? = error as? CustodyError else { return false }
            return true
        }
    }

    @Test("a description with another name, other keys, or another network is refused; so is one without its shares")
    func forged() async throws {
        let fixture = try WalletHomeFixture()
        let wallet = try fixture.sealDeviceShare(of: KnownWallet())
        let home = fixture.home
        let other = try await MadeWallet().record
        let paths = Dictionary(uniqueKeysWithValues: wallet.shares.map { ($0.location, $0.path) })
        let forgeries = [
            WalletRecord(
                name: try WalletName("other"), network: wallet.network, createdAt: wallet.createdAt,
                epoch: wallet.epoch, keys: wallet.keys, imported: nil, shares: wallet.shares),
            WalletRecord(
                name: wallet.name, network: .mainnet, createdAt: wallet.createdAt, epoch: wallet.epoch,
                keys: wallet.keys, imported: nil, shares: wallet.shares),
            WalletRecord(
                name: wallet.name, network: wallet.network, createdAt: wallet.createdAt, epoch: other.epoch,
                keys: other.keys, imported: nil, shares: other.shares
            ).with(sharesAt: paths),
        ]
        for forged in forgeries {
            await #expect {
                _ = try await home.proven(forged, passphrase: secret(WalletHomeFixture.passphrase))
            } throws: { error in
                guard case .damagedWallet? = error as? CustodyError else { return false }
                return true
            }
        }
        let away = wallet.with(sharesAt: [.device: "\(fixture.path)/nowhere.vault"])
        await #expect {
            _ = try await home.proven(away, passphrase: secret(WalletHomeFixture.passphrase))
        } throws: { error in
            guard case .share(.device, .missing)? = error as? CustodyError else { return false }
            return true
        }
    }
}
