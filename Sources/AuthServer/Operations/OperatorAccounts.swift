public import AuthAPI
internal import AuthStore
internal import Encoding
internal import SQLStore
public import Secrets
internal import ServerAudit
internal import ServerHTTP
internal import Time

/// The accounts of a store, for its operator: to view, lock and erase them, and to remove a passkey.
///
/// A server of the same store may be running. Each change takes effect with its next request, since it reads the store.
///
/// ```swift
/// let page = try await OperatorAccounts.with(configuration, home: home, passphrase: passphrase) { accounts in
///     try await accounts.page(limit: 100)
/// }
/// ```
public struct OperatorAccounts: Sendable {
    /// The highest number of accounts in one page, and of events in one answer.
    public static let mostAtOnce = 1_000

    let database: any Database
    let sealer: ColumnSealer
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource
    /// The way to the audit log; nil without one.
    var audit: AuditOutbox?

    /// Opens the vault and the store, runs `body`, and closes them.
    ///
    /// - Throws: ``StartupError/otherMasterKey`` if the vault does not open the store, ``StartupError/noStore(_:)``,
    ///   ``StartupError/olderTables``, and the errors of opening either.
    public static func with<Value: Sendable>(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes,
        _ body: (OperatorAccounts) async throws -> Value
    ) async throws -> Value {
        let sealer = try await home.sealer(passphrase: passphrase, random: SystemRandom())
        return try await home.withExistingDatabase(configuration.store) { database in
            guard try await Migrator.isCurrent(database, with: AuthTables.migrations) else {
                throw StartupError.olderTables
            }
            try await database.read { try sealer.requireOpening(in: $0) }
            return try await body(
                OperatorAccounts(
                    database: database, sealer: sealer, clock: Timestamp.now, random: SystemRandom(),
                    audit: AuditOutbox.ofOperator(configuration)))
        }
    }

    /// Parses an account id.
    ///
    /// - Throws: ``StartupError/noSuchAccount`` if the text is not an id.
    public static func id(_ text: String) throws(StartupError) -> AccountID {
        guard let id = try? AccountID(text) else { throw .noSuchAccount }
        return id
    }

    // MARK: Viewing

    /// Returns the next accounts in the order of their ids.
    ///
    /// - Parameters:
    ///   - after: the last id of the previous page; nil for the first page.
    ///   - limit: 1...``mostAtOnce``.
    ///   - showingNames: whether names are opened. People chose them, and few tasks need them.
    public func page(after: AccountID? = nil, limit: Int, showingNames: Bool = false) async throws -> AccountPage {
        let limit = min(max(1, limit), Self.mostAtOnce)
        let now = clock()
        let rows = try await database.read { transaction in
            try AccountOverviews.page(
                after: after, limit: limit + 1, at: now, sealer: showingNames ? sealer : nil, in: transaction)
        }
        let shown = rows.prefix(limit)
        return AccountPage(
            accounts: shown.map(AccountSummary.init), next: rows.count > limit ? shown.last?.id : nil)
    }

