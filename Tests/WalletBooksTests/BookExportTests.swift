internal import Amounts
internal import Bitcoin
internal import Encoding
internal import Ethereum
internal import HDKeys
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("A book's document for another machine")
struct BookExportTests {
    private static let bob = Party.ethereum(Order.bob)
    private static let mallory = Party.ethereum(Order.mallory)

    /// A book with two contacts, a frozen coin and a payment to Bob that was mined.
    private func filled(_ books: borrowing BookFixture) async throws -> WalletBook {
        let book = try await books.open(rules: BookFixture.daily("1 ETH@ethereum:1"))
        try await book.add(Contact(name: "bob", party: Self.bob))
        try await book.add(Contact(name: "carol", party: .ethereum(Order.address(0xCA))))
        try await book.freeze([try coin(1)])
        let payload = try Order.ether(1, nonce: 0)
        let intent = try book.meaning(of: payload)
        let order = OrderIdentity(
            key: try PaymentKey("invoice-17"), paying: [.init(.coin, amount: 5, to: Self.bob)],
            on: .ethereum(.ethereum), from: 0)
        try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon, order: order))
        let id = "0x" + String(repeating: "ab", count: 32)
        try await book.note(.signed(id: id, bytes: [1]), of: intent.digest)
        try await book.note(.mined(height: 7), of: intent.digest)
        return book
    }

    private func coin(_ number: UInt32) throws -> OutPoint {
        OutPoint(transaction: try TransactionID(String(repeating: "11", count: 32)), index: number)
    }

    private func document(
        of books: borrowing BookFixture, _ contacts: [Contact] = [], frozen: Set<OutPoint> = [],
        history: [ArchivedEntry] = []
    ) -> BookExport {
        BookExport(
            wallet: books.wallet.walletID, time: Order.noon, contacts: contacts, frozen: frozen, history: history)
    }

    private func archived(_ digest: UInt8, to party: Party, time: UInt64 = Order.noon) -> ArchivedEntry {
        ArchivedEntry(
            time: time, chain: .ethereum(.ethereum), state: .settled(height: 5),
            id: "0x" + String(repeating: "cd", count: 32), digest: [UInt8](repeating: digest, count: 32),
            highestFee: 10, effects: [.payment(.coin, amount: 5, to: party)])
    }

    @Test("the contacts that are imported are all, none, or those that were named")
    func contacts() throws {
        let anna = try Contact(name: "anna", party: .ethereum(Order.bob))
        let ben = try Contact(name: "ben", party: .ethereum(Order.mallory))
        #expect(BookMerge.Choice.all.names(among: [anna, ben]) == ["anna", "ben"])
        #expect(BookMerge.Choice.none.names(among: [anna, ben]) == [])
        #expect(BookMerge.Choice.named(["ben", "carl"]).names(among: [anna, ben]) == ["ben"])
    }

    @Test("contacts, frozen coins and history reach another machine, and a second import finds nothing new")
    func journey() async throws {
        let old = try BookFixture()
        let first = try await filled(old)
        let document = try BookExport(decoding: await first.export(now: Order.noon + 60).encoded)
        await first.close()

        let new = try BookFixture()
        let book = try await new.open()
        let merge = try await book.merge(document)
        #expect(merge.contacts.map(\.name) == ["bob", "carol"] && merge.conflicts.isEmpty && merge.present == 0)
        #expect(merge.frozen == [try coin(1)] && merge.entries.map(\.state) == [.mined(height: 7)])
        try await book.run(merge, of: document, adding: ["bob"])
        await book.close()

        let again = try await new.open()
        #expect(await again.contacts().map(\.name) == ["bob"])
        #expect(await again.frozen() == [try coin(1)])
        #expect(await again.archive() == document.history)
        let second = try await again.merge(document)
        #expect(second.contacts.map(\.name) == ["carol"] && second.entries.isEmpty && second.frozen.isEmpty)
        #expect(second.present == 3)
        // What came from another machine goes on to the next one.
        #expect(await again.export(now: Order.noon).history == document.history)
        await again.close()
    }

    @Test("a document makes nobody known, gives no room below a limit, and is no payment that was made")
    func loosensNothing() async throws {
        let books = try BookFixture()
        let book = try await filled(books)
        let before = (await book.known, await book.chosen, await book.history(), try await book.policy())
        // Mallory was paid, as the document says; and Bob's payment failed, by its digest.
        let digest = try #require(await book.history().first?.digest)
        let failed = ArchivedEntry(
            time: 0, chain: .ethereum(.ethereum), state: .failed, id: nil, digest: digest, highestFee: nil,
            effects: [.payment(.coin, amount: 1, to: Self.bob)])
        let hostile = document(of: books, history: [failed, archived(1, to: Self.mallory)])
        try await book.run(try await book.merge(hostile), of: hostile, adding: ["mallory"])

        #expect(await book.known == before.0 && !before.0.contains(Self.mallory))
        #expect(await book.chosen == before.1)
        #expect(await book.history() == before.2)
        #expect(try await book.policy() == before.3)
        #expect(await book.archive().map(\.digest) == [[UInt8](repeating: 1, count: 32)])
        #expect(await book.proposals().isEmpty)
        // The limit is 1 ETH a day, of which 0.1 are spent.
        let more = try Order.ether(10, nonce: 1)
        let context = try await book.policyContext(
            for: more, digest: book.meaning(of: more).digest, in: SigningContext(now: Order.noon))
        #expect(try await book.policy().decide(on: book.meaning(of: more), in: context).verdict == .denied)
        await book.close()
    }

    @Test("a contact whose name or address the book knows otherwise is never changed, whatever is agreed to")
    func conflicts() async throws {
        let books = try BookFixture()
        let book = try await filled(books)
        let before = await book.contacts()
        var twin = Order.bob.bytes
        twin[10] ^= 1
        let double = Party.ethereum(try EthereumAddress(bytes: twin))
        let main = try Address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").require(.mainnet)
        let hostile = document(
            of: books,
            [
                try Contact(name: "B0B", party: Self.mallory), try Contact(name: "anna", party: Self.bob),
                try Contact(name: "bernd", party: double), try Contact(name: "main", party: .bitcoin(main)),
                try Contact(name: "new", party: Self.mallory),
            ])
        let merge = try await book.merge(hostile)
        let bob = try #require(before.first)
        #expect(
            merge.conflicts.map(\.reason) == [.otherAddress(bob), .otherName(bob), .looksLike(Self.bob), .unpayable])
        #expect(merge.contacts.map(\.name) == ["new"])
        try await book.run(merge, of: hostile, adding: ["B0B", "anna", "bernd", "main"])
        #expect(await book.contacts() == before)
        await book.close()
    }

    @Test("a document of another wallet is refused")
    func otherWallet() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let other = BookExport(
            wallet: [UInt8](repeating: 1, count: 32), time: 0, contacts: [], frozen: [], history: [])
        await #expect(throws: CustodyError.book(.exportOfAnotherWallet)) { _ = try await book.merge(other) }
        await book.close()
    }

    @Test("an effect that differs from the shown one is refused")
    func changed() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let shown = document(of: books, [try Contact(name: "bob", party: Self.bob)])
        let merge = try await book.merge(shown)
        let exchanged = document(of: books, [try Contact(name: "bob", party: Self.mallory)])
        await #expect(throws: CustodyError.book(.changedMeanwhile)) {
            try await book.run(merge, of: exchanged, adding: ["bob"])
        }
        try await book.add(Contact(name: "bob", party: .ethereum(Order.address(1))))
        await #expect(throws: CustodyError.book(.changedMeanwhile)) {
            try await book.run(merge, of: shown, adding: ["bob"])
        }
        await book.close()
    }

    @Test("no document pushes out what was imported before")
    func room() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let mine = document(of: books, history: [archived(1, to: Self.bob, time: 1)])
        try await book.run(try await book.merge(mine), of: mine, adding: [])
        let flood = try BookExport(decoding: document(of: books, history: many(2_800)).encoded)
        try await book.run(try await book.merge(flood), of: flood, adding: [])
        let archive = await book.archive()
        #expect(archive.first == mine.history.first && archive.count < flood.history.count + 1)
        await book.close()
        let again = try await books.open()
        #expect(await again.archive() == archive)
        await again.close()
    }

    private func many(_ count: Int) -> [ArchivedEntry] {
        (0..<count).map { number in
            ArchivedEntry(
                time: .max, chain: nil, state: .sent, id: nil,
                digest: [UInt8](repeating: 8, count: 28)
                    + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }, highestFee: nil,
                effects: [.payment(.coin, amount: .maximum, to: Self.mallory)])
        }
    }

    @Test("a document has one form, and names that a contact could not have are refused")
    func malformed() async throws {
        let books = try BookFixture()
        let book = try await filled(books)
        let text = String(decoding: await book.export(now: 5).encoded, as: UTF8.self)
        await book.close()
        #expect(throws: Never.self) { try BookExport(decoding: Array(text.utf8)) }
        for (old, new) in [
            ("\"version\":1", "\"version\":2"), ("fueki-book", "fueki-bock"), ("\"bob\"", "\"bo\\u001bb\""),
            ("\"bob\"", "\"CAR0L\""), ("\"bob\"", "\"0xb0b\""), ("\"time\":\"5\"", "\"time\":\"05\""),
            ("\"time\":\"5\"", "\"time\":\"-5\""), ("\"mined\"", "\"sent\""), ("\"mined\"", "\"lost\""),
            ("0xababab", "0x\\u001bbabab"), ("0xabab", "0xab"), ("\n", ""), ("\n", "\n\n"),
            (",\"frozen\"", ",\"more\""),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text, "\(old)")
            #expect(throws: CustodyError.book(.badExport), "\(new)") { try BookExport(decoding: Array(changed.utf8)) }
        }
        #expect(throws: CustodyError.book(.badExport)) {
            try BookExport(decoding: [UInt8](repeating: UInt8(ascii: "["), count: 3 << 20))
        }
    }
}
