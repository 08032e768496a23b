import Amounts
import Bitcoin
import Custody
import Ethereum
import Foundation
import HDKeys
import Nodes
import Payments
import Secrets
import Synchronization
import TestSupport
import Threshold
import Wallet
internal import WalletBooks

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
        random: any RandomSource = SystemRandom(), report: @escaping PaymentListener = { _ in }
    ) async throws -> SigningFlow {
        try await flow(isRehearsal: isRehearsal, at: { now }, clock: clock, random: random, report: report)
    }

    /// Returns a flow with this clock of the wall.
    func flow(
        isRehearsal: Bool = false, at now: @escaping @Sendable () -> UInt64,
        clock: any Clock<Duration> = HastyClock(), random: any RandomSource = SystemRandom(),
        report: @escaping PaymentListener = { _ in }
    ) async throws -> SigningFlow {
        try await SigningFlow.open(
            wallet, in: home, passphrase: guarded(Self.passphrase), shares: [.device, .backup],
            isRehearsal: isRehearsal, now: now, clock: clock, random: random, report: report)
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

/// A payee.
enum Bob {
    static let address: Address<Checked> = {
        let script = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
        guard let address = Address<Checked>(script, on: .regtest) else {
            preconditionFailure("a script has an address")
        }
        return address
    }()

    static func order(_ satoshis: UInt64, key: String? = nil) throws -> BitcoinOrder {
        try BitcoinOrder(
            paying: [.init(address, .exactly(try Amount(satoshis: satoshis)))], key: try key.map { try PaymentKey($0) },
            on: .regtest)
    }
}

extension BitcoinFee {
    static let test = BitcoinFee(ceiling: (try? Amount(satoshis: 50_000)) ?? .zero)
}

extension EthereumOrder {
    /// A tenth of an ether.
    static let test = EthereumOrder(paying: UInt256(100_000_000_000_000_000), to: address(0xB0))
    /// A smaller amount, to another payee.
    static let other = EthereumOrder(paying: UInt256(50_000_000_000_000_000), to: address(0xC0))

    private static func address(_ byte: UInt8) -> EthereumAddress {
        guard let address = try? EthereumAddress(bytes: [UInt8](repeating: byte, count: 20)) else {
            preconditionFailure("20 bytes are an address")
        }
        return address
    }
}

extension EthereumFee {
    /// At most a hundredth of an ether.
    static func test(_ priority: FeePriority) -> EthereumFee {
        EthereumFee(priority, ceiling: Wei(UInt256(10_000_000_000_000_000)))
    }
}

extension BitcoinPayments.Planning {
    var fresh: PlannedBitcoinPayment? { if case .fresh(let plan) = self { plan } else { nil } }
    var earlier: UnconfirmedTransaction? { if case .earlier(let transaction) = self { transaction } else { nil } }
}

extension EthereumPayments.Planning {
    var fresh: PlannedEthereumPayment? { if case .fresh(let plan) = self { plan } else { nil } }
}

/// Returns the error of a failed payment.
func failure(_ body: () async throws -> Void) async -> PaymentError? {
    do { try await body() } catch { return error as? PaymentError }
    return nil
}

/// The recorded durations, each with the clock's time then.
final class Told: Sendable {
    private let state = Mutex<[(Duration, Duration)]>([])
    var pairs: [(Duration, Duration)] { state.withLock(\.self) }
    func add(_ said: Duration, _ elapsed: Duration) { state.withLock { $0.append((said, elapsed)) } }
}

/// The events in order.
final class Hearing: Sendable {
    private let heard = Mutex<[PaymentEvent]>([])
    var events: [PaymentEvent] { heard.withLock(\.self) }
    var listener: PaymentListener { { event in self.heard.withLock { $0.append(event) } } }
}

/// A clock that does not wait, and that runs a test's closure in its first pause.
final class HookedClock: Clock {
    private struct State {
        var now: Duration = .zero
        var pauses = 0
        var hook: (@Sendable () async throws -> Void)?
        var failure: String?
    }

    private let state = Mutex(State())
    private let slowness: Int
    private let limit: Int

    /// - Parameters:
    ///   - slowness: the factor by which each pause is longer than requested.
    ///   - limit: the number of pauses after which each one ends as if its task were cancelled.
    init(slowness: Int = 1, limit: Int = .max) {
        self.slowness = slowness
        self.limit = limit
    }

    var now: HastyClock.Instant { HastyClock.Instant(offset: elapsed) }
    var minimumResolution: Duration { .zero }
    var elapsed: Duration { state.withLock(\.now) }
    /// The error of the first pause.
    var failure: String? { state.withLock(\.failure) }

    /// Runs the closure in the next pause, and nothing in those after it.
    func atFirstPause(_ hook: @escaping @Sendable () async throws -> Void) { state.withLock { $0.hook = hook } }

    func sleep(until deadline: HastyClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let hook = try state.withLock { state in
            state.pauses += 1
            if state.pauses > limit { throw CancellationError() }
            state.now += (deadline.offset - state.now) * slowness
            return state.hook.take()
        }
        do { try await hook?() } catch { state.withLock { $0.failure = "\(error)" } }
    }
}