    /// Returns the summary of an account.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    public func summary(of id: AccountID) async throws -> AccountSummary {
        let now = clock()
        return try await database.read { transaction in
            guard let row = try AccountOverviews.find(id, at: now, sealer: nil, in: transaction) else {
                throw StartupError.noSuchAccount
            }
            return AccountSummary(row)
        }
    }

    /// Returns the details of an account.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    /// - Parameter eventLimit: the number of recent events.
    public func details(
        of id: AccountID, showingNames: Bool = false, eventLimit: Int = 10
    ) async throws -> AccountDetails {
        let now = clock()
        return try await database.read { transaction in
            guard
                let row = try AccountOverviews.find(
                    id, at: now, sealer: showingNames ? sealer : nil, in: transaction)
            else { throw StartupError.noSuchAccount }
            return AccountDetails(
                summary: AccountSummary(row),
                lockReason: try Accounts.lockReason(of: id, sealer: sealer, in: transaction),
                passkeys: try Passkeys.all(of: id, sealer: sealer, in: transaction).map {
                    AccountDetails.Passkey($0, showingName: showingNames)
                },
                devices: try Devices.last(
                    of: id, limit: StoreLimits.rowsAtOnce, sealer: sealer, in: transaction
                ).reversed().map {
                    AccountDetails.Device($0, showingName: showingNames)
                },
                sessions: try Sessions.living(of: id, at: now, in: transaction).map {
                    try AccountDetails.Session($0, at: now)
                },
                recoveryCodesLeft: try RecoveryCodes.unused(of: id, in: transaction),
                events: try events(of: id, limit: eventLimit, in: transaction))
        }
    }

    /// Returns the last security events of an account, newest first.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    public func events(of id: AccountID, limit: Int) async throws -> [AccountEvent] {
        let now = clock()
        return try await database.read { transaction in
            guard try AccountOverviews.find(id, at: now, sealer: nil, in: transaction) != nil else {
                throw StartupError.noSuchAccount
            }
            return try events(of: id, limit: limit, in: transaction)
        }
    }

    private func events(of id: AccountID, limit: Int, in transaction: any Transaction) throws -> [AccountEvent] {
        try SecurityEvents.page(
            of: id, limit: min(max(1, limit), Self.mostAtOnce), sealer: sealer, in: transaction
        ).map(AccountEvent.init)
    }

    // MARK: Locking

    /// The result of an order to lock an account.
    public enum Locking: Equatable, Sendable {
        /// The account is locked now, and this number of sessions ended.
        case locked(sessionsEnded: Int)
        /// The account was locked before. Nothing has changed.
        case wasLocked
    }

    /// Locks an account: its sessions end, and sign-ins, refreshes and recoveries are refused with `account_locked`
    /// until ``unlock(_:)``. No data of the account are removed.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    public func lock(_ id: AccountID, reason: LockReason?) async throws -> Locking {
        try await locking.lock(id, reason: reason)
    }

    /// Unlocks an account: its owner can sign in again. Returns whether it was locked.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    public func unlock(_ id: AccountID) async throws -> Bool { try await locking.unlock(id) }

    // MARK: Removing

    /// Erases an account with all its data, as its owner could. An erasure cannot be undone.
    ///
    /// - Throws: ``StartupError/noSuchAccount``.
    public func erase(_ id: AccountID) async throws {
        try await AccountErasure(database: database, sealer: sealer, events: events, clock: clock).eraseByOperator(id)
    }

    /// The result of an order to remove a passkey.
    public enum PasskeyRemoval: Equatable, Sendable {
        /// The passkey is removed, and this number of sessions ended.
        case removed(sessionsEnded: Int, passkeysLeft: Int, recoveryCodesLeft: Int)
        /// The passkey is the account's last, and stays: without it the owner could sign in with a recovery code only.
        case isLast(recoveryCodesLeft: Int)
    }

    /// Removes a passkey from an account, and ends the account's sessions. The store does not know which sessions that
    /// passkey began, and an operator removes a passkey that a thief may have.
    ///
    /// - Parameters:
    ///   - passkey: the passkey's id, in base64url.
    ///   - evenLast: whether the account's last passkey may be removed.
    /// - Throws: ``StartupError/noSuchAccount``, ``StartupError/noSuchPasskey``.
    public func removePasskey(
        _ passkey: String, of id: AccountID, evenLast: Bool
    ) async throws -> PasskeyRemoval {
        guard let credential = try? Base64URL.decode(passkey), !credential.isEmpty else {
            throw StartupError.noSuchPasskey
        }
        return try await RegisteredPasskeys(database: database, sealer: sealer, events: events, clock: clock)
            .removeByOperator(credential, of: id, evenLast: evenLast)
    }

    // MARK: The use cases

    private var events: SecurityEventLog {
        SecurityEventLog(sealer: sealer, random: random, reporting: nil, audit: audit)
    }

    private var locking: AccountLocking {
        AccountLocking(database: database, sealer: sealer, events: events, clock: clock)
    }
}
