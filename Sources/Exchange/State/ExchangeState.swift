internal import Crypto
internal import Encoding
public import ExchangeCredentials
internal import Files
internal import PinnedHTTP
internal import Time

/// The files that a client keeps beside its keys: the journal of orders and the highest nonce of each key, and the
/// pause that each exchange asked for.
///
/// Several processes use one folder. Each change is made under a lock, and is durable before the client acts on it.
///
/// A second folder has the last generation of each journal. If a journal was deleted, or replaced by an older copy, its
/// key stops with ``StateFault/olderJournal(found:expected:)``: an order that was sent would otherwise be forgotten, and
/// its id accepted again.
public struct ExchangeState: Sendable {
    private let store: any StateStore
    private let generations: any StateStore
    /// A part of the names of files about another server than the exchange's; empty for the exchange's.
    private var place = ""

    /// Opens the folders, and makes them if they are missing.
    ///
    /// - Parameters:
    ///   - path: the folder of the journals, nonces and pauses.
    ///   - seen: the folder of the journals' last generations. It protects as well as it is kept apart from the other
    ///     one: a copy of both that is restored is not noticed.
    /// - Throws: ``ExchangeError/state(_:)``.
    public init(folder path: String, seen: String) throws(ExchangeError) {
        do throws(FileError) {
            store = try StateFolder(at: path)
            generations = try StateFolder(at: seen)
        } catch { throw .state(.storage(error)) }
    }

    package init(_ store: any StateStore, seen: any StateStore) {
        self.store = store
        generations = seen
    }

    /// Returns the state for one server. What another server than the exchange's says, such as one for tests, changes
    /// neither the journal of the exchange's orders nor its pauses. Nonces are drawn from one file: they only rise.
    func of(_ origin: Origin?, at venue: Venue) -> ExchangeState {
        var state = self
        if let origin, !venue.has(origin) {
            let hash = SHA256.hash(data: Array("\(origin.scheme.rawValue)://\(origin.authority)".utf8))
            state.place = "@" + Hex.encode(Array(hash.prefix(8)))
        } else {
            state.place = ""
        }
        return state
    }

    // MARK: Locks

    /// Waits for the lock of a file.
    ///
    /// - Throws: ``ExchangeError/busy`` after ``ExchangeLimits/lockAttempts``.
    func turn(_ file: StateFile, of key: APIKey, clock: ExchangeClock) async throws(ExchangeError) -> any AnyObject
        & Sendable
    {
        try await turn(name(of: file, key), clock)
    }

    private func turn(_ name: String, _ clock: ExchangeClock) async throws(ExchangeError) -> any AnyObject & Sendable {
        for _ in 0..<ExchangeLimits.lockAttempts {
            do throws(FileError) {
                return try store.lock(name + ".turn")
            } catch .lockedByAnother {
                guard !Task.isCancelled else { throw .busy }
                await clock.wait(ExchangeLimits.lockPause)
            } catch { throw .state(.storage(error)) }
        }
        throw .busy
    }

    /// Takes the lock that shows that the process which placed an order still runs and will tell the outcome; nil while
    /// another one has it. A rotation of the key does not change it.
    func hold(_ id: ClientOrderID, at venue: Venue) throws(ExchangeError) -> (any AnyObject & Sendable)? {
        do throws(FileError) {
            return try store.lock("\(venue.rawValue)\(place).\(id)")
        } catch .lockedByAnother { return nil } catch { throw .state(.storage(error)) }
    }

    // MARK: The journal

    /// Returns the journal of a key.
    ///
    /// - Throws: ``StateFault/olderJournal(found:expected:)``.
    func journal(of key: APIKey) throws(ExchangeError) -> OrderJournal {
        try journal(key.venue, key.fingerprint)
    }

    /// Returns the orders of a key whose outcome is unknown, also those at other servers.
    ///
    /// - Parameter fingerprint: the key's short name, of 32 hexadecimal digits.
    /// - Throws: ``ExchangeError/state(_:)``.
    public func unsettledOrders(
        ofKey fingerprint: String, at venue: Venue
    ) throws(ExchangeError) -> [JournalEntry] {
        var orders: [JournalEntry] = []
        for state in try ofAllPlaces(venue, fingerprint) {
            orders += try state.journal(venue, fingerprint).entries.filter(\.isOpen)
        }
        return orders
    }

