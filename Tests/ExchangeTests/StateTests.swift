import Encoding
import ExchangeCredentials
import ExchangeTestSupport
import Files
import Foundation
import SecretStoreTestSupport
import Secrets
import SecureStorage
import Synchronization
import TestSupport
import Testing
import Time

@testable import Exchange

/// Files in memory that notice which locks are held at a write.
private final class WatchedFiles: StateStore {
    private final class Lock: Sendable {
        let inner: any AnyObject & Sendable
        let release: @Sendable () -> Void
        init(_ inner: any AnyObject & Sendable, _ release: @escaping @Sendable () -> Void) {
            self.inner = inner
            self.release = release
        }
        deinit { release() }
    }

    private let inner = MemoryFiles()
    private let held = Mutex<Set<String>>([])
    private let written = Mutex<[String]>([])
    private let bare = Mutex<[String]>([])

    var writes: [String] { written.withLock { $0 } }
    /// The files that were written without their lock.
    var unlocked: [String] { bare.withLock { $0 } }

    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8]? { try inner.read(name, limit: limit) }

    func write(_ bytes: [UInt8], as name: String) throws(FileError) {
        written.withLock { $0.append(name) }
        if !held.withLock({ $0.contains("\(name).turn") }) { bare.withLock { $0.append(name) } }
        try inner.write(bytes, as: name)
    }

    func names() throws(FileError) -> [String] { try inner.names() }

    func lock(_ name: String) throws(FileError) -> any AnyObject & Sendable {
        let lock = try inner.lock(name)
        held.withLock { _ = $0.insert(name) }
        return Lock(lock) { self.held.withLock { _ = $0.remove(name) } }
    }
}

@Suite struct StateTests {
    private let random = SeededRandom(seed: 3)
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func entry(_ state: JournalEntry.State = .open, market: Bool = false) throws -> JournalEntry {
        JournalEntry(
            id: ClientOrderID(random: random),
            order: try Order(
                .sell, Quantity("0.5", for: .amount), of: TradingSymbol("XBT/USD", on: .kraken),
                market ? .market : .limit(price: Quantity("1.5", for: .price), .immediateOrCancel)),
            created: now, deadline: now.adding(.seconds(5)), state: state)
    }

    @Test("a journal is read back with every state of an order")
    func journal() throws {
        var journal = OrderJournal()
        let states: [JournalEntry.State] = [
            .open, .placed(exchangeID: "O1-A"), .refused(Refusal(reason: .funds, code: "-2010")), .absent, .notSent,
        ]
        for state in states { try journal.add(try entry(state)) }
        try journal.add(try entry(market: true))
        #expect(try OrderJournal(decoding: journal.encoded) == journal)
    }

    @Test("a journal that was cut or changed anywhere is refused, and never read as another one")
    func damage() throws {
        var journal = OrderJournal()
        try journal.add(try entry())
        try journal.add(try entry(.placed(exchangeID: "28")))
        let bytes = journal.encoded
        for length in 0..<bytes.count {
            #expect(throws: EncodingError.self) { _ = try OrderJournal(decoding: Array(bytes.prefix(length))) }
        }
        for position in bytes.indices {
            var changed = bytes
            changed[position] ^= 1
            #expect(throws: EncodingError.self) { _ = try OrderJournal(decoding: changed) }
        }
    }

    @Test("a full journal drops its oldest settled order, and refuses another one if all are open")
    func full() throws {
        var journal = OrderJournal()
        let settled = try entry(.absent)
        try journal.add(try entry())
        try journal.add(settled)
        while journal.entries.count < ExchangeLimits.journalOrders { try journal.add(try entry()) }
        try journal.add(try entry())
        #expect(journal[settled.id] == nil)
        #expect(journal.entries.count == ExchangeLimits.journalOrders)
        let more = try entry()
        #expect(throws: ExchangeError.state(.journalFull)) { try journal.add(more) }
        #expect(journal.encoded.count < ExchangeLimits.journalBytes)
    }

    @Test("nonces rise strictly, with a clock that stands, goes back, or is far in the future")
    func nonces() throws {
        var record = NonceRecord()
        var last: UInt64 = 0
        for milliseconds in [1_700_000_000_000, 1_700_000_000_000, 5, 1_700_000_000_001, .max, 4_102_444_800_001, 7]
            as [Int64]
        {
            let nonce = try record.draw(now: Timestamp(milliseconds: milliseconds))
            #expect(nonce > last)
            #expect(nonce <= ExchangeLimits.highestClockNonce)
            last = nonce
            record = try NonceRecord(decoding: record.encoded)
        }
        let full = try NonceRecord(
            decoding: StateEnvelope.encode(
                [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], of: .nonce))
        var exhausted = full
        #expect(throws: ExchangeError.state(.noncesUsedUp)) { _ = try exhausted.draw(now: self.now) }
    }

