import Amounts
import Bitcoin
import Ethereum
import Foundation
import HDKeys
import Nodes
import Testing
import Texts

@testable import Custody
@testable import ErrorTexts
@testable import PaymentHistory
@testable import Payments
@testable import Presentation
@testable import Wallet
@testable import WalletBooks

@Suite("The history as it is shown")
struct HistoryViewTests {
    private let time: LocalTime
    private let alice: Contact
    private let id = "0x" + String(repeating: "3f2a9c01", count: 8)

    init() throws {
        time = LocalTime(in: try #require(TimeZone(identifier: "Europe/Zurich")))
        alice = try Contact(
            name: "alice", party: .ethereum(EthereumAddress("0x3535353535353535353535353535353535353535")))
    }

    private func entry(
        _ state: HistoryEntry.State, number: UInt64 = 1, at seconds: UInt64 = 1_764_062_040, id: String? = nil
    ) throws -> HistoryEntry {
        HistoryEntry(
            number: number, time: seconds, chain: .ethereum(.ethereum),
            digest: [UInt8](repeating: UInt8(number), count: 32),
            effects: [.payment(.coin, amount: 200_000_000_000_000_000, to: alice.party)],
            highestFee: 420_000_000_000_000, conflictSet: nil, state: state, id: id ?? self.id)
    }

    private func text(_ view: HistoryView, _ columns: Int = 80) -> String {
        view.text(in: Columns(sentences: columns, foreign: columns)).text(isStyled: false)
    }

    @Test("an entry has the local time, digits that commands take back, its state, its effects and its fee")
    func whole() throws {
        let entries = [try entry(.mined(height: 100))]
        let view = HistoryView(
            entries, of: entries, contacts: [alice], newest: [.ethereum(.ethereum): 102], time: time)
        #expect(
            text(view) == """
                2025-11-25 10:14  0x3f2a9c01  mined, 3 confirmations
                  payment 0.2 ETH to 0x3535353535353535353535353535353535353535 (alice) on
                      Ethereum
                  fee at most 0.00042 ETH
                """, "\(text(view))")
        #expect(view.entries[0].time == "2025-11-25T09:14:00Z" && view.entries[0].confirmations == 3)
    }

    @Test("without a node there is the block, and no confirmation is made up; a node behind the block says nothing")
    func block() throws {
        let entries = [try entry(.settled(height: 100))]
        for newest: [Chain: UInt64] in [[:], [.ethereum(.ethereum): 99], [.ethereum(.sepolia): 500]] {
            let view = HistoryView(entries, of: entries, contacts: [], newest: newest, time: time)
            #expect(text(view).contains("mined in block 100\n") && view.entries[0].confirmations == nil)
        }
    }

