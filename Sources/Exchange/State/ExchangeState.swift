internal import SecureStorage

/// The files that a client keeps beside its keys: the journal of orders and the highest nonce of each key, and the
/// pause that each exchange asked for.
///
/// Several processes use one folder. Each change is made under a lock, and is durable before the client acts on it.
public struct ExchangeState: Sendable {
    private let store: any StateStore

    /// Opens a folder, and makes it if it is missing.
    ///
    /// - Throws: ``ExchangeError/state(_:)``.
    public init(folder path: String) throws(ExchangeError) {
        do throws(SecureStorageError) { store = try StateFolder(at: path) } catch { throw .state(.storage(error)) }
    }

    package init(_ store: any StateStore) { self.store = store }

    // MARK: Locks

    /// Waits for a lock.
    ///
    /// - Throws: ``ExchangeError/busy`` after ``ExchangeLimits/lockAttempts``.
    func turn(_ file: StateFile, of key: APIKey, clock: ExchangeClock) async throws(ExchangeError) -> any AnyObject
        & Sendable
    {
        for _ in 0..<ExchangeLimits.lockAttempts {
            do throws(SecureStorageError) {
                return try store.lock(name(of: file, key) + ".turn")
            } catch .lockedByAnother {
                guard !Task.isCancelled else { throw .busy }
                await clock.wait(ExchangeLimits.lockPause)
            } catch { throw .state(.storage(error)) }
        }
        throw .busy
    }

    // MARK: The journal

    func journal(of key: APIKey) throws(ExchangeError) -> OrderJournal {
        guard let bytes = try read(.journal, key, limit: ExchangeLimits.journalBytes) else { return OrderJournal() }
        guard let journal = try? OrderJournal(decoding: bytes) else { throw .state(.damaged(.journal)) }
        return journal
    }

    /// Changes the journal. When it returns, the change is durable.
    func changeJournal<Result>(
        of key: APIKey, clock: ExchangeClock, _ body: (inout OrderJournal) throws(ExchangeError) -> Result
    ) async throws(ExchangeError) -> Result {
        let turn = try await turn(.journal, of: key, clock: clock)
        defer { withExtendedLifetime(turn) {} }
        let old = try journal(of: key)
        var journal = old
        let result = try body(&journal)
        if journal != old { try write(journal.encoded, .journal, key) }
        return result
    }

    /// Adds the orders of another key's journal to a key's own: after a rotation the new key finds the account's orders
    /// by their ids, and recognises an id that was used.
    ///
    /// - Parameter fingerprint: the other key's short name, of 32 hexadecimal digits.
    func adoptJournal(
        of fingerprint: String, for key: APIKey, clock: ExchangeClock
    ) async throws(ExchangeError) {
        let bytes: [UInt8]?
        do throws(SecureStorageError) {
            bytes = try store.read(
                "\(key.venue.rawValue)-\(fingerprint).orders", limit: ExchangeLimits.journalBytes)
        } catch { throw .state(.storage(error)) }
        guard let bytes else { return }
        guard let old = try? OrderJournal(decoding: bytes) else { throw .state(.damaged(.journal)) }
        try await changeJournal(of: key, clock: clock) { journal throws(ExchangeError) in
            try journal.adopt(old)
        }
    }

    // MARK: Nonces

    /// Draws a nonce. The caller holds the turn of the key's nonces until the exchange has answered.
    func drawNonce(of key: APIKey, now: Moment) throws(ExchangeError) -> UInt64 {
        var record = NonceRecord()
        if let bytes = try read(.nonce, key, limit: ExchangeLimits.stateBytes) {
            guard let known = try? NonceRecord(decoding: bytes) else { throw .state(.damaged(.nonce)) }
            record = known
        }
        let nonce = try record.draw(now: now)
        try write(record.encoded, .nonce, key)
        return nonce
    }

    // MARK: Pauses

    /// Returns the pause of an exchange that is not over.
    func wait(at venue: Venue, now: Moment) throws(ExchangeError) -> Wait? {
        let bytes: [UInt8]?
        do throws(SecureStorageError) {
            bytes = try store.read(waitName(venue), limit: ExchangeLimits.stateBytes)
        } catch { throw .state(.storage(error)) }
        // A damaged record counts as none: the exchange repeats its demand, at the cost of one request.
        guard let bytes, let record = try? WaitRecord(decoding: bytes) else { return nil }
        guard let wait = record.remaining(at: now) else { return nil }
        // The clock went back: without a new record, the pause would begin again at each look.
        if now < record.begun {
            let again = WaitRecord(wait.reason, for: wait.until.since(now), from: now)
            do throws(SecureStorageError) {
                try store.write(again.encoded, as: waitName(venue))
            } catch { throw .state(.storage(error)) }
        }
        return wait
    }

    /// Stores a pause of an exchange, unless a longer one is stored.
    func store(_ record: WaitRecord, at venue: Venue) throws(ExchangeError) {
        if let known = try? wait(at: venue, now: record.begun), known.until > record.wait.until { return }
        do throws(SecureStorageError) {
            try store.write(record.encoded, as: waitName(venue))
        } catch { throw .state(.storage(error)) }
    }

    // MARK: Files

    private func waitName(_ venue: Venue) -> String { "\(venue.rawValue).wait" }

    private func name(of file: StateFile, _ key: APIKey) -> String {
        switch file {
        case .journal: "\(key.venue.rawValue)-\(key.fingerprint).orders"
        case .nonce: "\(key.venue.rawValue)-\(key.fingerprint).nonce"
        case .wait: waitName(key.venue)
        }
    }

    private func read(_ file: StateFile, _ key: APIKey, limit: Int) throws(ExchangeError) -> [UInt8]? {
        do throws(SecureStorageError) {
            return try store.read(name(of: file, key), limit: limit)
        } catch { throw .state(.storage(error)) }
    }

    private func write(_ bytes: [UInt8], _ file: StateFile, _ key: APIKey) throws(ExchangeError) {
        do throws(SecureStorageError) {
            try store.write(bytes, as: name(of: file, key))
        } catch { throw .state(.storage(error)) }
    }
}
