import Encoding
import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing

@testable import Exchange

@Suite struct StateTests {
    private let random = SeededRandom(seed: 3)
    private let now = Moment(milliseconds: 1_700_000_000_000)

    private func entry(_ state: JournalEntry.State = .open, market: Bool = false) throws -> JournalEntry {
        JournalEntry(
            id: ClientOrderID(random: random),
            order: try Order(
                .sell, Quantity("0.5", for: .amount), of: TradingSymbol("XBT/USD", on: .kraken),
                market ? .market : .limit(price: Quantity("1.5", for: .price), .immediateOrCancel)),
            created: now, deadline: now.adding(5_000), state: state)
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
            as [UInt64]
        {
            let nonce = try record.draw(now: Moment(milliseconds: milliseconds))
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
            let desk = try await Desk(.kraken, files: files)
            _ = try await desk.client.place(desk.order(), as: desk.newID())
            files.replace(suffix, with: [1, 2, 3])
            await #expect(throws: ExchangeError.state(.damaged(file))) {
                _ = try await desk.client.place(desk.order(), as: desk.newID())
            }
            #expect(desk.exchange.placed.count == 1)
        }
    }

    @Test("a pause is kept, is cut at three days, and survives a clock that goes back without becoming endless")
    func pauses() throws {
        let record = WaitRecord(.ban, for: .max, from: now)
        #expect(record.wait.until == now.adding(3 * 86_400_000))
        #expect(try WaitRecord(decoding: record.encoded) == record)
        #expect(record.remaining(at: now.adding(3 * 86_400_000)) == nil)
        let state = ExchangeState(MemoryFiles())
        try state.store(WaitRecord(.ban, for: 60_000, from: now), at: .binance)
        let earlier = Moment(milliseconds: now.milliseconds - 10_000_000)
        #expect(try state.wait(at: .binance, now: earlier)?.until == earlier.adding(60_000))
        #expect(try state.wait(at: .binance, now: earlier.adding(60_000)) == nil)
        #expect(try state.wait(at: .kraken, now: now) == nil)
        // A shorter pause does not shorten a longer one.
        try state.store(WaitRecord(.ban, for: 60_000, from: now), at: .kraken)
        try state.store(WaitRecord(.rateLimit, for: 1_000, from: now), at: .kraken)
        #expect(try state.wait(at: .kraken, now: now.adding(30_000))?.reason == .ban)
    }

    @Test("the files are the user's alone, and clients of several processes use them in turn")
    func folder() async throws {
        let folder = TestFolder()
        let path = "\(folder.path)/state"
        let state = try ExchangeState(folder: path)
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        let nonces = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    // Each task opens the folder as another process would.
                    let state = try ExchangeState(folder: path)
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
        let desk = try await Desk(.kraken, files: files)
        let state = ExchangeState(files)
        let key = try APIKey(DocumentedKeys.krakenKey, of: .kraken)
        let turn = try await state.turn(.nonce, of: key, clock: desk.time.clock)
        await #expect(throws: ExchangeError.busy) { _ = try await desk.client.balances() }
        withExtendedLifetime(turn) {}
    }
}
