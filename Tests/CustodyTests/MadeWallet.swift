internal import Bitcoin
import Curves
internal import HDKeys
import Secrets
import Synchronization
import Threshold
import Wallet

@testable import Custody

/// A wallet of 2 of 3 shares that its holders made together, and whose shares a test can have as often as it likes.
final class MadeWallet: Sendable {
    let record: WalletRecord
    private let sealed: [OpenSecret]

    /// A secret that is none here.
    private final class OpenSecret: Sendable {
        let bytes: SecretBytes

        init(_ bytes: consuming SecretBytes) {
            self.bytes = bytes
        }
    }

    convenience init() async throws {
        let newcomers = try Newcomers(2, of: 3)
        try await newcomers.run()
        var shares: [OneShot<KeyShares>] = []
        for holder in newcomers.holders { shares.append(OneShot(try await holder.takeShares())) }
        try self.init(shares)
    }

    /// - Parameter shares: all of one wallet, by their indices.
    init(
        _ shares: [OneShot<KeyShares>], network: Network = .regtest, epoch: Int = 0, imported: ImportedKeys? = nil
    ) throws {
        var record: WalletRecord?
        var sealed: [OpenSecret] = []
        for share in shares {
            guard let keys = share.take() else { throw CustodyError.staleMessage }
            let known =
                try record ?? WalletRecord.known(keys.groups, network: network, epoch: epoch, imported: imported)
            record = known
            sealed.append(OpenSecret(try SealedShare(keys: keys, record: known).encoded()))
        }
        guard let record else { throw CustodyError.malformedMessage }
        self.record = record
        self.sealed = sealed
    }

    /// What is in the file of a share.
    func opened(_ index: Int) throws -> SealedShare { try SealedShare(decoding: sealed[index - 1].bytes, name: nil) }

    func holder(
        _ index: Int, of spend: ConfirmedPayload, ledger: (any SigningLedger)?,
        warden: any SigningWarden = PolicyWarden(now: 0), random: some RandomSource = SystemRandom()
    ) throws -> SigningHolder {
        try opened(index)
            .holder(confirmed: spend.digest, warden: warden, ledger: ledger, random: random)
    }

    func cheater(_ index: Int, of spend: ConfirmedPayload, ledger: (any SigningLedger)?) throws -> SigningHolder {
        try opened(index).cheating()
            .holder(confirmed: spend.digest, warden: PolicyWarden(now: 0), ledger: ledger, random: SystemRandom())
    }

    func spend(taproot: Int, segwit: Int) throws -> ConfirmedPayload {
        try record.spend(taproot: taproot, segwit: segwit)
    }
}

extension SealedShare {
    /// One of three whose holder extends its oblivious transfers with its peers from other trees than they know.
    consuming func cheating() throws -> SealedShare {
        let original = try encoded()
        let changed = SecretBytes(count: original.count) { memory in
            original.withUnsafeBytes { memory.copyMemory(from: $0) }
            // Format and name of the counts; the share of the Schnorr key; then, of the ECDSA key, the head, and two pairs, the roots of
            // which come last.
            let schnorr = Int(UInt32(bigEndian: memory.loadUnaligned(fromByteOffset: 17, as: UInt32.self)))
            let roots = 64 * 2 * 32
            let pair = 1 + 32 + 32 + 32 + 64 * 4 * 32 + 32 + roots
            for number in 1...2 {
                let start = 17 + 4 + schnorr + 4 + 39 + 1 + number * (1 + pair) - roots
                for tree in 0..<64 { memory[start + tree * 2 * 32] ^= 1 }
            }
        }
        return try SealedShare(decoding: changed, name: nil)
    }
}

extension SealedShare {
    /// The same from before pairs were stored as they are now.
    consuming func outdated() throws -> SealedShare {
        for peer in keys.groups.parameters.indices where peer != keys.index { try keys.ecdsa.ban(peer) }
        let original = try encoded()
        let changed = SecretBytes(count: original.count) { memory in
            original.withUnsafeBytes { memory.copyMemory(from: $0) }
            // Format and name of the counts; the share of the Schnorr key; size and version of the ECDSA key's, and its kind.
            let schnorr = Int(UInt32(bigEndian: memory.loadUnaligned(fromByteOffset: 17, as: UInt32.self)))
            memory[17 + 4 + schnorr + 4 + 1] = 0x03
        }
        return try SealedShare(decoding: changed, name: nil)
    }
}

extension WalletRecord {
    /// A payment out of so many outputs of each kind, of 100,000 satoshi each, confirmed.
    func spend(taproot: Int, segwit: Int) throws -> ConfirmedPayload {
        let accounts = try accounts
        guard let account = accounts.segwit else { throw CustodyError.malformedMessage }
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
                            transaction: try TransactionID(String(repeating: "0\(number + 1)", count: 32)), index: 0),
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

/// A ledger that forgets when the test ends.
final class MemoryLedger: SigningLedger {
    enum Entry: Equatable, Sendable {
        case began, charged, refunded, failed, banned(Int)
    }

    private let written = Mutex<[Entry]>([])
    private let error: CustodyError?
    private let lastError: CustodyError?
    private let charge: @Sendable () async throws(CustodyError) -> Void
    private let tickets = Mutex<[Held]>([])

    private struct Held {
        weak var ticket: SigningTicket?
    }

    var entries: [Entry] { written.withLock(\.self) }
    /// Whether a holder keeps a ticket of this.
    var isHeld: Bool { tickets.withLock { $0.contains { $0.ticket != nil } } }

    /// - Parameters:
    ///   - error: what beginning fails with.
    ///   - lastError: what writing down a success fails with.
    ///   - charge: what happens when a session is charged.
    init(
        refusing error: CustodyError? = nil, refusingSuccess lastError: CustodyError? = nil,
        charging charge: @escaping @Sendable () async throws(CustodyError) -> Void = {}
    ) {
        self.error = error
        self.lastError = lastError
        self.charge = charge
    }

    func begin(with signers: [ParticipantIndex]) throws(CustodyError) -> SigningTicket {
        if let error { throw error }
        written.withLock { $0.append(.began) }
        let ticket = SigningTicket(number: 1, signers: signers)
        tickets.withLock { $0.append(Held(ticket: ticket)) }
        return ticket
    }

    func charge(_ ticket: SigningTicket) async throws(CustodyError) {
        guard !entries.contains(.charged) else { return }
        try await charge()
        written.withLock { $0.append(.charged) }
    }

    func check(_ ticket: SigningTicket) throws(CustodyError) {
        for peer in ticket.signers where entries.contains(.banned(peer.value)) { throw .ceremony(.banned(peer)) }
    }

    func refund(_ ticket: SigningTicket) throws(CustodyError) {
        if let lastError { throw lastError }
        written.withLock { $0.append(.refunded) }
    }

    func fail(_ ticket: SigningTicket) { written.withLock { $0.append(.failed) } }

    func ban(_ peer: ParticipantIndex) { written.withLock { $0.append(.banned(peer.value)) } }
}