    @Test("entries of other machines stand at their time, and are marked")
    func archive() throws {
        let entries = [try entry(.sent, at: 2_000)]
        let old = ArchivedEntry(
            time: 1_000, chain: nil, state: .signed, id: nil, digest: [UInt8](repeating: 0xAB, count: 32),
            highestFee: nil,
            effects: [.nothing])
        let view = HistoryView(entries, of: entries, archive: [old], contacts: [], time: time)
        #expect(view.entries.map(\.imported) == [true, false])
        #expect(
            text(view).hasSuffix("\n1970-01-01 01:16  abababab  signed, imported\n  nothing to others"), "\(text(view))"
        )
    }

    @Test("a range shows the newest entries, and says how many older ones it leaves out")
    func range() throws {
        let entries = try (1...4).map { try entry(.sent, number: $0, at: 1_000_000 * $0) }
        func view(_ limit: Int?, _ since: String?, now: UInt64 = 4_000_060) throws -> HistoryView {
            HistoryView(
                entries, of: entries, contacts: [],
                received: [
                    try record(.incoming(Amount(satoshis: 1)), .mined(height: 1, confirmations: 9), at: nil),
                    try record(.incoming(Amount(satoshis: 1)), .waiting, at: nil),
                ], range: try HistoryRange(limit: limit, since: since, now: now, time: time), time: time)
        }
        #expect(try view(nil, nil).entries.count == 6 && !text(view(nil, nil)).contains("left out"))
        #expect(try view(2, nil).entries.map(\.state) == ["sent", "waiting"] && view(2, nil).leftOut == 4)
        #expect(try text(view(5, nil)).hasSuffix("\n1 older entry is left out"))
        #expect(try view(.max, "1m").leftOut == 4 && view(nil, "2m").leftOut == 4)
        #expect(try view(nil, "1970-02-04").leftOut == 3 && view(3, "1970-01-01T00:00:00Z").leftOut == 3)
        #expect(try view(nil, "100000w").leftOut == 0, "a received payment without a time is as old as can be")
        let none = HistoryView(
            entries, of: entries, contacts: [],
            range: try HistoryRange(limit: nil, since: "1d", now: 9_000_000, time: time), time: time)
        #expect(text(none) == "4 older entries are left out" && none.entries.isEmpty)
    }

    @Test("a selection has the entries of one chain, or the one entry that some first digits name")
    func selection() throws {
        let other = "0x3f2a9c02" + String(repeating: "0", count: 56)
        let entries = [try entry(.sent), try entry(.sent, number: 2, id: other)]
        func select(_ chain: ChainName?) -> HistorySelection {
            HistorySelection(entries, [], nil, of: chain, on: .mainnet)
        }
        #expect(select(nil).entries.count == 2 && select(.ethereum(.ethereum)).entries.count == 2)
        #expect(select(.bitcoin).entries.isEmpty)
        var one = select(nil)
        #expect(try one.narrow(to: "3f2a9c02", contacts: []) && one.entries.map(\.number) == [2])
        #expect(throws: Failure.self) {
            var several = select(nil)
            _ = try several.narrow(to: "3f2a9c", contacts: [alice])
        }
        for text in ["3f2a9c03", "no digits", ""] {
            var none = select(nil)
            #expect(try !none.narrow(to: text, contacts: []))
        }
    }

    @Test(
        "the start of a range is a day or minute of the person's time zone, a time in UTC, or an age",
        arguments: [
            ("2026-11-01", 1_793_487_600), ("2026-07-01", 1_782_856_800), ("2026-11-01 00:00", 1_793_487_600),
            ("2026-11-01T00:00:00Z", 1_793_491_200), ("90m", 4_600), ("2h", 2_800), ("1d", 0),
            // The clocks skip 02:00 to 03:00, and show 02:00 to 03:00 twice.
            ("2026-03-29 02:30", 1_774_747_800), ("2026-10-25 02:30", 1_792_888_200),
        ] as [(String, UInt64)])
    func starts(_ text: String, seconds: UInt64) throws {
        #expect(try HistoryRange(limit: nil, since: text, now: 10_000, time: time).since == seconds)
    }

    @Test(
        "another text is no start, and 0 is no limit",
        arguments: [
            "", "d", "7", "0d", "-7d", "+7d", "7 d", "7D", "1.5d", "7y", "100001d", "yesterday", "2026", "2026-11",
            "2026-11-31", "2026-13-01", "2026-1-1", "01.11.2026", "2026-11-01T10:14", "2026-11-01 24:00", "2026-11-01 ",
            "2026-11-01T00:00:00+01:00", "1969-12-31", "1970-01-01 00:30", "٧d",
        ])
    func malformed(_ text: String) {
        #expect(throws: HistoryRangeFault.malformedStart) {
            try HistoryRange(limit: nil, since: text, now: 10_000, time: time)
        }
        #expect(throws: HistoryRangeFault.noEntries) { try HistoryRange(limit: 0, since: nil, now: 0, time: time) }
    }

    @Test("no line is longer than the terminal has columns", arguments: [40, 80, 120])
    func columns(_ columns: Int) throws {
        let entries = [try entry(.sent), try entry(.replaced, number: 2)]
        let view = HistoryView(entries, of: entries, contacts: [alice], time: time)
        for line in text(view, columns).split(separator: "\n") { #expect(line.count < columns, "\(line)") }
        let details = view.details(in: Columns(sentences: columns, foreign: columns)).text(isStyled: false)
        for line in details.split(separator: "\n") { #expect(line.count < columns, "\(line)") }
    }

    @Test("the error about an ambiguous id lists the matches")
    func ambiguous() throws {
        let other = "0x3f2a9c02" + String(repeating: "0", count: 56)
        let failure = HistoryView.ambiguous(
            "3f2a9c", [try entry(.sent), try entry(.sent, number: 2, id: other)], contacts: [alice])
        #expect(failure.name == "ambiguous_id" && failure.message.contains("is the beginning of 2 ids"))
        #expect(failure.message.contains("0x3f2a9c013f2a9c01") && failure.message.contains("0x3f2a9c0200000000"))
    }

    @Test("a time beyond all calendars is its number")
    func times() {
        #expect(time.text(.max) == "18446744073709551615")
        #expect(time.fullText(1_764_062_040) == "2025-11-25 10:14:00 +01:00")
    }

    private func record(
        _ kind: PaymentRecord.Kind, _ status: TransactionStatus, at time: UInt64?, id: String = "ab"
    ) throws -> PaymentRecord {
        let path = try AddressPath(.receive, index: 3)
        let address = try Address<Unchecked>("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").require(.mainnet)
        return PaymentRecord(
            id: try TransactionID(String(repeating: id, count: 32)), kind: kind,
            receipts: [Receipt(address: address, amount: try Amount(satoshis: 250_000), path: path)], fee: nil,
            status: status, time: time)
    }

    @Test("what was received has the time of its block, its amount, address and path, and stands where it belongs")
    func received() throws {
        let sent = try entry(.mined(height: 90), at: 1_764_062_040)
        let view = HistoryView(
            [sent], of: [sent], contacts: [],
            received: [
                try record(.incoming(Amount(satoshis: 250_000)), .waiting, at: nil),
                try record(
                    .incoming(Amount(satoshis: 250_000)), .mined(height: 100, confirmations: 1), at: 1_764_062_000),
            ], time: time)
        let lines = text(view, 100)
        #expect(view.entries.map(\.direction) == ["received", "sent", "received"])
        #expect(
            lines.hasSuffix(
                """

                2025-11-25 10:13  abababab  received, 1 confirmation
                  0.00250000 BTC at bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 (m/0/3)
                """), "\(lines)")
        #expect(lines.contains("\n2025-11-25 10:14  0x3f2a9c01  mined in block 90\n"), "\(lines)")
        #expect(lines.hasPrefix("now               abababab  received, waits for a block\n"), "\(lines)")
        let json = view.entries[0]
        #expect(json.amount == "250000" && json.outputs?.first?.path == "m/0/3" && json.digest == nil)
        #expect(json.time == "2025-11-25T09:13:20Z" && json.height == 100 && json.confirmations == 1)
        #expect(view.entries[2].time == nil && view.entries[2].state == "waiting")
    }

    /// Returns a payment on Bitcoin that was signed here and spends a coin of the transaction.
    private func payment(_ number: UInt64, at seconds: UInt64, spending parent: String, id: String) throws
        -> HistoryEntry
    {
        let coin = OutPoint(transaction: try TransactionID(String(repeating: parent, count: 32)), index: 0)
        return HistoryEntry(
            number: number, time: seconds, chain: .bitcoin(.mainnet), digest: [UInt8](repeating: 1, count: 32),
            effects: [.nothing], highestFee: nil, conflictSet: .bitcoin(.mainnet, spending: [coin]), state: .sent,
            id: String(repeating: id, count: 32))
    }

    private func order(_ history: [HistoryEntry], _ received: [PaymentRecord]) -> [String] {
        let view = HistoryView(history, of: history, contacts: [], received: received, time: time)
        return view.entries.map { String($0.id?.prefix(2) ?? "") }
    }

    @Test("a payment follows the one whose coin it spends, although its block has a later time; the next follows both")
    func spent() throws {
        let income = try record(
            .incoming(Amount(satoshis: 1)), .mined(height: 9, confirmations: 1), at: 1_030, id: "aa")
        let other = try record(
            .incoming(Amount(satoshis: 1)), .mined(height: 8, confirmations: 2), at: 1_001, id: "bb")
        let history = [
            try payment(1, at: 1_000, spending: "dd", id: "11"), try payment(2, at: 1_010, spending: "aa", id: "22"),
            try payment(3, at: 1_020, spending: "22", id: "33"),
        ]
        #expect(order(history, [income, other]) == ["11", "bb", "aa", "22", "33"])
        #expect(order(history, [other, income]) == ["11", "bb", "aa", "22", "33"])
    }

    @Test("entries with the same time are in the order of blocks and of signing; unconfirmed ones are the newest")
    func equalTimes() throws {
        func incoming(_ id: String, _ status: TransactionStatus, at time: UInt64?) throws -> PaymentRecord {
            try record(.incoming(Amount(satoshis: 1)), status, at: time, id: id)
        }
        let received = [
            try incoming("aa", .waiting, at: nil), try incoming("bb", .mined(height: 9, confirmations: 1), at: 1_000),
            try incoming("cc", .mined(height: 8, confirmations: 2), at: 1_000),
            try incoming("dd", .mined(height: 1, confirmations: 9), at: nil),
        ]
        let history = [
            try payment(1, at: 1_000, spending: "01", id: "11"), try payment(2, at: 1_000, spending: "02", id: "22"),
        ]
        #expect(order(history, received) == ["dd", "cc", "bb", "11", "22", "aa"])
        let view = HistoryView(history, of: history, contacts: [], received: received, time: time)
        #expect(text(view, 100).contains("\nblock 1  dddddddd  received, 9 confirmations\n"), "\(text(view, 100))")
    }

    @Test("a clock that was set back does not change the order of signing")
    func setClock() throws {
        let history = [
            try payment(1, at: 5_000, spending: "01", id: "11"), try payment(2, at: 1_000, spending: "02", id: "22"),
        ]
        #expect(order(history, []) == ["11", "22"])
    }

    @Test("an address that does not fit into a line is shown in groups of four")
    func narrow() throws {
        let entries = [try entry(.sent)]
        let view = HistoryView(entries, of: entries, contacts: [alice], time: time)
        #expect(
            text(view, 40) == """
                2025-11-25 10:14  0x3f2a9c01  sent
                  payment 0.2 ETH to
                      0x3535 3535 3535 3535 3535 3535
                      3535 3535 3535 3535
                      (alice) on Ethereum
                  fee at most 0.00042 ETH
                """, "\(text(view, 40))")
        #expect(text(view, 60).contains("0x3535353535353535353535353535353535353535"), "\(text(view, 60))")
    }

    @Test("change of a transaction that another machine signed is no income; amounts stand in the unit that is set")
    func elsewhere() throws {
        let view = HistoryView(
            [], of: [], contacts: [],
            received: [
                try record(
                    .elsewhere(spent: Amount(satoshis: 300_000), received: Amount(satoshis: 250_000)),
                    .mined(height: 100, confirmations: 2), at: 1_764_062_000)
            ], unit: .sat, time: time)
        let lines = text(view, 100)
        #expect(
            lines == """
                2025-11-25 10:13  abababab  signed on another machine, 2 confirmations
                  spent 300000 sat, of which came back:
                  250000 sat at bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 (m/0/3)
                """, "\(lines)")
        #expect(view.entries[0].direction == "elsewhere" && view.entries[0].spent == "300000")
    }

    @Test("where the spent coins were not found, no amount of them is made up")
    func unknownCoins() throws {
        let view = HistoryView(
            [], of: [], contacts: [],
            received: [
                try record(
                    .elsewhere(spent: .zero, received: Amount(satoshis: 250_000)),
                    .mined(height: 100, confirmations: 2), at: 1_764_062_000)
            ], unit: .sat, time: time)
        let lines = text(view, 100)
        #expect(
            lines == """
                2025-11-25 10:13  abababab  signed on another machine, 2 confirmations
                  250000 sat at bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 (m/0/3)
                """, "\(lines)")
        #expect(view.entries[0].spent == nil)
    }

    @Test("the warning about an incomplete list names the address")
    func crowded() throws {
        let address = try Address<Unchecked>("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").require(.mainnet)
        for (count, words) in [(0, nil), (1, "\(address)"), (2, "\(address) and 1 other address")] as [(Int, String?)] {
            let notes = HistoryView.notes(
                listsSpent: true, unseen: 0, crowded: [Address](repeating: address, count: count))
            #expect(
                notes
                    == (words.map {
                        ["older payments to \($0) may be missing: the node lists more transactions than are read"]
                    } ?? []))
        }
    }
}
