import Bitcoin
import Custody
import Foundation
import HDKeys
import Secrets
import SigningSession
import Synchronization
import TestSupport
import Threshold
import Wallet
import WalletBooks

/// A home with one wallet of 2 of 3 shares, on regtest.
final class TestHome: Sendable {
    private let folder: TemporaryFolder
    let wallet: WalletRecord

    static let passphrase = "five words that nobody guesses"

    /// The home that each test copies: generating the keys takes longer than most tests. All copies have the same keys.
    private static let original = Task {
        _ = removal
        let home = try await TestHome(named: "w")
        originalPath.withLock { $0 = home.path }
        return home
    }

    private static let originalPath = Mutex<String?>(nil)
    /// Shared values are never released, so the folder would stay.
    private static let removal = atexit {
        if let path = originalPath.withLock(\.self) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Copies the home. The paths of the shares in the wallet's description, which has them as plain text, become those of
    /// the copy.
    init() async throws {
        let made = try await Self.original.value
        let folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: made.path) {
            try FileManager.default.copyItem(atPath: "\(made.path)/\(name)", toPath: "\(folder.path)/\(name)")
        }
        let description = "\(folder.path)/home/wallets/\(made.wallet.name)/wallet.json"
        try String(contentsOfFile: description, encoding: .utf8).replacing(made.path, with: folder.path)
            .write(toFile: description, atomically: false, encoding: .utf8)
        wallet = try WalletHome(path: "\(folder.path)/home").wallet(made.wallet.name)
        self.folder = folder
    }

    /// Makes a home whose wallet has keys of its own.
    private init(named name: String) async throws {
        let folder = try TemporaryFolder()
        let home = WalletHome(path: "\(folder.path)/home")
        wallet = try await WalletCreation(
            name: try WalletName(name), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: SharePlaces(backup: "\(folder.path)/backup", recovery: "\(folder.path)/recovery"), home: home
        ).run(passphrase: guarded(Self.passphrase), random: SystemRandom(), now: 1_700_000_000) { _ in }
        self.folder = folder
    }

    var home: WalletHome { WalletHome(path: "\(folder.path)/home") }

    /// Returns a flow, as in a program that has just started.
    func flow(
        isRehearsal: Bool = false, now: UInt64 = 1_700_000_000, clock: any Clock<Duration> = HastyClock(),
        random: any RandomSource = SystemRandom(), report: @escaping SigningListener = { _ in }
    ) async throws -> SigningFlow {
        try await flow(isRehearsal: isRehearsal, at: { now }, clock: clock, random: random, report: report)
    }

    /// Returns a flow with this clock of the wall.
    func flow(
        isRehearsal: Bool = false, at now: @escaping @Sendable () -> UInt64,
        clock: any Clock<Duration> = HastyClock(), random: any RandomSource = SystemRandom(),
        report: @escaping SigningListener = { _ in }
    ) async throws -> SigningFlow {
        try await SigningFlow.open(
            wallet, in: home, passphrase: guarded(Self.passphrase), shares: [.device, .backup],
            isRehearsal: isRehearsal, now: now, clock: clock, random: random, report: report)
    }

    /// Returns a flow with these shares.
    func flow(
        shares: [ShareLocation], sources: [any ParticipantSource], report: @escaping SigningListener = { _ in }
    ) async throws -> SigningFlow {
        try await SigningFlow.open(
            wallet, in: home, passphrase: guarded(Self.passphrase), shares: shares, sources: sources,
            now: { 1_700_000_000 }, clock: HastyClock(), report: report)
    }

    /// The folder in which everything is.
    var path: String { folder.path }
    /// The file of the wallet's book.
    var bookPath: String { "\(folder.path)/home/wallets/\(wallet.name)/book.vault" }

    /// Removes the book, as on a new machine.
    func loseBook() throws {
        for path in [bookPath, bookPath.replacing(".vault", with: ".seen")] {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Moves the book away, as on another machine.
    func putAside() throws {
        for path in [bookPath, bookPath.replacing(".vault", with: ".seen")] {
            try FileManager.default.moveItem(atPath: path, toPath: "\(path).aside")
        }
    }

    /// Replaces the book with the one that was moved away.
    func takeBack() throws {
        try loseBook()
        for path in [bookPath, bookPath.replacing(".vault", with: ".seen")] {
            try FileManager.default.moveItem(atPath: "\(path).aside", toPath: path)
        }
    }

    /// The wallet's taproot address with this index.
    func script(_ index: UInt32 = 0, _ branch: AddressPath.Chain = .receive) throws -> ScriptPubKey {
        try wallet.accounts.taproot.key(at: AddressPath(branch, index: index)).scriptPubKey
    }

    /// Makes every receiving address of a kind count as shown, by writing to the file as another program could.
    func showAll(_ type: WalletAddress.Kind) async throws {
        try await home.noteShown(0, in: ShownAddresses.Row(type, .receive), of: wallet)
        let path = "\(folder.path)/home/wallets/\(wallet.name)/shown.json"
        let shown = try String(contentsOfFile: path, encoding: .utf8)
        try shown.replacing("[0,0]", with: "[0,\(ShownAddresses.bound - 1)]")
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Makes the book admit an attempt at an order, as by a program that is killed before it signs.
    func reserve(_ payload: SigningPayload, for order: OrderIdentity, in flow: SigningFlow) async throws {
        let intent = try await flow.propose(payload).intent
        try await flow.book.admit(
            payload, meaning: intent, in: SigningContext(now: 1_700_000_000, order: order))
    }

    func policy(_ document: String) async throws {
        let book = try await home.book(
            of: wallet, passphrase: guarded(Self.passphrase), attempts: 1, clock: HastyClock())
        try await book.setPolicy(Array(document.utf8))
        await book.close()
    }
}
