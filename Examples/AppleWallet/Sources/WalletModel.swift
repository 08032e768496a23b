import AppProtection
import Bitcoin
import Custody
import Foundation
import HDKeys
import Nodes
import Observation
import Payments
import PinnedHTTP
import Secrets
import SecureStorage
import SigningSession
import Threshold
import Time
import Wallet

/// The state of the app.
@MainActor @Observable
final class WalletModel {
    let appGuard: AppGuard
    private(set) var message = ""
    private(set) var question: Question?
    /// Whether the user still has to make a wallet.
    private(set) var isNew: Bool

    @ObservationIgnored private let session: UnlockedSession
    @ObservationIgnored private let lock: WalletLock
    @ObservationIgnored private let home: WalletHome
    @ObservationIgnored private var answered: CheckedContinuation<Bool, Never>?

    init() {
        // Two minutes without a touch, half an hour in all, half a minute in the background.
        session = UnlockedSession(
            AutoLockRules(
                idle: .seconds(120), absolute: .seconds(1800), background: .seconds(30), suspension: .seconds(60)))
        appGuard = AppGuard(session, whileCaptured: .cover, now: ClockReading.now)
        // The folder is backed up with the device; its files open only with this device's Enclave.
        let folder = NSHomeDirectory() + "/Documents/wallet"
        home = WalletHome(path: folder)
        lock = WalletLock(folder: folder)
        isNew = home.names().isEmpty
    }

    /// Makes a wallet of three shares, two of which sign, and a passphrase that only the Enclave knows.
    func make() async {
        await report {
            let passphrase = try lock.make()
            // A real backup is somewhere else: in the Files app, on a stick, with another person.
            let places = SharePlaces(backup: home.path + "/backup", recovery: nil)
            let creation = try WalletCreation(
                name: WalletName("main"), network: .signet, parameters: ThresholdParameters(threshold: 2, total: 3),
                places: places, home: home)
            _ = try await creation.run(
                passphrase: passphrase, random: SystemRandom(), now: Int64(secondsSince1970())
            ) { @Sendable _ in }
            isNew = false
            appGuard.unlock(with: passphrase.clone())
        }
    }

    func unlock() async {
        guard let rules = UnlockRules(first: .biometry, fallbacks: [.devicePasscode], attempts: 3) else { return }
        let unlocking = Unlocking(through: lock.gate, dialog: LockDialog()) { _ throws(SecureStorageError) in
            // This app has no PIN of its own.
            throw .backend(.software, .unsupported)
        }
        switch await unlocking.run(rules, reason: "Open the wallet") {
        case .unlocked(let passphrase, let lost):
            if !lost.isEmpty { message = "The enrolled faces have changed: the passcode opened the wallet." }
            appGuard.unlock(with: passphrase.clone())
        case .ended(let end, _): message = "Locked: \(end)"
        }
    }

    func pay(_ satoshis: String, to address: String) async {
        await report {
            guard let amount = UInt64(satoshis) else { throw Misuse() }
            // The limits are checked here; after them the passphrase has been wiped.
            guard let passphrase = session.withSecret(at: .now(), { $0.clone() }) else { throw Locked() }
            let wallet = try home.wallet(WalletName("main"))
            let server = try NodeAddress("https://node.example.org")
            let connection = NodeConnection(pins: .none, roots: try trustRoots(), proxy: nil, unencryptedHosts: [])
            let client = try connection.client(to: server, userAgent: "wallet/1", now: secondsSince1970)
            let node = try await BitcoinNode(
                at: server, on: wallet.network, over: client, NodeRetryPolicy(clock: ContinuousClock()))
            let flow = try await SigningFlow.open(
                wallet, in: home, passphrase: passphrase, shares: [.device, .backup], now: secondsSince1970)
            let payee = try Address<Unchecked>(address).require(wallet.network)
            let order = try BitcoinOrder(
                paying: [.init(payee, .exactly(Amount(satoshis: amount)))], key: PaymentKey(UUID().uuidString),
                on: wallet.network)
            let fee = try BitcoinFee(.normal, ceiling: Amount(satoshis: 50_000))
            let paid = try await BitcoinPayments(flow, at: node).pay(order, fee: fee) { @Sendable [self] proposal in
                await ask(Question(about: proposal))
            }
            guard let paid else { return }
            message = "Paid: \(paid.transaction.id)"
            await flow.acknowledge(paid)
        }
    }

    func signIn() async {
        await report {
            let device = try await DeviceKey(folder: home.path)
            let server = try SignInServer(host: "login.example.org", roots: trustRoots(), device: device)
            message = "Signed in as \(try await server.signIn().account)"
        }
    }

    /// The question to the user before signing: the payment's effects and all findings.
    struct Question {
        let lines: [String]

        init(about proposal: ProposedSigning) {
            lines =
                proposal.intent.effects.map { "\($0)" } + proposal.intent.findings.map { "\($0.weight): \($0.text)" }
        }
    }

    struct Misuse: Error {}
    struct Locked: Error {}

    private func ask(_ question: Question) async -> Bool {
        self.question = question
        let consent = await withCheckedContinuation { answered = $0 }
        self.question = nil
        return consent
    }

    func answer(_ consent: Bool) {
        answered?.resume(returning: consent)
        answered = nil
    }

    private func report(_ work: () async throws -> Void) async {
        message = ""
        do { try await work() } catch { message = "\(error)" }
    }

    /// iOS has no file of authorities: the app brings those that it expects.
    private func trustRoots() throws -> TrustRoots {
        guard let file = Bundle.main.url(forResource: "roots", withExtension: "pem"),
            let roots = TrustRoots(pem: [UInt8](try Data(contentsOf: file)))
        else { throw Misuse() }
        return roots
    }
}

/// The screens that unlocking needs besides the system's: this app has none.
private struct LockDialog: UnlockDialog {
    func pin(after notice: UnlockNotice?) async -> PINAnswer { .cancelled }
    func choose(among choices: [UnlockChoice], after notice: UnlockNotice) async -> UnlockChoice { .logOut }
    func waitUntilActive(for method: UnlockMethod) async -> PauseAnswer { .logOut }
}

func secondsSince1970() -> UInt64 { UInt64(Date().timeIntervalSince1970) }