    private func journal(_ venue: Venue, _ fingerprint: String) throws(ExchangeError) -> OrderJournal {
        // Before the journal: another process may write both meanwhile, the journal first.
        let seen = try lastSeen(venue, fingerprint)
        let journal = try uncheckedJournal(venue, fingerprint)
        guard journal.generation >= seen else {
            throw .state(.olderJournal(found: journal.generation, expected: seen))
        }
        return journal
    }

    private func uncheckedJournal(_ venue: Venue, _ fingerprint: String) throws(ExchangeError) -> OrderJournal {
        let name = name(of: .journal, venue, fingerprint)
        guard let bytes = try read(name, limit: ExchangeLimits.journalBytes) else { return OrderJournal() }
        guard let journal = try? OrderJournal(decoding: bytes) else { throw .state(.damaged(.journal)) }
        return journal
    }

    private func lastSeen(_ venue: Venue, _ fingerprint: String) throws(ExchangeError) -> UInt64 {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try generations.read(
                name(of: .seen, venue, fingerprint), limit: ExchangeLimits.stateBytes)
        } catch { throw .state(.storage(error)) }
        guard let bytes else { return 0 }
        guard let seen = try? SeenGeneration(decoding: bytes) else { throw .state(.damaged(.seen)) }
        return seen.generation
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
        if journal != old { try write(&journal, of: key) }
        return result
    }

    /// Makes a journal durable, and then its generation: an order is sent after both.
    private func write(_ journal: inout OrderJournal, of key: APIKey) throws(ExchangeError) {
        let (next, overflow) = journal.generation.addingReportingOverflow(1)
        // A program that can write the file could have set it to the highest number.
        guard !overflow else { throw .state(.damaged(.journal)) }
        journal.generation = next
        try write(journal.encoded, .journal, key)
        do throws(FileError) {
            try generations.write(SeenGeneration(next).encoded, as: name(of: .seen, key.venue, key.fingerprint))
        } catch { throw .state(.storage(error)) }
    }

    /// Accepts the present journal of a key in place of a newer one that is lost.
    func acceptJournal(of key: APIKey, clock: ExchangeClock) async throws(ExchangeError) {
        let turn = try await turn(.journal, of: key, clock: clock)
        defer { withExtendedLifetime(turn) {} }
        let seen = try lastSeen(key.venue, key.fingerprint)
        var journal = try uncheckedJournal(key.venue, key.fingerprint)
        guard journal.generation < seen else { return }
        journal.generation = seen
        try write(&journal, of: key)
    }

    /// Adds the orders of another key's journals to a key's own, those of each server to its own journal: after a
    /// rotation the new key finds the account's orders by their ids, and recognises an id that was used.
    ///
    /// - Parameter fingerprint: the other key's short name, of 32 hexadecimal digits.
    func adoptJournals(
        of fingerprint: String, for key: APIKey, clock: ExchangeClock
    ) async throws(ExchangeError) {
        for state in try ofAllPlaces(key.venue, fingerprint) {
            let old = try state.journal(key.venue, fingerprint)
            guard !old.entries.isEmpty else { continue }
            try await state.changeJournal(of: key, clock: clock) { journal throws(ExchangeError) in
                try journal.adopt(old)
            }
        }
    }

    /// Checks that all journals of a key can be taken over: ``adoptJournals(of:for:clock:)``.
    ///
    /// - Parameter acceptsOlder: whether journals may be older than those that this machine has written.
    func checkJournals(of key: APIKey, acceptsOlder: Bool) throws(ExchangeError) {
        for state in try ofAllPlaces(key.venue, key.fingerprint) {
            do throws(ExchangeError) { _ = try state.journal(of: key) } catch {
                guard acceptsOlder, case .state(.olderJournal) = error else { throw error }
            }
        }
    }

    /// Returns the states of all servers for which a key has a journal, or had one.
    func ofAllPlaces(_ venue: Venue, _ fingerprint: String) throws(ExchangeError) -> [ExchangeState] {
        let names: [String]
        do throws(FileError) { names = try store.names() + generations.names() } catch {
            throw .state(.storage(error))
        }
        let beginning = "\(venue.rawValue)-\(fingerprint)"
        let places = names.compactMap { name -> String? in
            guard name.hasPrefix(beginning), let end = [".orders", ".seen"].first(where: name.hasSuffix) else {
                return nil
            }
            return String(name.dropFirst(beginning.count).dropLast(end.count))
        }
        return Set(places).sorted().map { place in
            var state = self
            state.place = place
            return state
        }
    }

    // MARK: Nonces

    /// Draws a nonce. The caller holds the turn of the key's nonces until the exchange has answered.
    func drawNonce(of key: APIKey, now: Timestamp) throws(ExchangeError) -> UInt64 {
        var record = NonceRecord()
        if let bytes = try read(name(of: .nonce, key), limit: ExchangeLimits.stateBytes) {
            guard let known = try? NonceRecord(decoding: bytes) else { throw .state(.damaged(.nonce)) }
            record = known
        }
        let nonce = try record.draw(now: now)
        try write(record.encoded, .nonce, key)
        return nonce
    }

    // MARK: Pauses

    /// Returns the pause of an exchange that is not over.
    func wait(at venue: Venue, clock: ExchangeClock) async throws(ExchangeError) -> WaitRecord? {
        guard let record = try waitRecord(at: venue), let current = record.current(at: clock.now()) else { return nil }
        // The clock went back: without a new record, the pause would begin again at each look.
        return current == record ? record : try await restartWait(at: venue, clock: clock)
    }

    private func restartWait(at venue: Venue, clock: ExchangeClock) async throws(ExchangeError) -> WaitRecord? {
        let turn = try await turn(waitName(venue), clock)
        defer { withExtendedLifetime(turn) {} }
        // Another process may have written it meanwhile.
        guard let record = try waitRecord(at: venue), let current = record.current(at: clock.now()) else { return nil }
        if current != record { try write(current, at: venue) }
        return current
    }

    /// Stores a pause of an exchange, and keeps a longer one that is stored.
    func store(_ record: WaitRecord, at venue: Venue, clock: ExchangeClock) async throws(ExchangeError) {
        let turn = try await turn(waitName(venue), clock)
        defer { withExtendedLifetime(turn) {} }
        guard let known = try? waitRecord(at: venue)?.current(at: record.begun) else {
            return try write(record, at: venue)
        }
        if known.stopsCancellings != record.stopsCancellings {
            try write(record.joined(with: known), at: venue)
        } else if known.wait.until <= record.wait.until {
            try write(record, at: venue)
        }
    }

    /// Returns the stored record, over or not. A damaged one counts as none: the exchange repeats its demand, at the
    /// cost of one request.
    private func waitRecord(at venue: Venue) throws(ExchangeError) -> WaitRecord? {
        guard let bytes = try read(waitName(venue), limit: ExchangeLimits.stateBytes) else { return nil }
        return try? WaitRecord(decoding: bytes)
    }

    private func write(_ record: WaitRecord, at venue: Venue) throws(ExchangeError) {
        do throws(FileError) {
            try store.write(record.encoded, as: waitName(venue))
        } catch { throw .state(.storage(error)) }
    }

    // MARK: Files

    private func waitName(_ venue: Venue) -> String { "\(venue.rawValue)\(place).wait" }

    private func name(of file: StateFile, _ key: APIKey) -> String { name(of: file, key.venue, key.fingerprint) }

    private func name(of file: StateFile, _ venue: Venue, _ fingerprint: String) -> String {
        switch file {
        case .journal: "\(venue.rawValue)-\(fingerprint)\(place).orders"
        case .nonce: "\(venue.rawValue)-\(fingerprint).nonce"
        case .seen: "\(venue.rawValue)-\(fingerprint)\(place).seen"
        case .wait: waitName(venue)
        }
    }

    private func read(_ name: String, limit: Int) throws(ExchangeError) -> [UInt8]? {
        do throws(FileError) { return try store.read(name, limit: limit) } catch {
            throw .state(.storage(error))
        }
    }

    private func write(_ bytes: [UInt8], _ file: StateFile, _ key: APIKey) throws(ExchangeError) {
        do throws(FileError) {
            try store.write(bytes, as: name(of: file, key))
        } catch { throw .state(.storage(error)) }
    }
}