    @Test("a damaged nonce file or journal stops the client; it is never treated as empty")
    func damagedFiles() async throws {
        for (suffix, file) in [(".nonce", StateFile.nonce), (".orders", .journal)] {
            let files = MemoryFiles()
            let fixture = try await ExchangeFixture(.kraken, files: files)
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
            files.replace(suffix, with: [1, 2, 3])
            await #expect(throws: ExchangeError.state(.damaged(file))) {
                _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
            }
            #expect(fixture.exchange.placed.count == 1)
        }
    }

    @Test("a pause is kept, is cut at three days, and survives a clock that goes back without becoming endless")
    func pauses() async throws {
        let record = WaitRecord(.ban, for: .days(1 << 31), from: now)
        #expect(record.wait.until == now.adding(.days(3)))
        #expect(try WaitRecord(decoding: record.encoded) == record)
        #expect(record.current(at: now.adding(.days(3))) == nil)
        let state = ExchangeState(MemoryFiles())
        let time = TestTime()
        let clock = time.clock
        try await state.store(WaitRecord(.ban, for: .minutes(1), from: now), at: .binance, clock: clock)
        time.goBack(10_000_000)
        let earlier = Timestamp(milliseconds: time.now)
        #expect(try await state.wait(at: .binance, clock: clock)?.wait.until == earlier.adding(.minutes(1)))
        time.pass(60_000)
        #expect(try await state.wait(at: .binance, clock: clock) == nil)
        #expect(try await state.wait(at: .kraken, clock: clock) == nil)
        // A shorter pause does not shorten a longer one.
        let begun = Timestamp(milliseconds: time.now)
        try await state.store(WaitRecord(.ban, for: .minutes(1), from: begun), at: .kraken, clock: clock)
        try await state.store(WaitRecord(.rateLimit, for: .seconds(1), from: begun), at: .kraken, clock: clock)
        time.pass(30_000)
        #expect(try await state.wait(at: .kraken, clock: clock)?.wait.reason == .ban)
    }

    @Test(
        "of a pause of Kraken's counter and another one, the later end and the one that stops cancellings are kept",
        arguments: [(45, 30), (30, 45)] as [(Int64, Int64)], [true, false])
    func joinedPauses(lengths: (Int64, Int64), counterIsFirst: Bool) async throws {
        let state = ExchangeState(MemoryFiles())
        let clock = TestTime().clock
        let begun = clock.now()
        let reasons: [Wait.Reason] = counterIsFirst ? [.callCounter, .rateLimit] : [.rateLimit, .callCounter]
        for (reason, length) in zip(reasons, [lengths.0, lengths.1]) {
            try await state.store(WaitRecord(reason, for: .seconds(length), from: begun), at: .kraken, clock: clock)
        }
        let wait = try await state.wait(at: .kraken, clock: clock)?.wait
        #expect(wait == Wait(reason: .rateLimit, until: begun.adding(.seconds(45))))
    }

    @Test("a clock that goes back again and again does not extend a pause for ever")
    func flappingClock() async throws {
        let state = ExchangeState(MemoryFiles())
        let time = TestTime()
        try await state.store(WaitRecord(.ban, for: .minutes(1), from: now), at: .binance, clock: time.clock)
        var restarts = 0
        while try await state.wait(at: .binance, clock: time.clock) != nil, restarts < 10 {
            restarts += 1
            time.goBack(1_000)
        }
        #expect(restarts == Int(ExchangeLimits.waitRestarts) + 1)
        // A record that claims more restarts is not one of this library.
        #expect(throws: EncodingError.self) {
            _ = try WaitRecord(
                decoding: WaitRecord(
                    .ban, for: Timestamp.Span(milliseconds: 1), from: self.now,
                    restarts: ExchangeLimits.waitRestarts + 1
                ).encoded)
        }
    }

    @Test("a pause is written while its lock is held, so that a shorter one of another process does not replace it")
    func pausesInTurn() async throws {
        let files = WatchedFiles()
        let state = ExchangeState(files)
        let time = TestTime()
        try await state.store(WaitRecord(.ban, for: .minutes(1), from: now), at: .binance, clock: time.clock)
        time.goBack(1_000)
        _ = try await state.wait(at: .binance, clock: time.clock)
        #expect(files.writes == ["binance.wait", "binance.wait"])
        #expect(files.unlocked.isEmpty, "written without the lock")
        // While another process writes, this one waits for its turn, and then sees the longer pause.
        var turn: (any AnyObject & Sendable)? = try files.lock("binance.wait.turn")
        let storing = Task {
            try await state.store(
                WaitRecord(.rateLimit, for: .seconds(1), from: Timestamp(milliseconds: time.now)), at: .binance,
                clock: time.clock)
        }
        withExtendedLifetime(turn) {}
        turn = nil
        try await storing.value
        #expect(try await state.wait(at: .binance, clock: time.clock)?.wait.reason == .ban)
    }

    @Test("an older copy of a journal, or none in its place, stops the key: the same order is not sent again")
    func olderJournal() async throws {
        for isDeleted in [true, false] {
            let files = MemoryFiles()
            let fixture = try await ExchangeFixture(.binanceHMAC, files: files)
            _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
            let copy = try #require(files.file(".orders"))
            let (order, id) = (try fixture.order(), fixture.newID())
            _ = try await fixture.client.place(order, as: id)
            if isDeleted { files.remove(".orders") } else { files.replace(".orders", with: copy) }
            let client = try fixture.restarted()
            let found: UInt64 = isDeleted ? 0 : 2
            let older = ExchangeError.state(.olderJournal(found: found, expected: 4))
            await #expect(throws: older) { _ = try await client.place(order, as: id) }
            await #expect(throws: older) { _ = try await client.unsettledOrders() }
            await #expect(throws: older) { _ = try await client.reconcile(id) }
            #expect(fixture.exchange.orders.count == 2)
            // A person who has compared with the exchange's page goes on.
            try await client.acceptOlderJournal()
            _ = try await client.place(order, as: fixture.newID())
            #expect(fixture.exchange.orders.count == 3)
            files.replace(".orders", with: copy)
            await #expect(throws: ExchangeError.self) { _ = try await client.journal() }
        }
    }

    @Test("a rotation does not take over an older copy of a journal")
    func olderJournalInRotation() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(.kraken, files: files)
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        files.remove(".orders")
        let key = "Z" + DocumentedKeys.krakenKey.dropFirst()
        fixture.exchange.accept(key)
        fixture.exchange.answer(
            "/0/private/GetApiKeyInfo", with: #"{"permissions":["query-funds"],"ipAllowlist":["::1"]}"#)
        await #expect(throws: ExchangeError.state(.olderJournal(found: 0, expected: 2))) {
            _ = try await fixture.client.rotate(
                to: try ExchangeCredential(
                    key: APIKey(key, of: .kraken),
                    secret: SigningSecret(reading: secret(DocumentedKeys.krakenSecret), of: .kraken), passphrase: nil,
                    created: self.now)
            ) { _ in true }
        }
        #expect(try await fixture.keyring.records(at: .kraken).map(\.hint) == ["8wYl…"])
    }

    @Test("the journal is durable before its generation, and both before the order is sent")
    func orderOfWrites() async throws {
        let files = WatchedFiles()
        let fixture = try await ExchangeFixture(.binanceHMAC, files: files)
        fixture.exchange.onArrival { sent in
            guard sent.method == "POST" else { return }
            #expect(files.writes.map { String($0.split(separator: ".").last ?? "") } == ["orders", "seen"])
        }
        _ = try await fixture.client.place(fixture.order(), as: fixture.newID())
        #expect(fixture.exchange.orders.count == 1)
    }

    @Test("the files are the user's alone, and clients of several processes use them in turn")
    func folder() async throws {
        let folder = try SharedFolder()
        let path = "\(folder.path)/state"
        let state = try ExchangeState(folder: path, seen: "\(folder.path)/seen")
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        let nonces = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    // Each task opens the folder as another process would.
                    let state = try ExchangeState(folder: path, seen: "\(folder.path)/seen")
                    var drawn: [UInt64] = []
                    for _ in 0..<25 {
                        let turn = try await state.turn(.nonce, of: key, clock: .system)
                        drawn.append(try state.drawNonce(of: key, now: self.now))
                        withExtendedLifetime(turn) {}
                    }
                    return drawn
                }
            }
            return try await group.reduce(into: [UInt64]()) { $0 += $1 }
        }
        #expect(Set(nonces).count == 100)
        _ = try await state.changeJournal(of: key, clock: .system) { journal throws(ExchangeError) in
            guard let entry = try? self.entry() else { return }
            try journal.add(entry)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/seen") == [
                "kraken-\(key.fingerprint).seen"
            ])
        #expect(names == ["kraken-\(key.fingerprint).nonce", "kraken-\(key.fingerprint).orders"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(names[1])"))
        #expect(bytes.range(of: Data(DocumentedKeys.krakenKey.utf8)) == nil)
    }

    @Test("a lock that another process keeps ends in an error, not in an endless wait")
    func busy() async throws {
        let files = MemoryFiles()
        let fixture = try await ExchangeFixture(.kraken, files: files)
        let state = ExchangeState(files)
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        let turn = try await state.turn(.nonce, of: key, clock: fixture.time.clock)
        await #expect(throws: ExchangeError.busy) { _ = try await fixture.client.balances() }
        withExtendedLifetime(turn) {}
    }
}
