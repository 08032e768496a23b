public import AuthAPI
internal import AuthServer
public import AuthSettings
internal import AuthStore
internal import Encoding
internal import SQLStore
public import Secrets
internal import Tokens

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

    let store: OperatorStore

    /// Opens the vault and the store, runs `body`, and closes them.
    ///
    /// - Throws: `StartupError.otherMasterKey` if the vault does not open the store, `StartupError.noStore`,
    ///   `StartupError.olderTables`, and the errors of opening either.
    public static func with<Value: Sendable>(
        _ configuration: ServerConfiguration, home: ServerHome, passphrase: borrowing SecretBytes,
        _ body: (OperatorAccounts) async throws -> Value
    ) async throws -> Value {
        try await OperatorStore.with(configuration, home: home, passphrase: passphrase) { store in
            try await store.requireCurrentTables()
            try await store.database.read { try store.sealer.requireOpening(in: $0) }
            return try await body(OperatorAccounts(store: store))
        }
    }

    /// Parses an account id.
    ///
    /// - Throws: `StartupError.noSuchAccount` if the text is not an id.
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
        let now = store.clock()
        let rows = try await store.database.read { transaction in
            try AccountOverviews.page(
                after: after, limit: limit + 1, at: now, sealer: showingNames ? store.sealer : nil, in: transaction)
        }
        let shown = rows.prefix(limit)
        return AccountPage(
            accounts: shown.map(AccountSummary.init), next: rows.count > limit ? shown.last?.id : nil)
    }

    /// Returns the summary of an account.
    ///
    /// - Throws: `StartupError.noSuchAccount`.
    public func summary(of id: AccountID) async throws -> AccountSummary {
        let now = store.clock()
        return try await store.database.read { transaction in
            guard let row = try AccountOverviews.find(id, at: now, sealer: nil, in: transaction) else {
                throw StartupError.noSuchAccount
            }
            return AccountSummary(row)
        }
    }

    /// Returns the details of an account.
    ///
    /// - Throws: `StartupError.noSuchAccount`.
    /// - Parameter eventLimit: the number of recent events.
    public func details(
        of id: AccountID, showingNames: Bool = false, eventLimit: Int = 10
    ) async throws -> AccountDetails {
        let now = store.clock()
        return try await store.database.read { transaction in
            guard
                let row = try AccountOverviews.find(
                    id, at: now, sealer: showingNames ? store.sealer : nil, in: transaction)
            else { throw StartupError.noSuchAccount }
            return AccountDetails(
                summary: AccountSummary(row),
                lockReason: try Accounts.lockReason(of: id, sealer: store.sealer, in: transaction),
                passkeys: try Passkeys.all(of: id, sealer: store.sealer, in: transaction).map {
                    AccountDetails.Passkey($0, showingName: showingNames)
                },
                devices: try Devices.last(
                    of: id, limit: StoreLimits.rowsAtOnce, sealer: store.sealer, in: transaction
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
    /// - Throws: `StartupError.noSuchAccount`.
    public func events(of id: AccountID, limit: Int) async throws -> [AccountEvent] {
        let now = store.clock()
        return try await store.database.read { transaction in
            guard try AccountOverviews.find(id, at: now, sealer: nil, in: transaction) != nil else {
                throw StartupError.noSuchAccount
            }
            return try events(of: id, limit: limit, in: transaction)
        }
    }

    private func events(of id: AccountID, limit: Int, in transaction: any Transaction) throws -> [AccountEvent] {
        try SecurityEvents.page(
            of: id, limit: min(max(1, limit), Self.mostAtOnce), sealer: store.sealer, in: transaction
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
    /// The sessions are ended and not suspended: an operator locks an account when a thief may have its sessions.
    /// Afterwards the owner signs in again with a passkey, which takes a few seconds.
    ///
    /// - Throws: `StartupError.noSuchAccount`.
    public func lock(_ id: AccountID, reason: LockReason?) async throws -> Locking {
        let now = store.clock()
        return try await store.change(id) { [store] transaction in
            guard try Accounts.lock(id, at: now, reason: reason?.text, sealer: store.sealer, in: transaction) else {
                return .wasLocked
            }
            let ended = try Sessions.revoke(
                account: id, except: nil, at: now, reason: RefreshFamily.RevocationReason.accountLocked.rawValue,
                in: transaction)
            try store.events.note(
                .accountLocked, account: id, EventDetails(nil, reason: reason?.text), at: now, in: transaction)
            return .locked(sessionsEnded: ended)
        }
    }

    /// Unlocks an account: its owner can sign in again. Returns whether it was locked.
    ///
    /// - Throws: `StartupError.noSuchAccount`.
    public func unlock(_ id: AccountID) async throws -> Bool {
        let now = store.clock()
        return try await store.change(id) { [store] transaction in
            guard try Accounts.unlock(id, in: transaction) else { return false }
            try store.events.note(.accountUnlocked, account: id, EventDetails(nil), at: now, in: transaction)
            return true
        }
    }

    // MARK: Removing

    /// Erases an account with all its data, as its owner could. An erasure cannot be undone.
    ///
    /// - Throws: `StartupError.noSuchAccount`.
    public func erase(_ id: AccountID) async throws {
        let now = store.clock()
        // The events go first, a limited number per transaction: there may be thousands, and one long transaction would
        // block all others.
        while try await store.change(id, { try AccountErasure.anonymiseSome(of: id, in: $0) }) {}
        try await store.change(id) { [store] transaction in
            guard try AccountErasure.remove(id, events: store.events, at: now, in: transaction) else {
                throw StartupError.noSuchAccount
            }
        }
        // Nothing of the account stays in the write-ahead log. While a server still reads an older state, that server
        // does this later.
        store.database.forgetDeleted()
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
    /// - Throws: `StartupError.noSuchAccount`, `StartupError.noSuchPasskey`.
    public func removePasskey(
        _ passkey: String, of id: AccountID, evenLast: Bool
    ) async throws -> PasskeyRemoval {
        guard let credential = try? Base64URL.decode(passkey), !credential.isEmpty else {
            throw StartupError.noSuchPasskey
        }
        let now = store.clock()
        return try await store.change(id) { [store] transaction in
            let codes = try RecoveryCodes.unused(of: id, in: transaction)
            let count = try Passkeys.count(of: id, in: transaction)
            let isItsOwn = try Passkeys.find(credential, sealer: store.sealer, in: transaction)?.account == id
            guard isItsOwn else { throw StartupError.noSuchPasskey }
            guard count > 1 || evenLast else { return .isLast(recoveryCodesLeft: codes) }
            guard try Passkeys.removeEvenLast(credential, of: id, in: transaction) else {
                throw StartupError.noSuchPasskey
            }
            let reason = RefreshFamily.RevocationReason.byOperator.rawValue
            let ended = try Sessions.revoke(account: id, except: nil, at: now, reason: reason, in: transaction)
            try store.events.note(
                .passkeyRemoved, account: id, EventDetails(nil, reason: reason), at: now, in: transaction)
            return .removed(sessionsEnded: ended, passkeysLeft: count - 1, recoveryCodesLeft: codes)
        }
    }
}
