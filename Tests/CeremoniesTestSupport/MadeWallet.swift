internal import Bitcoin
import Curves
internal import HDKeys
import Secrets
import Synchronization
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies

/// A wallet of 2 of 3 shares that its participants made together. A test can copy its shares as often as needed.
final class MadeWallet: Sendable {
    let keys: WalletKeys
    let epoch: Int
    private let copies: [OpenShares]

    /// The encoded shares of one participant, which a test need not keep secret.
    private final class OpenShares: Sendable {
        let schnorr: SecretBytes
        let ecdsa: SecretBytes
        let ed25519: SecretBytes

        init(_ shares: borrowing KeyShares) {
            schnorr = shares.schnorr.encoded()
            ecdsa = shares.ecdsa.encoded()
            ed25519 = shares.ed25519.encoded()
        }
    }

    convenience init() async throws {
        let newcomers = try Newcomers(2, of: 3)
        try await newcomers.run()
        var shares: [OneShot<KeyShares>] = []
        for participant in newcomers.participants { shares.append(OneShot(try await participant.takeShares())) }
        try self.init(shares)
    }

    /// - Parameter shares: all shares of one wallet, by index.
    init(
        _ shares: [OneShot<KeyShares>], network: Network = .regtest, epoch: Int = 0, imported: ImportedPublicKeys? = nil
    ) throws {
        var groups: GroupKeys?
        var copies: [OpenShares] = []
        for share in shares {
            guard let keys = share.take() else { throw CeremonyError.staleMessage }
            groups = keys.groups
            copies.append(OpenShares(keys))
        }
        guard let groups else { throw CeremonyError.malformedMessage }
        keys = WalletKeys(groups, on: network, imported: imported)
        self.epoch = epoch
        self.copies = copies
    }

    /// Returns a copy of the shares of one participant.
    func shares(_ index: Int) throws -> KeyShares {
        let copy = copies[index - 1]
        return try KeyShares(
            schnorr: KeyShare(decoding: copy.schnorr), ecdsa: ECDSA.KeyShare(decoding: copy.ecdsa),
            ed25519: KeyShare(decoding: copy.ed25519))
    }

    func participant(
        _ index: Int, of spend: ConfirmedPayload, ledger: (any SigningLedger)?,
        authorizer: any SigningAuthorizer = PolicyAuthorizer(now: 0), random: some RandomSource = SystemRandom()
    ) throws -> SigningParticipant {
        SigningParticipant(
            keys: try shares(index), network: keys.network, imported: keys.imported,
            authorizer: ConfirmedIntent(spend.digest, asking: authorizer), ledger: ledger, random: random)
    }

    func cheater(_ index: Int, of spend: ConfirmedPayload, ledger: (any SigningLedger)?) throws -> SigningParticipant {
        SigningParticipant(
            keys: try shares(index).cheating(), network: keys.network, imported: keys.imported,
            authorizer: ConfirmedIntent(spend.digest, asking: PolicyAuthorizer(now: 0)), ledger: ledger,
            random: SystemRandom())
    }

    func spend(taproot: Int, segwit: Int) throws -> ConfirmedPayload {
        try keys.spend(taproot: taproot, segwit: segwit)
    }
}

extension KeyShares {
    /// Returns one of three shares whose participant extends its oblivious transfers from other trees than its peers
    /// expect.
    consuming func cheating() throws -> KeyShares {
        let original = ecdsa.encoded()
        let changed = SecretBytes(count: original.count) { memory in
            original.withUnsafeBytes { memory.copyMemory(from: $0) }
            // The head, and two pairs, whose roots come last.
            let roots = 64 * 2 * 32
            let pair = 1 + 32 + 32 + 32 + 64 * 4 * 32 + 32 + roots
            for number in 1...2 {
                let start = 39 + 1 + number * (1 + pair) - roots
                for tree in 0..<64 { memory[start + tree * 2 * 32] ^= 1 }
            }
        }
        return try KeyShares(
            schnorr: KeyShare(decoding: schnorr.encoded()), ecdsa: ECDSA.KeyShare(decoding: changed),
            ed25519: KeyShare(decoding: ed25519.encoded()))
    }
}

