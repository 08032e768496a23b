internal import DisplayText
import Encoding
internal import Ethereum
import Secrets
import TestSupport
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import Wallet
@testable import WalletBooks

@Suite("The book keeps contacts, proposals and nonces")
struct BookPagesTests {
    private let party = Party.ethereum(Order.bob)

    @Test("contacts are listed by name, and a name exists once, whatever its case")
    func contacts() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        for name in ["Zoë", "bob", "Åsa"] { try await book.add(Contact(name: name, party: party)) }
        #expect(await book.contacts().map(\.name) == ["Zoë", "bob", "Åsa"])
        let again = try Contact(name: "BOB", party: party)
        #expect(
            await failure { () async throws(CustodyError) in try await book.add(again) }
                == .book(.contactExists(name: "bob")))
        #expect(
            await failure { () async throws(CustodyError) in try await book.removeContact(named: "eve") }
                == .book(.noSuchContact(name: "eve")))
        try await book.removeContact(named: "Bob")
        #expect(await book.contacts().map(\.name) == ["Zoë", "Åsa"])
    }

    @Test(
        "a name that looks like another one, or that is an address, is refused",
        arguments: [
            "", " ", "a ", " a", "a\nb", "a\u{200B}b", "a\u{202E}b", "p\u{430}ypal", "0xdeadbeef", "0Xdead",
            "bc1qwhatever", "BC1Q", "tb1x", "bcrt1q", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            "𝚋𝚌𝟷𝚚", "０ｘdead", String(repeating: "x", count: 65),
        ])
    func badNames(_ name: String) {
        #expect(throws: CustodyError.book(.badContactName)) { try Contact(name: name, party: party) }
    }

    @Test("an invalid policy is refused, and the earlier one stays")
    func badPolicy() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "all", "then": "allow"}"#)
        let before = await book.policyFile()
        let error = await failure { () async throws(CustodyError) in
            try await book.setPolicy(Array(#"{"version": 1, "rules": [{"name": "x"}]}"#.utf8))
        }
        guard case .badPolicy = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await book.policyFile() == before)
    }

    @Test("more contacts than the limit are refused")
    func tooManyContacts() throws {
        let contacts = try (0..<Limits.contacts).map {
            try Contact(name: String($0) + String(repeating: "é", count: 50), party: party)
        }
        #expect(Contact.encode(contacts).count < Limits.contactsSize)
    }

    @Test("a delay counts from the first proposal, and a signed one no longer waits")
    func delay() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "wait", "then": {"delay": "1h"}}"#)
        let order = try Order.ether(1, nonce: 0)
        let digest = try book.meaning(of: order).digest
        #expect(try await book.verdict(on: order) == .notBefore(Order.noon + 3_600))
        try await book.propose(order, digest: digest, now: Order.noon)
        try await book.propose(order, digest: digest, now: Order.noon + 3_000)
        #expect(await book.proposals().map(\.firstProposed) == [Order.noon])
        #expect(try await book.verdict(on: order, at: Order.noon + 3_599) == .notBefore(Order.noon + 3_600))
        #expect(await book.history().isEmpty)
        #expect(try await book.verdict(on: order, at: Order.noon + 3_600) == nil)
        // The other participant asks while it is still proposed; afterwards it is not, and its wait still counts.
        #expect(await book.proposals().count == 1)
        try await book.note(.signed(id: nil, bytes: []), of: digest)
        #expect(await book.proposals().isEmpty)
        #expect(await book.stored.isEmpty)
        #expect(try await book.verdict(on: order, at: Order.noon + 3_601) == nil)
        await book.close()
        // Killed after it was signed, before the proposal was removed.
        let left = StoredProposal(digest: digest, times: ClockTimes(first: Order.noon), payload: order.encoded)
        try await books.forge("\(hex(books.wallet.walletID)).proposal.\(hex(digest))", left.encoded)
        let killed = try await books.open()
        #expect(await killed.proposals().isEmpty)
        await killed.close()
        #expect(try await books.open().verdict(on: order, at: Order.noon + 3_602) == nil)
    }

    @Test("a withdrawn proposal waits again from the beginning")
    func withdrawn() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "wait", "then": {"delay": "1h"}}"#)
        let order = try Order.ether(1, nonce: 0)
        let digest = try book.meaning(of: order).digest
        try await book.propose(order, digest: digest, now: Order.noon)
        try await book.withdraw(digest)
        #expect(
            await failure { () async throws(CustodyError) in try await book.withdraw(digest) } == .book(.unknown))
        #expect(
            try await book.verdict(on: order, at: Order.noon + 4_000) == .notBefore(Order.noon + 7_600))
    }

    @Test("proposing with a clock that was turned back does not shorten the delay")
    func clockTurnedBack() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: #"{"name": "wait", "then": {"delay": "1h"}}"#)
        let (first, second) = (try Order.ether(1, nonce: 0), try Order.ether(2, nonce: 1))
        try await book.propose(first, digest: try book.meaning(of: first).digest, now: Order.noon)
        try await book.propose(second, digest: try book.meaning(of: second).digest, now: Order.noon - 3_600)
        #expect(try await book.verdict(on: second, at: Order.noon + 1) == .notBefore(Order.noon + 3_600))
        // The same with only the signed entry to tell the time.
        let other = try BookFixture()
        let signed = try await other.open()
        try await signed.admit(first)
        try await signed.setPolicy(BookFixture.policy(#"{"name": "wait", "then": {"delay": "1h"}}"#))
        try await signed.propose(second, digest: try signed.meaning(of: second).digest, now: Order.noon - 86_400)
        #expect(try await signed.verdict(on: second, at: Order.noon + 1) == .notBefore(Order.noon + 3_600))
    }

    @Test("a name that looks like an existing one is refused, even if it is in another script throughout")
    func confusableNames() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.add(Contact(name: "paypal", party: party))
        for name in ["раураӏ", "PAYPAL", "paypa1", "𝚙𝚊𝚢𝚙𝚊𝚕", "ｐａｙｐａｌ", "payp\u{E1}l", "ᴘᴀʏᴘᴀʟ"] {
            let double = try Contact(name: name, party: party)
            #expect(
                await failure { () async throws(CustodyError) in try await book.add(double) }
                    == .book(.contactExists(name: "paypal")), "\(name)")
        }
        try await book.add(Contact(name: "paypass", party: party))
    }

    @Test("names and texts that this version shows differently do not close the book, and are shown as code points")
    func otherTables() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        await book.close()
        let contacts =
            #"{"version":1,"contacts":[{"name":"a\#u{E000}b","party":{"type":"ethereum","address":"\#(Order.bob)"}}]}"#
        let id = hex(books.wallet.walletID)
        try await books.forge("\(id).contacts", Array(contacts.utf8))
        let json = #"{"kind":"message","text":"\#u{202E}x","oddities":[]}"#
        let entry = HistoryEntry(
            number: 1, time: 1, proposed: nil, chain: nil, digest: digest,
            effects: [try Effect(json: JSON(decoding: json))], highestFee: nil, conflictSet: nil, state: .reserved)
        #expect(String(decoding: entry.encoded, as: UTF8.self).contains("\u{202E}x"))
        try await books.forge("\(id).entry.\(hex(digest))", entry.encoded)
        let again = try await books.open()
        #expect(await again.contacts().map(\.name) == ["a<U+E000>b"])
        #expect(await again.history().map { $0.effects.map(\.json.text).joined().contains("\u{202E}") } == [true])
        guard case .message(let text) = await again.history().first?.effects.first else {
            Issue.record("the message is not there")
            return
        }
        #expect(text.text == "<U+202E>x")
        // The name is compared as it is shown, and the record of it stays unchanged.
        try await again.add(Contact(name: "bob", party: party))
        await again.close()
        let last = try await books.open()
        try await last.removeContact(named: "a<U+E000>b")
        #expect(await last.contacts().map(\.name) == ["bob"])
    }

    @Test("a payload is proposed under its own digest")
    func otherDigest() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let (one, other) = (try Order.ether(1, nonce: 0), try Order.ether(2, nonce: 0))
        let digest = try book.meaning(of: other).digest
        #expect(
            await failure { () async throws(CustodyError) in try await book.propose(one, digest: digest, now: 0) }
                == .ceremony(.notWhatWasConfirmed))
        #expect(await book.proposals().isEmpty)
    }

    @Test("more proposals than the limit are refused, and the existing ones stay")
    func tooManyProposals() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        for nonce in 0..<Limits.proposals {
            let order = try Order.ether(1, nonce: UInt64(nonce))
            try await book.propose(order, digest: try book.meaning(of: order).digest, now: Order.noon)
        }
        let next = try Order.ether(1, nonce: 99)
        let digest = try book.meaning(of: next).digest
        #expect(
            await failure { () async throws(CustodyError) in try await book.propose(next, digest: digest, now: 0) }
                == .book(.full(.proposals)))
        #expect(await book.proposals().count == Limits.proposals)
    }

    @Test("each account has a ledger of nonces on each chain")
    func nonces() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let account = try #require(try books.wallet.accounts.ethereum?.key(at: 0).address)
        var ledger = NonceLedger(chain: .sepolia, account: account)
        ledger.update(latest: 3, height: 7)
        let stored = ledger
        _ = try await book.changeNonceLedger(on: .sepolia, of: account) { $0 = stored }
        #expect(try await book.nonceLedger(on: .sepolia, of: account) == ledger)
        #expect(
            try await book.nonceLedger(on: .ethereum, of: account) == NonceLedger(chain: .ethereum, account: account))
        await book.close()
        // A ledger of another account under this name.
        let name = "\(hex(books.wallet.walletID)).nonces.\(ChainID.sepolia.value).\(account)"
        try await books.forge(name, NonceLedger(chain: .sepolia, account: Order.bob).encoded)
        let again = try await books.open()
        #expect(
            await failure { () async throws(CustodyError) in _ = try await again.nonceLedger(on: .sepolia, of: account)
            }
                == .book(.damaged(path: books.path)))
    }
}
