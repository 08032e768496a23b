import Curves
import Encoding
import Foundation
internal import HDKeys
import Secrets
import SecureStorage
import TestSupport
import Testing
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The contents of a share's file, once it is open.
@Suite("Sealed shares")
struct SealedShareTests {
    private func wallet() throws -> KnownWallet { try KnownWallet(total: 2) }
    private func name() throws -> WalletName { try WalletName("known") }

    /// Index 1 of f(x) = 0x11… + 0x22…·x, whose value there is 0x33…; then the group key.
    private static var schnorr: [UInt8] {
        hex("01020101" + String(repeating: "33", count: 32) + GoldenRecord.groupKey)
    }

    /// Index 1 of f(x) = 17000 + 17001·x, whose value there is 0x84d1.
    private static var ecdsa: [UInt8] {
        // Version, kind and curve; the epoch; the set-up of pairs; one peer without stored data: participant 2.
        hex("010401" + "00000000" + String(repeating: "5e", count: 32) + "01" + "0002")
            + hex("01020101" + String(repeating: "00", count: 30) + "84d1" + GoldenRecord.ecdsaKey)
    }

    private static var ed25519: [UInt8] {
        hex("01020201" + "d184" + String(repeating: "00", count: 30) + GoldenRecord.ed25519Key)
    }