extension WalletKeys {
    /// Returns the text of a transaction id that ends in a number.
    private static func transactionID(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    /// Returns a confirmed payment from several outputs of each kind, of 100,000 satoshi each.
    func spend(taproot: Int, segwit: Int) throws -> ConfirmedPayload {
        let accounts = try accounts
        guard let account = accounts.segwit else { throw CeremonyError.malformedMessage }
        var scripts: [ScriptPubKey] = []
        for index in 0..<taproot {
            scripts.append(try accounts.taproot.key(at: AddressPath(.receive, index: UInt32(index))).scriptPubKey)
        }
        for index in 0..<segwit {
            scripts.append(try account.key(at: AddressPath(.receive, index: UInt32(index))).scriptPubKey)
        }
        let previous = try scripts.enumerated().map { number, script in
            Transaction(
                version: 2,
                inputs: [
                    TransactionInput(
                        previousOutput: OutPoint(
                            transaction: try TransactionID(Self.transactionID(number + 1)), index: 0),
                        sequence: 0xFFFF_FFFD)
                ],
                outputs: [TransactionOutput(amount: try Amount(satoshis: 100_000), scriptPubKey: script)], lockTime: 0)
        }
        let total = UInt64(100_000 * scripts.count)
        let transaction = Transaction(
            version: 2,
            inputs: previous.map {
                TransactionInput(
                    previousOutput: OutPoint(transaction: $0.id, index: 0), sequence: 0xFFFF_FFFD)
            },
            outputs: [
                TransactionOutput(amount: try Amount(satoshis: 60_000), scriptPubKey: Payment.bob),
                TransactionOutput(
                    amount: try Amount(satoshis: total - 61_000),
                    scriptPubKey: try account.key(at: AddressPath(.change, index: 0)).scriptPubKey),
            ], lockTime: 0)
        let proposed = try ProposedPayload(
            try PSBT(transaction, previousTransactions: previous), from: self)
        return try proposed.confirmed(proposed.intent.digest, accepting: [])
    }
}

/// A ledger in memory.
final class MemoryLedger: SigningLedger {
    enum Entry: Equatable, Sendable {
        case began, charged, refunded, failed, banned(Int)
    }

    private let written = Mutex<[Entry]>([])
    private let error: CeremonyError?
    private let lastError: CeremonyError?
    private let charge: @Sendable () async throws(CeremonyError) -> Void
    private let attempts = Mutex<[Held]>([])

    private struct Held {
        weak var attempt: SigningAttempt?
    }

    var entries: [Entry] { written.withLock(\.self) }
    /// Returns whether a participant stores an attempt of this.
    var isHeld: Bool { attempts.withLock { $0.contains { $0.attempt != nil } } }

    /// Creates a ledger with faults.
    ///
    /// - Parameters:
    ///   - error: the error of beginning a session.
    ///   - lastError: the error of recording a success.
    ///   - charge: called when a session is charged.
    init(
        refusing error: CeremonyError? = nil, refusingSuccess lastError: CeremonyError? = nil,
        charging charge: @escaping @Sendable () async throws(CeremonyError) -> Void = {}
    ) {
        self.error = error
        self.lastError = lastError
        self.charge = charge
    }

    func begin(with signers: [ParticipantIndex]) throws(CeremonyError) -> SigningAttempt {
        if let error { throw error }
        written.withLock { $0.append(.began) }
        let attempt = SigningAttempt(number: 1, signers: signers)
        attempts.withLock { $0.append(Held(attempt: attempt)) }
        return attempt
    }

    func charge(_ attempt: SigningAttempt) async throws(CeremonyError) {
        guard !entries.contains(.charged) else { return }
        try await charge()
        written.withLock { $0.append(.charged) }
    }

    func check(_ attempt: SigningAttempt) throws(CeremonyError) {
        for peer in attempt.signers where entries.contains(.banned(peer.value)) { throw .threshold(.banned(peer)) }
    }

    func refund(_ attempt: SigningAttempt) throws(CeremonyError) {
        if let lastError { throw lastError }
        written.withLock { $0.append(.refunded) }
    }

    func fail(_ attempt: SigningAttempt) { written.withLock { $0.append(.failed) } }

    func ban(_ peer: ParticipantIndex) { written.withLock { $0.append(.banned(peer.value)) } }
}
