internal import AuditLog
internal import Bitcoin
public import Custody
internal import Encoding
public import Secrets
public import Time
internal import Wallet

/// A wallet's sealed memory on this machine: its policy, its contacts, the history and the proposals
/// ([format](../../../docs/formats/book.md)).
///
/// Limits are counted by it, so it is written before anything is signed: ``admit(_:meaning:in:)``.
/// The wallet's passphrase seals it. This machine remembers its last generation, and refuses an older copy, another
/// book, or a missing one. It is locked while it is open: one command at a time signs.
///
/// Each call that changes the book returns when the change is durable on the disk. A call that throws has changed
/// nothing that counts.
public actor WalletBook {
    let wallet: WalletRecord
    let home: WalletHome
    nonisolated let accounts: Accounts
    private(set) var file: BookFile

    var policyBytes: [UInt8]?
    var contactList: [Contact] = []
    var frozenCoins: Set<OutPoint> = []
    /// Entries from other machines.
    var archived: [ArchivedEntry] = []
    /// The entries, in the order in which they were admitted.
    var entries: [HistoryEntry] = []
    /// The size of each entry, by its digest.
    var entrySizes: [[UInt8]: Int] = [:]
    /// The proposals, in the order in which they were proposed.
    var stored: [StoredProposal] = []
    /// The nonce ledgers, by the names of their items.
    var ledgers: [String: [UInt8]] = [:]
    /// The sessions that reserved a digest alone: only such a session can know that no signature exists.
    var reservedBy: [[UInt8]: BookSession] = [:]
    /// The last session that each digest was admitted for since the book was opened.
    var admittedBy: [[UInt8]: BookSession] = [:]
    /// The maximum number of entries, and their maximum total size.
    var room = (entries: Limits.historyEntries, bytes: Limits.historySize)

    /// Held by the call that reads and writes. Other calls wait for its end: an actor starts the next call while one waits for
    /// the disk, and two intents that are judged by the same history would both be admitted.
    let lock = AsyncLock()

    /// The clocks of the log's entries.
    let times: @Sendable () -> ClockReading
    /// The audit log, from the first act on until the book is closed.
    var openLog: AuditLog?
    /// The folder of the log that was opened last.
    var logFolder = ""
    /// The signings that are logged and have not ended, by digest.
    var loggedSignings: [[UInt8]: (session: BookSession, number: UInt64, act: WalletEvent.Act)] = [:]

    private init(
        _ wallet: WalletRecord, _ home: WalletHome, _ accounts: Accounts, _ file: BookFile,
        _ times: @escaping @Sendable () -> ClockReading
    ) {
        self.wallet = wallet
        self.home = home
        self.accounts = accounts
        self.file = file
        self.times = times
    }

    /// Opens the book of a wallet. Without a file the book is empty, and the first write makes the file.
    ///
    /// - Parameters:
    ///   - passphrase: the wallet's passphrase. Before a file is made, it is compared with a share.
    ///   - times: the clocks of the entries in the wallet's audit log.
    /// - Throws: `CustodyError.book(_:)` if it cannot be opened, is older than the one that this machine has seen, or
    ///   is missing; `CustodyError.wallet(_:)`.
    public static func open(
        of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes, random: some RandomSource,
        times: @escaping @Sendable () -> ClockReading = ClockReading.now
    ) async throws(CustodyError) -> WalletBook {
        let file = try BookFile(of: wallet, in: home, passphrase: passphrase, random: random)
        let book = WalletBook(wallet, home, try wallet.accounts, file, times)
        do { try await book.load(file) } catch {
            await file.close()
            throw error
        }
        return book
    }

    /// Opens the book again that ``close()`` has closed, and reads everything anew: another program may have changed it.
    ///
    /// - Parameters: as of ``open(of:in:passphrase:random:times:)``, of the same wallet.
    /// - Throws: as ``open(of:in:passphrase:random:times:)``; the data of this instance is unchanged then.
    public nonisolated func reopen(
        in home: WalletHome, passphrase: borrowing SecretBytes, random: some RandomSource
    ) async throws(CustodyError) {
        let file = try BookFile(of: wallet, in: home, passphrase: passphrase, random: random)
        do { try await load(file) } catch {
            await file.close()
            throw error
        }
    }

    /// Verifies that the passphrase is the wallet's: by the book, or by a share if the book does not exist yet.
    ///
    /// - Throws: `ShareFault.unreadable(path:_:)`, `CustodyError.book(_:)` if no share file exists for the
    ///   comparison.
    public func requirePassphrase() async throws(CustodyError) { try await file.requirePassphrase() }

    /// Closes the audit log with a checkpoint, and releases the lock. Until ``reopen(in:passphrase:random:)`` nothing can be written, and the data that is read may
    /// be outdated.
    public func close() async {
        await lock.lock()
        defer { lock.unlock() }
        await closeLog()
        await file.close()
    }

    private func load(_ file: BookFile) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        var (policyBytes, contactList, frozenCoins): ([UInt8]?, [Contact], Set<OutPoint>) = (nil, [], [])
        var (entries, entrySizes): ([HistoryEntry], [[UInt8]: Int]) = ([], [:])
        var (stored, ledgers): ([StoredProposal], [String: [UInt8]]) = ([], [:])
        for (name, bytes) in try await file.contents() {
            switch Item(name: name) {
            case .policy: policyBytes = bytes
            case .contacts: contactList = try readable(try? Contact.list(decoding: bytes))
            case .frozen: frozenCoins = try readable(try? FrozenCoins.decode(bytes))
            case .archive: archived = try readable(try? ArchivedEntry.list(decoding: bytes))
            case .entry(let digest):
                let entry = try readable(try? HistoryEntry(decoding: bytes))
                guard entry.digest == digest else { throw damaged }
                entries.append(entry)
                entrySizes[digest] = bytes.count
            case .proposal(let digest):
                let proposal = try readable(try? StoredProposal(decoding: bytes))
                guard proposal.digest == digest else { throw damaged }
                stored.append(proposal)
            case .nonces(let name): ledgers[name] = bytes
            case nil: throw damaged
            }
        }
        self.file = file
        (self.policyBytes, self.contactList, self.frozenCoins) = (policyBytes, contactList, frozenCoins)
        (self.entries, self.entrySizes) = (entries.sorted { $0.number < $1.number }, entrySizes)
        (self.stored, self.ledgers) = (stored.sorted { $0.order(before: $1) }, ledgers)
        // No session outlives the file that it was admitted by.
        (reservedBy, admittedBy, loggedSignings) = ([:], [:], [:])
    }

    var damaged: CustodyError { .book(.damaged(path: file.path)) }

    func readable<Value>(_ value: Value?) throws(CustodyError) -> Value {
        guard let value else { throw damaged }
        return value
    }

    /// The kinds of items in the file.
    enum Item {
        case policy
        case contacts
        case frozen
        case archive
        case entry([UInt8])
        case proposal([UInt8])
        case nonces(String)

        init?(name: String) {
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count) {
            case ("policy", 1): self = .policy
            case ("contacts", 1): self = .contacts
            case ("frozen", 1): self = .frozen
            case ("archive", 1): self = .archive
            case ("entry", 2): self = .entry((try? Hex.decode(parts[1])) ?? [])
            case ("proposal", 2): self = .proposal((try? Hex.decode(parts[1])) ?? [])
            case ("nonces", 2): self = .nonces(parts[1])
            default: return nil
            }
        }

        var name: String {
            switch self {
            case .policy: "policy"
            case .contacts: "contacts"
            case .frozen: "frozen"
            case .archive: "archive"
            case .entry(let digest): "entry.\(Hex.encode(digest))"
            case .proposal(let digest): "proposal.\(Hex.encode(digest))"
            case .nonces(let name): "nonces.\(name)"
            }
        }
    }
}
