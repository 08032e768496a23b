import Bitcoin
import Custody
import HDKeys
import Nodes
import Payments
import Secrets
import Synchronization
import TestSupport
import Threshold
import Wallet

/// A home with one wallet of 2 of 3 shares, on regtest.
final class TestHome {
    private let folder: TemporaryFolder
    let wallet: WalletRecord

    static let passphrase = "five words that nobody guesses"

    init() async throws {
        let folder = try TemporaryFolder()
        let home = WalletHome(path: "\(folder.path)/home")
        wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: SharePlaces(backup: "\(folder.path)/backup", recovery: "\(folder.path)/recovery"), home: home
        ).run(passphrase: guarded(Self.passphrase), random: SystemRandom(), now: 1_700_000_000) { _ in }
        self.folder = folder
    }

    var home: WalletHome { WalletHome(path: "\(folder.path)/home") }

    /// A flow, as a program that has just started has it.
    func flow(
        isRehearsal: Bool = false, now: UInt64 = 1_700_000_000, clock: any Clock<Duration> = HastyClock(),
        report: @escaping PaymentListener = { _ in }
    ) async throws -> SigningFlow {
        try await SigningFlow.open(
            wallet, in: home, passphrase: guarded(Self.passphrase), shares: [.device, .backup],
            isRehearsal: isRehearsal, now: { now }, clock: clock, report: report)
    }

    /// The wallet's taproot address with this index.
    func script(_ index: UInt32 = 0) throws -> ScriptPubKey {
        try wallet.accounts.taproot.key(at: AddressPath(.receive, index: index)).scriptPubKey
    }

    func policy(_ document: String) async throws {
        let book = try await home.book(
            of: wallet, passphrase: guarded(Self.passphrase), attempts: 1, clock: HastyClock())
        try await book.setPolicy(Array(document.utf8))
        await book.close()
    }
}

/// Somebody who is paid.
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

/// Events in their order.
final class Hearing: Sendable {
    private let heard = Mutex<[PaymentEvent]>([])
    var events: [PaymentEvent] { heard.withLock(\.self) }
    var listener: PaymentListener { { event in self.heard.withLock { $0.append(event) } } }
}

/// A clock that nobody waits for: it notes how long somebody would have.
final class HastyClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(now: Duration, pauses: [Duration])>((.zero, []))

    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.pauses.append(deadline.offset - state.now)
            state.now = deadline.offset
        }
    }
}
