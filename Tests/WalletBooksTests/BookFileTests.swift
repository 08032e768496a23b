internal import Ethereum
import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("The book's file")
struct BookFileTests {
    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    private func copy(_ from: String, _ to: String) throws {
        if exists(to) { try FileManager.default.removeItem(atPath: to) }
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    @Test("reading an absent book creates no file")
    func looking() async throws {
        let books = try BookFixture()
        let before = books.fixture.files
        let book = try await books.open()
        #expect(await book.policyFile() == nil)
        #expect(try await book.policy() == .standard)
        #expect(await book.contacts().isEmpty)
        #expect(await book.history().isEmpty)
        #expect(await book.proposals().isEmpty)
        #expect(try await book.nonceLedger(on: .ethereum, of: Order.bob).slots.isEmpty)
        _ = try await book.policyContext(
            for: try Order.ether(1, nonce: 0), digest: [], in: SigningContext(now: 0))
        await book.close()
        #expect(books.fixture.files == before)
    }

    @Test("a written book has its contents when it is opened again, in a file readable by its owner only")
    func everything() async throws {
        let books = try BookFixture()
        let policy = BookFixture.policy(#"{"name": "all", "then": "allow"}"#)
        let contact = try Contact(name: "Bob", party: .ethereum(Order.bob))
        let order = try Order.ether(1, nonce: 0)
        let waiting = try Order.bitcoin(50_000, from: books.wallet, spending: [1])
        let book = try await books.open()
        try await book.setPolicy(policy)
        try await book.add(contact)
        let digest = try await book.admit(order)
        try await book.note(.signed(id: "0xab", bytes: [1, 2, 3]), of: digest)
        try await book.propose(waiting, digest: try book.meaning(of: waiting).digest, now: Order.noon)
        _ = try await book.changeNonceLedger(on: .sepolia, of: Order.bob) { _ in }
        let history = await book.history()
        await book.close()
        #expect(!exists("\(books.path).lock"))
        #expect(
            (try FileManager.default.attributesOfItem(atPath: books.path)[.posixPermissions] as? NSNumber) == 0o600)

        let again = try await books.open()
        #expect(await again.policyFile() == policy)
        #expect(try await again.policy().rules.map(\.name) == ["all"])
        #expect(await again.contacts() == [contact])
        #expect(await again.history() == history)
        #expect(history.map(\.transaction) == [[1, 2, 3]])
        #expect(await again.proposals().map(\.payload) == [waiting])
        #expect(try await again.nonceLedger(on: .sepolia, of: Order.bob).chain == .sepolia)
        try await again.setPolicy(nil)
        await again.close()
        #expect(await (try books.open()).policyFile() == nil)
    }

    @Test("the book reveals nothing without the passphrase, and a wrong one is refused")
    func sealed() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.add(Contact(name: "Bartholomew", party: .ethereum(Order.bob)))
        await book.close()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: books.path)))
        #expect(Data(bytes).range(of: Data("Bartholomew".utf8)) == nil)
        let error = await failure { () async throws(CustodyError) in _ = try await books.open("another") }
        #expect(error == .book(.unreadable(path: books.path, .wrongPassphrase)))
    }

    @Test("a mistyped passphrase seals no book: it is checked against a share before the file exists")
    func mistyped() async throws {
        let books = try BookFixture()
        let book = try await books.open("five words that nobody guess")
        let device = "\(books.fixture.path)/device.vault"
        for _ in 0..<2 {
            let error = await failure { () async throws(CustodyError) in
                try await book.setPolicy(BookFixture.policy(""))
            }
            #expect(error == .share(.device, .unreadable(path: device, .wrongPassphrase)))
        }
        #expect(await book.policyFile() == nil)
        let refused = await failure { () async throws(CustodyError) in
            try await book.admit(try! Order.ether(1, nonce: 0))
        }
        #expect(refused == .share(.device, .unreadable(path: device, .wrongPassphrase)))
        #expect(!exists(books.path))

        try FileManager.default.removeItem(atPath: device)
        let other = try await books.open()
        let unproven = await failure { () async throws(CustodyError) in
            try await other.setPolicy(BookFixture.policy(""))
        }
        #expect(unproven == .book(.unprovenPassphrase))
        #expect(!exists(books.path))
    }

    @Test("an older copy is refused, also after the shares were renewed")
    func olderCopy() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        await book.close()
        try copy(books.path, "\(books.path).old")
        let newer = try await books.open()
        try await newer.admit(try Order.ether(6, nonce: 0))
        await newer.close()
        try copy("\(books.path).old", books.path)
        let error = await failure { () async throws(CustodyError) in _ = try await books.open() }
        guard case .book(.unreadable(books.path, .rolledBack(let found, let expected))) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found < expected)
        // A renewal removes the record of the shares' generations.
        #expect(books.fixture.home.generationFiles(of: books.wallet.name).isEmpty)
    }

    @Test("a book that was seen and is gone is reported missing, and not created again")
    func deleted() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        await book.close()
        try FileManager.default.removeItem(atPath: books.path)
        let error = await failure { () async throws(CustodyError) in _ = try await books.open() }
        #expect(error == .book(.missing(path: books.path, seen: books.seen)))
        #expect(!exists(books.path))
        // The step that the hint recommends.
        try FileManager.default.removeItem(atPath: books.seen)
        #expect(try await books.open().policy() == .standard)
    }

    @Test("another book of the same wallet and passphrase is refused, and so is another wallet's")
    func foreign() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        await book.close()
        try copy(books.path, "\(books.path).own")
        let elsewhere = try BookFixture()
        let empty = try await elsewhere.open(rules: #"{"name": "all", "then": "allow"}"#)
        await empty.close()
        try copy(elsewhere.path, books.path)
        let foreign = CustodyError.book(.foreign(path: books.path, seen: books.seen))
        #expect(await failure { () async throws(CustodyError) in _ = try await books.open() } == foreign)
        // The right book still opens.
        try copy("\(books.path).own", books.path)
        await (try books.open()).close()

        let other = try BookFixture(try KnownWallet(0x22))
        try copy(elsewhere.path, FolderMaker.making(other.path))
        #expect(
            await failure { () async throws(CustodyError) in _ = try await other.open() }
                == .book(.foreign(path: other.path, seen: other.seen)))
    }

    @Test("only one process can have the book open")
    func locked() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        let error = await failure { () async throws(CustodyError) in _ = try await books.open() }
        guard case .book(.unreadable(books.path, .lockedByAnother)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await book.close()
        await (try books.open()).close()
    }

    @Test("if two processes create a book at once, one succeeds, and the other one admits nothing")
    func begunAtOnce() async throws {
        let books = try BookFixture()
        let (one, other) = (try await books.open(), try await books.open())
        try await one.admit(try Order.ether(1, nonce: 0))
        for isClosed in [false, true] {
            if isClosed { await one.close() }
            let error = await failure { () async throws(CustodyError) in
                try await other.admit(try! Order.ether(1, nonce: 1))
            }
            guard case .book(.notWritable(books.path, let reason)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(isClosed == (reason == .alreadyExists))
        }
        #expect(await other.history().isEmpty)
        #expect(await (try books.open()).history().count == 1)
    }

    @Test("a closed book admits nothing")
    func closed() async throws {
        let books = try BookFixture()
        for isThere in [false, true] {
            let book = try await books.open()
            if isThere { try await book.setPolicy(nil) }
            await book.close()
            let error = await failure { () async throws(CustodyError) in
                try await book.admit(try! Order.ether(1, nonce: 0))
            }
            #expect(error == .book(.notWritable(path: books.path, .closed)))
            if !isThere {
                let other = try await books.open()
                try await other.add(Contact(name: "Bob", party: .ethereum(Order.bob)))
                await other.close()
            }
        }
    }

    @Test(
        "an item that no version of this kind wrote is refused",
        arguments: ["later", "entry", "entry.00", "proposal.zz", "policy.2", "contacts"])
    func damaged(_ name: String) async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: BookFixture.daily("1.000001 ETH@ethereum:1"))
        await book.close()
        try await books.forge("\(hex(books.wallet.walletID)).\(name)", [1, 2, 3])
        let error = await failure { () async throws(CustodyError) in _ = try await books.open() }
        #expect(error == .book(.damaged(path: books.path)))
    }

    @Test("an entry or a proposal in another one's place is refused")
    func swapped() async throws {
        for part in ["entry", "proposal"] {
            let books = try BookFixture()
            let book = try await books.open()
            let digest = try await book.admit(try Order.ether(1, nonce: 0))
            let bytes =
                part == "entry"
                ? try await #require(book.history().first).encoded
                : StoredProposal(digest: digest, times: ClockTimes(first: 0), payload: [1]).encoded
            await book.close()
            let other = String(repeating: "ab", count: 32)
            try await books.forge("\(hex(books.wallet.walletID)).\(part).\(other)", bytes)
            let error = await failure { () async throws(CustodyError) in _ = try await books.open() }
            #expect(error == .book(.damaged(path: books.path)), "\(part)")
        }
    }
}

enum FolderMaker {
    /// The path, with the folders above it.
    static func making(_ path: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        return path
    }
}
