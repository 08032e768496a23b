import Curves
import Encoding
import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Custody

/// What lies in a share's file, once it is open.
@Suite("Sealed shares")
struct SealedShareTests {
    private func wallet() throws -> KnownWallet { try KnownWallet(total: 2) }
    private func name() throws -> WalletName { try WalletName("known") }

    /// Index 1 of f(x) = 0x11… + 0x22…·x, whose value there is 0x33…; then the group key.
    private static var share: [UInt8] {
        hex("01020101" + String(repeating: "33", count: 32) + GoldenRecord.groupKey)
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { [UInt8]($0) } + bytes
    }

    private static var golden: [UInt8] { sized(share) + sized(Array(GoldenRecord.text.utf8)) }

    private func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        let sealed = try SealedShare(decoding: secret(bytes), name: try name())
        return reveal(try sealed.encoded())
    }

    @Test("golden bytes")
    func golden() throws {
        let wallet = try KnownWallet(total: 2)
        let sealed = SealedShare(share: try wallet.share(1), record: wallet.record)
        let encoded = reveal(try sealed.encoded())
        #expect(hex(encoded) == hex(Self.golden))
        #expect(try decode(Self.golden) == Self.golden)
        let read = try SealedShare(decoding: secret(Self.golden), name: try name())
        let index = read.share.index.value
        #expect(index == 1)
        #expect(read.record == wallet.record)
    }

    @Test("sizes that do not add up are malformed")
    func sizes() throws {
        let golden = Self.golden
        let recordStart = 4 + Self.share.count
        let broken: [[UInt8]] = [
            [0], [0, 0, 0, 0], Array(golden.prefix(4)), Array(golden.prefix(recordStart)),
            Array(golden.prefix(recordStart + 3)), golden.dropLast(), golden + [0], golden.flipping(3),
            golden.flipping(0, by: 0x80), golden.flipping(recordStart), golden.flipping(recordStart + 3),
            golden.replacing(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF]),
            golden.replacing(recordStart..<recordStart + 4, with: [0xFF, 0xFF, 0xFF, 0xFF]),
        ]
        for bytes in broken { #expect(throws: CustodyError.malformedMessage) { try decode(bytes) } }
    }

    @Test("a share that is none, or does not fit its public part, is refused")
    func share() throws {
        let golden = Self.golden
        #expect(throws: CustodyError.ceremony(.malformed(.unsupported))) { try decode(golden.flipping(4)) }
        #expect(throws: CustodyError.ceremony(.unknownParticipant(try ParticipantIndex(3)))) {
            try decode(golden.flipping(7, by: 2))
        }
        // Another secret; share 1 that calls itself 2; another key.
        for position in [8 + 31, 8] {
            #expect(throws: CustodyError.ceremony(.inconsistentKey)) { try decode(golden.flipping(position)) }
        }
        #expect(throws: CustodyError.ceremony(.inconsistentKey)) { try decode(golden.flipping(7, by: 3)) }
        #expect(throws: CustodyError.ceremony(.inconsistentKey)) { try decode(golden.flipping(40 + 5)) }
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(throws: CustodyError.ceremony(.inconsistentKey)) { try decode(golden.replacing(8..<40, with: zeros)) }
        let tooLarge = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: CustodyError.ceremony(.invalidElement)) {
            try decode(golden.replacing(8..<40, with: tooLarge))
        }
    }

    @Test("a description that is none is refused")
    func description() throws {
        let damaged = CustodyError.damagedWallet(name: "known", reason: "it is not a wallet's description")
        #expect(throws: damaged) { try decode(Self.sized(Self.share) + Self.sized([])) }
        #expect(throws: damaged) { try decode(Self.golden.flipping(4 + Self.share.count + 4)) }
        let other = try #require(try? WalletName("other"))
        #expect(throws: CustodyError.damagedWallet(name: "other", reason: "it has another wallet's name")) {
            try SealedShare(decoding: secret(Self.golden), name: other).record
        }
    }

    @Test("fuzzing: nothing traps, and the sizes and the share that are accepted encode to the same bytes")
    func fuzz() throws {
        let name = try name()
        let prefix = 4 + Self.share.count
        Fuzz.mutations(of: [Self.golden], iterations: 1_500) { bytes in
            guard !bytes.isEmpty, let sealed = try? SealedShare(decoding: secret(bytes), name: name) else { return }
            let encoded = reveal(try sealed.encoded())
            // The description is JSON, in which spaces do not matter.
            #expect(encoded.prefix(prefix) == bytes.prefix(prefix))
        }
    }

    // MARK: Files

    /// Puts bytes of the test's choice into a share's file, under the item that the wallet looks for: only somebody who knows
    /// the passphrase can do that.
    private func open(
        _ content: borrowing SecretBytes, as location: ShareLocation, of wallet: KnownWallet,
        expecting record: WalletRecord
    ) async throws -> CustodyError? {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/share.vault"
        let place = try wallet.record.share(at: location)
        try VaultFile.seal(
            content, as: ItemName(service: SealedShare.service, account: place.id), attributes: .critical(.keyShare),
            at: path, passphrase: secret("p"), random: SystemRandom())
        let expected = record.with(sharesAt: [location: path])
        do {
            _ = try await SealedShare.open(location, of: expected, passphrase: secret("p"))
            return nil
        } catch {
            switch error {
            case .foreignShare(location, path): return .foreignShare(location, path: "")
            case .shareUnreadable(location, path, let reason): return .shareUnreadable(location, path: "", reason)
            default: return error
            }
        }
    }

    private func content(_ index: Int, of wallet: KnownWallet, _ record: WalletRecord? = nil) throws -> SecretBytes {
        try SealedShare(share: try wallet.share(index), record: record ?? wallet.record).encoded()
    }

    @Test("an item of the right name with something else in it is no share of this wallet")
    func relabelled() async throws {
        let wallet = try KnownWallet()
        let foreign = CustodyError.foreignShare(.backup, path: "")
        let own = wallet.record
        #expect(try await open(try content(2, of: wallet), as: .backup, of: wallet, expecting: own) == nil)
        // Another share of the wallet, a share of another wallet, and of the same key with renewed shares.
        #expect(try await open(try content(3, of: wallet), as: .backup, of: wallet, expecting: own) == foreign)
        let other = try KnownWallet(0x44)
        #expect(try await open(try content(2, of: other), as: .backup, of: wallet, expecting: own) == foreign)
        let renewed = try wallet.renewed()
        #expect(try await open(try content(2, of: renewed), as: .backup, of: wallet, expecting: own) == foreign)
        for source in [other, renewed] {
            let content = try content(2, of: source, own)
            #expect(try await open(content, as: .backup, of: wallet, expecting: own) == foreign)
        }
        // The share is right, and what is sealed beside it is not: another network, another epoch, another group.
        for record in [
            try KnownWallet(network: .mainnet).record, try KnownWallet(epoch: 1).record, other.record,
        ] {
            let content = try content(2, of: wallet, record)
            #expect(try await open(content, as: .backup, of: wallet, expecting: own) == foreign)
        }
        // No share at all, and one of a wallet of another name.
        let noise = secret([UInt8](repeating: 7, count: 100))
        let unreadable = CustodyError.shareUnreadable(.backup, path: "", .wrongKind)
        #expect(try await open(noise, as: .backup, of: wallet, expecting: own) == unreadable)
        let renamed = WalletRecord(
            name: try WalletName("renamed"), network: own.network, createdAt: own.createdAt, epoch: own.epoch,
            group: own.group, shares: own.shares)
        let content = try content(2, of: wallet, renamed)
        #expect(try await open(content, as: .backup, of: wallet, expecting: own) == unreadable)
    }

    @Test("a file of which nothing is known is a share only if its parts belong to each other")
    func unknownFile() async throws {
        let wallet = try KnownWallet()
        let id = try wallet.record.share(at: .backup).id
        let folder = try TemporaryFolder()
        func open(_ file: String) async -> CustodyError? {
            do {
                _ = try await SealedShare.open(fileAt: file, passphrase: secret("p"))
                return nil
            } catch { return error }
        }
        // What is right; a share of another key beside this description; the right share under another's name.
        let other = try KnownWallet(0x44)
        for (number, (source, account)) in [(wallet, id), (other, id), (wallet, "00")].enumerated() {
            let file = "\(folder.path)/\(number)"
            try VaultFile.seal(
                try content(2, of: source, wallet.record), as: ItemName(service: SealedShare.service, account: account),
                attributes: .critical(.keyShare), at: file, passphrase: secret("p"), random: SystemRandom())
            #expect(await open(file) == (number == 0 ? nil : .notAShare(path: file)), "\(number)")
        }
        // Two shares in one file.
        let file = "\(folder.path)/both"
        let vault = try VaultFile.create(
            at: file, passphrase: secret("p"), freshness: .unchecked, random: SystemRandom())
        for share in wallet.record.shares.dropFirst() {
            try await vault.save(
                try content(share.index, of: wallet), as: ItemName(service: SealedShare.service, account: share.id),
                attributes: .critical(.keyShare))
        }
        await vault.close()
        #expect(await open(file) == .notAShare(path: file))
    }
}