    private static var parts: [[UInt8]] { [schnorr, ecdsa, ed25519, Array(GoldenRecord.text.utf8)] }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { [UInt8]($0) } + bytes
    }

    private static func join(_ parts: [[UInt8]]) -> [UInt8] {
        [3] + [UInt8](repeating: 0, count: 16) + parts.flatMap(sized)
    }

    private static var golden: [UInt8] { join(parts) }

    /// The golden bytes with one part replaced.
    private static func replacing(_ number: Int, with part: [UInt8]) -> [UInt8] {
        var all = parts
        all[number] = part
        return join(all)
    }

    private func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        let sealed = try SealedShare(decoding: secret(bytes), name: try name())
        return reveal(try sealed.encoded())
    }

    @Test("golden bytes")
    func golden() throws {
        let encoded = reveal(try wallet().sealed(1).encoded())
        #expect(hex(encoded) == hex(Self.golden))
        #expect(try decode(Self.golden) == Self.golden)
        let read = try SealedShare(decoding: secret(Self.golden), name: try name())
        let index = read.keys.index.value
        #expect(index == 1)
        #expect(read.record == (try wallet().record))
        #expect(read.countsID == nil && read.counts == SigningCounts())
        let id = [UInt8](1...16)
        let named = try SealedShare(decoding: secret(Self.golden.replacing(1..<17, with: id)), name: nil)
        #expect(named.countsID == id && named.counts == nil)
        #expect(reveal(try named.encoded()) == Self.golden.replacing(1..<17, with: id))
    }

    @Test("format 2, in which a share contained its own counts, is read")
    func countingFormat() throws {
        let sealed = try SealedShare(decoding: secret([2, 0, 0, 1, 2] + Self.golden.dropFirst(17)), name: nil)
        #expect(sealed.countsID == nil && sealed.counts?.unfinished == 0x102)
        #expect(reveal(try sealed.encoded()) == Self.golden)
    }

    @Test("another format, and inconsistent sizes, are malformed")
    func sizes() throws {
        let golden = Self.golden
        var broken: [[UInt8]] = [
            [], [2], [2, 0, 0, 0], [2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0, 0], [3], Array(golden.prefix(17)),
            Array(golden.prefix(20)), golden.dropLast(), golden + [0], golden.flipping(0), golden.flipping(0, by: 2),
        ]
        var start = 17
        for (number, part) in Self.parts.enumerated() {
            broken += [
                Array(golden.prefix(start)), Array(golden.prefix(start + 3)), golden.flipping(start, by: 0x80),
                golden.flipping(start + 3), Self.replacing(number, with: []),
                golden.replacing(start..<start + 4, with: [0xFF, 0xFF, 0xFF, 0xFF]),
            ]
            start += 4 + part.count
        }
        for bytes in broken { #expect(throws: CustodyError.malformedRecord) { try decode(bytes) } }
    }

    @Test("an invalid share, or one that does not match its public part, is refused, for each key", arguments: 0...2)
    func share(_ number: Int) throws {
        let part = Self.parts[number]
        let start = number == 1 ? 42 : 0
        func refused(_ error: ThresholdError, _ changed: [UInt8]) {
            #expect(throws: CustodyError.ceremony(.threshold(error))) {
                try decode(Self.replacing(number, with: changed))
            }
        }
        refused(.malformed(.unsupported), part.flipping(start))
        refused(.malformed(.unsupported), part.flipping(start + 2, by: 3))
        refused(.unknownParticipant(try ParticipantIndex(3)), part.flipping(start + 3, by: 2))
        // Another secret; share 1 with the index 2; an empty one; one that is not a number.
        refused(.inconsistentKey, part.flipping(start + (number == 2 ? 4 : 4 + 31)))
        refused(.inconsistentKey, part.flipping(start + 3, by: 3))
        refused(.inconsistentKey, part.replacing(start + 4..<start + 36, with: [UInt8](repeating: 0, count: 32)))
        refused(.invalidElement, part.replacing(start + 4..<start + 36, with: [UInt8](repeating: 0xFF, count: 32)))
    }

    @Test("shares of one purpose in place of another, and of different participants, are refused")
    func mixed() throws {
        func refused(_ error: ThresholdError, _ parts: [[UInt8]]) {
            #expect(throws: CustodyError.ceremony(.threshold(error))) { try decode(Self.join(parts + [Self.parts[3]])) }
        }
        let (schnorr, ecdsa, ed25519) = (Self.schnorr, Self.ecdsa, Self.ed25519)
        refused(.malformed(.unsupported), [schnorr, ed25519, ecdsa])
        refused(.malformed(.unsupported), [ed25519, ecdsa, schnorr])
        refused(.malformed(.unsupported), [schnorr, schnorr, ed25519])
        refused(.inconsistentKey, [schnorr, reveal(try wallet().shares(2).ecdsa.encoded()), ed25519])
        refused(.inconsistentKey, [schnorr, ecdsa, reveal(try wallet().shares(2).ed25519.encoded())])
        refused(.inconsistentKey, [schnorr, ecdsa, reveal(try KnownWallet(total: 3).shares(1).ed25519.encoded())])
    }

    @Test("an invalid description is refused")
    func description() throws {
        let damaged = CustodyError.damagedWallet(name: "known", reason: "it is not a wallet's description")
        #expect(throws: damaged) { try decode(Self.replacing(3, with: [0x7B])) }
        #expect(throws: damaged) { try decode(Self.replacing(3, with: Self.parts[3].flipping(0))) }
        let other = try #require(try? WalletName("other"))
        #expect(throws: CustodyError.damagedWallet(name: "other", reason: "it has another wallet's name")) {
            try SealedShare(decoding: secret(Self.golden), name: other).record
        }
    }

    @Test("fuzzing: accepted sizes and shares encode to the same bytes, and nothing traps")
    func fuzz() throws {
        let name = try name()
        let prefix = Self.golden.count - 4 - Self.parts[3].count
        Fuzz.mutations(of: [Self.golden], iterations: 1_500) { bytes in
            guard !bytes.isEmpty, let sealed = try? SealedShare(decoding: secret(bytes), name: name) else { return }
            let encoded = reveal(try sealed.encoded())
            // The description is JSON, in which spaces do not matter.
            #expect(encoded.prefix(prefix) == bytes.prefix(prefix))
        }
    }

    // MARK: Files

    /// Writes the test's bytes into a share's file, under the item that the wallet reads: only an attacker who knows
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
            case .share(location, .foreign(path)): return .share(location, .foreign(path: ""))
            case .share(location, .unreadable(path, let reason)): return .share(location, .unreadable(path: "", reason))
            default: return error
            }
        }
    }

    private func content(_ index: Int, of wallet: KnownWallet, _ record: WalletRecord? = nil) throws -> SecretBytes {
        try wallet.sealed(index, beside: record).encoded()
    }

    @Test("an item with the right name and other contents is refused")
    func relabelled() async throws {
        let wallet = try KnownWallet()
        let foreign = CustodyError.share(.backup, .foreign(path: ""))
        let own = wallet.record
        #expect(try await open(try content(2, of: wallet), as: .backup, of: wallet, expecting: own) == nil)
        // Another share of the wallet, a share of another wallet, and one of the same key with renewed shares.
        #expect(try await open(try content(3, of: wallet), as: .backup, of: wallet, expecting: own) == foreign)
        let other = try KnownWallet(0x44)
        #expect(try await open(try content(2, of: other), as: .backup, of: wallet, expecting: own) == foreign)
        // With the epoch of the old ones, which only a forger can produce.
        let renewed = try wallet.renewed()
        #expect(try await open(try content(2, of: renewed), as: .backup, of: wallet, expecting: own) == foreign)
        for source in [other, renewed] {
            let content = try content(2, of: source, own)
            #expect(try await open(content, as: .backup, of: wallet, expecting: own) == foreign)
        }
        // The share is right, and the description beside it is not: another network, epoch or group, or other chain
        // codes.
        for record in [
            try KnownWallet(network: .mainnet).record, try KnownWallet(epoch: 1).record, other.record,
            try WalletRecord.known(own.keys, imported: GoldenImport.keys()),
        ] {
            let content = try content(2, of: wallet, record)
            #expect(try await open(content, as: .backup, of: wallet, expecting: own) == foreign)
        }
        // The pairs of another epoch, with the same polynomials.
        let pairs = try content(2, of: try KnownWallet(epoch: 1), own)
        #expect(try await open(pairs, as: .backup, of: wallet, expecting: own) == foreign)
        // An item that is not a share, and a share of a wallet with another name.
        let noise = secret([UInt8](repeating: 7, count: 100))
        let unreadable = CustodyError.share(.backup, .unreadable(path: "", .wrongKind))
        #expect(try await open(noise, as: .backup, of: wallet, expecting: own) == unreadable)
        let renamed = WalletRecord(
            name: try WalletName("renamed"), network: own.network, createdAt: own.createdAt, epoch: own.epoch,
            keys: own.keys, imported: nil, shares: own.shares)
        let content = try content(2, of: wallet, renamed)
        #expect(try await open(content, as: .backup, of: wallet, expecting: own) == unreadable)
    }

    @Test("a file of an unknown wallet is a share only if its parts belong together")
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
        // The right pair; a share of another key beside this description; the right share under another's name.
        let other = try KnownWallet(0x44)
        for (number, (source, account)) in [(wallet, id), (other, id), (wallet, "00")].enumerated() {
            let file = "\(folder.path)/\(number)"
            try VaultFile.seal(
                try content(2, of: source, wallet.record), as: ItemName(service: SealedShare.service, account: account),
                attributes: .critical(.keyShare), at: file, passphrase: secret("p"), random: SystemRandom())
            #expect(await open(file) == (number == 0 ? nil : .shareFile(path: file, .notAShare)), "\(number)")
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
        #expect(await open(file) == .shareFile(path: file, .notAShare))
    }
}
