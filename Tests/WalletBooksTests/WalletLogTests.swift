import Foundation
import Secrets
import SecureStorage
import TestSupport
import Testing
import Wallet

@testable import AuditLog
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

/// What a wallet's log says, in short.
private struct Line: Equatable, CustomStringConvertible {
    let number: UInt64
    let act: WalletEvent.Act
    let stage: WalletEvent.Stage
    let subject: [UInt8]?
    let admission: UInt64?

    var description: String { "\(number): \(act) \(stage) of \(admission.map { "\($0)" } ?? "nothing")" }
}

extension WalletBook {
    /// Reads the log, which must be sound.
    fileprivate func lines() async throws -> [Line] {
        let log = try #require(try await walletLog())
        let lines = Lines()
        let report = try log.report { number, record in
            guard case .wallet(let event) = record.event else { return }
            lines.all.append(
                Line(
                    number: number, act: event.act, stage: event.stage, subject: event.subject?.bytes,
                    admission: event.admission))
        }
        #expect(report.findings == [])
        return lines.all
    }
}

private final class Lines { var all: [Line] = [] }

/// Writes to a log's file as somebody can who has no key.
private enum LogForgery {
    /// Appends an entry that no key has sealed, and a commit that fits it.
    static func append(to folder: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/entries-000000000000000")
        var bytes = [UInt8](try Data(contentsOf: url))
        var records = Segment.Records(bytes)
        var tree = GrowingTree()
        while let record = records.next() {
            if case .entry(let entry) = record { tree.append(TreeHash.leaf(Array(entry))) { _ in } }
        }
        let forged: [UInt8] = [1, 0, 0, 0, 0, 1] + [UInt8](repeating: 7, count: 92)
        tree.append(TreeHash.leaf(forged)) { _ in }
        bytes += [1, 0, UInt8(forged.count)] + forged + [2] + Array("FuekiCmt".utf8)
        bytes += withUnsafeBytes(of: tree.size.bigEndian) { Array($0) } + tree.root.bytes
        try Data(bytes).write(to: url)
    }
}

@Suite("A wallet's audit log")
struct WalletLogTests {
    @Test("a signature has its admission before it, and its end after it")
    func signing() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let digest = try await book.admit(try Order.ether(1, nonce: 0))
        var lines = try await book.lines()
        #expect(lines.map(\.stage) == [.admitted] && lines.map(\.act) == [.signing])
        #expect(lines.first?.subject == digest)
        try await book.note(.signed(id: nil, bytes: []), of: digest)
        lines = try await book.lines()
        #expect(lines.map(\.stage) == [.admitted, .completed])
        #expect(lines.last?.admission == lines.first?.number && lines.last?.subject == digest)
        await book.close()
        let again = try await books.open()
        #expect(try await again.lines() == lines)
    }

    @Test("the participants of one session are one admission, and another session is another one")
    func sessions() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try Order.ether(1, nonce: 0)
        let intent = try book.meaning(of: order)
        for _ in 0..<2 {
            let authorizer = book.authorizer(in: SigningContext(now: Order.noon))
            try await authorizer.admit(order, meaning: intent)
            try await authorizer.admit(order, meaning: intent)
        }
        #expect(try await book.lines().map(\.stage) == [.admitted, .admitted])
    }

    @Test("a session that failed is logged as failed, and as unclear if a part of a signature may have left")
    func failures() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let failed = try await book.admit(try Order.ether(1, nonce: 0))
        try await book.note(.failed, of: failed)
        let unclear = try await book.admit(try Order.ether(1, nonce: 1))
        await book.signatureMayExist(of: unclear)
        try await book.note(.failed, of: unclear)
        #expect(try await book.lines().map(\.stage) == [.admitted, .failed, .admitted, .unclear])
    }

    @Test("a payment that the book cannot reserve is logged as failed")
    func unreserved() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.admit(try Order.ether(1, nonce: 0))
        await book.shrink(entries: 1)
        await #expect(throws: CustodyError.book(.full(.history))) { try await book.admit(try Order.ether(1, nonce: 1)) }
        #expect(try await book.lines().map(\.stage) == [.admitted, .admitted, .failed])
    }

    @Test("without its log a wallet signs nothing, keeps its policy, renews nothing and is not deleted")
    func refused() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let first = try await house.book(of: wallet)
        try await first.log(.creation)
        let folder = try #require(try await first.walletLog()).folder
        await first.close()
        try FileManager.default.moveItem(atPath: folder, toPath: "\(house.path)/taken")

        let payment = try Order.ether(1, nonce: 0)
        let missing = CustodyError.log(path: folder, .notFound)
        let book = try await house.book(of: wallet)
        #expect(
            await failure { () async throws(CustodyError) in
                try await book.admit(payment)
            } == missing)
        #expect(await book.history().isEmpty)
        let policy = BookFixture.policy(BookFixture.daily("1 ETH@ethereum:1"))
        #expect(await failure { () async throws(CustodyError) in try await book.setPolicy(policy) } == missing)
        #expect(await book.policyFile() == nil)
        let renewal = WalletRenewal(.refresh, of: wallet.name, in: house.home)
        #expect(
            await failure { () async throws(CustodyError) in
                try await book.run(
                    renewal, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom(),
                    now: 1_700_000_000
                ) { _ in }
            } == missing)
        #expect(try house.home.wallet(wallet.name) == wallet)
        let deletion = WalletDeletion(of: wallet, in: house.home)
        #expect(
            await failure { () async throws(CustodyError) in
                try await deletion.run(holding: book, despite: [])
            } == missing)
        #expect(try house.home.wallet(wallet.name) == wallet)

        // The folder is put back: everything goes on.
        try FileManager.default.moveItem(atPath: "\(house.path)/taken", toPath: folder)
        try await book.setPolicy(policy)
        #expect(try await book.lines().map(\.act) == [.creation, .policyChange, .policyChange])
    }

    @Test("a log that was set back to an earlier copy, or cut, stops the wallet", arguments: [true, false])
    func rolledBack(_ isWhole: Bool) async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.admit(try Order.ether(1, nonce: 0))
        let folder = try #require(try await book.walletLog()).folder
        let entries = "\(folder)/entries-000000000000000"
        let early = try Data(contentsOf: URL(fileURLWithPath: entries))
        if isWhole { await book.close() }
        let copy = "\(folder).copy"
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        if isWhole {
            try await book.reopen(
                in: books.fixture.home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
        }
        try await book.admit(try Order.ether(1, nonce: 1))
        await book.close()
        if isWhole {
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: copy, toPath: folder)
        } else {
            try early.write(to: URL(fileURLWithPath: entries))
        }

        let again = try await books.open()
        let payment = try Order.ether(1, nonce: 2)
        let error = await failure { () async throws(CustodyError) in try await again.admit(payment) }
        guard case .log(folder, .rolledBack) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await again.history().count == 2)
        let report = try #require(try await again.walletLog()).report()
        #expect(!report.isSound)
    }

    @Test("a new log names the last checkpoint of the old one, which stays readable")
    func anotherLog() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.admit(try Order.ether(1, nonce: 0))
        await book.close()
        let home = books.fixture.home
        try await book.reopen(in: home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
        let old = try #require(try await book.walletLog())
        let checkpoint = try #require(try old.known.max { $0.size < $1.size })
        try await book.beginNewLog()
        let new = try #require(try await book.walletLog())
        #expect(new.folder != old.folder && new.signingKey.name != old.signingKey.name)
        #expect(new.readerKey.publicKey == old.readerKey.publicKey)
        let lines = Lines()
        var follows: (AuditDigest, UInt64)?
        _ = try new.report { _, record in
            if case .log(.follows(let root, let size)) = record.event { follows = (root, size) }
        }
        #expect(follows?.0.bytes == checkpoint.root.bytes && follows?.1 == checkpoint.size)
        let report = try LogVerification.report(
            on: try LogReader(at: old.folder), identity: try old.identity, checkpoints: [checkpoint],
            key: new.readerKey
        ) { number, record in
            guard case .wallet(let event) = record.event else { return }
            lines.all.append(
                Line(number: number, act: event.act, stage: event.stage, subject: nil, admission: nil))
        }
        #expect(report.isSound && lines.all.map(\.stage) == [.admitted])
        try await book.admit(try Order.ether(1, nonce: 1))
        #expect(try await book.lines().count == 1)
    }

    @Test("entries that a killed program has acknowledged cannot be cut off")
    func cutAfterKill() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.log(.creation)
        await book.close()
        let killed = try await books.open()
        let folder = try #require(try await killed.walletLog()).folder
        let entries = URL(fileURLWithPath: "\(folder)/entries-000000000000000")
        // The cut is within one epoch: the epoch's number in the book does not show it.
        try await killed.admit(try Order.ether(1, nonce: 0))
        let before = try Data(contentsOf: entries)
        try await killed.admit(try Order.ether(1, nonce: 1))
        // Nothing closes the log.
        let book2 = try copyOfBook(books)
        await killed.close()
        try restoreBook(book2, books)
        try before.write(to: entries)
        let again = try await books.open()
        #expect(try #require(try await again.walletLog()).report().isSound == false)
        let payment = try Order.ether(1, nonce: 2)
        let error = await failure { () async throws(CustodyError) in try await again.admit(payment) }
        guard case .log(folder, .rolledBack) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("an entry that somebody without the passphrase has added stops the wallet, until the log is given up")
    func forgedTail() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.log(.creation)
        await book.close()
        let folder = try #require(try await book.reopened(books).walletLog()).folder
        await book.close()
        // The last commit again behind another entry: sizes and roots fit, and no key seals the entry.
        try LogForgery.append(to: folder)
        let again = try await books.open()
        let payment = try Order.ether(1, nonce: 0)
        let error = await failure { () async throws(CustodyError) in try await again.admit(payment) }
        guard case .log(folder, .damaged) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await again.history().isEmpty)
        try await again.beginNewLog()
        try await again.admit(payment)
        #expect(try await again.lines().map(\.stage) == [.admitted])
    }

    @Test("a new log that was interrupted names the old one when it is opened next")
    func interruptedNewLog() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.log(.creation)
        await book.close()
        let again = try await book.reopened(books)
        let before = try #require(try await again.walletLog())
        let last = try #require(try before.known.max { $0.size < $1.size })
        try await again.file.beginLog(
            id: [UInt8](repeating: 9, count: WalletLog.idSize), after: last, random: SystemRandom())
        await again.close()
        let later = try await books.open()
        try await later.log(.restoration)
        var found: [UInt64] = []
        _ = try #require(try await later.walletLog()).report { _, record in
            if case .log(.follows(let root, let size)) = record.event, root.bytes == last.root.bytes {
                found.append(size)
            }
        }
        #expect(found == [last.size])
    }

    /// Copies the book and its guard, as they are while a program is killed.
    private func copyOfBook(_ books: borrowing BookFixture) throws -> String {
        let copy = "\(books.fixture.path)/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: books.path, toPath: "\(copy)/book")
        try FileManager.default.copyItem(atPath: books.seen, toPath: "\(copy)/seen")
        return copy
    }

    private func restoreBook(_ copy: String, _ books: borrowing BookFixture) throws {
        for (name, path) in [("book", books.path), ("seen", books.seen)] {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: "\(copy)/\(name)", toPath: path)
        }
    }

    @Test("a log whose keys were stored just before a crash is made at the next act")
    func interruptedBeginning() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let file = await book.file
        try await file.beginLog(
            id: [UInt8](repeating: 7, count: WalletLog.idSize), after: nil, random: SystemRandom())
        await book.close()
        let again = try await books.open()
        try await again.log(.restoration)
        #expect(try await again.lines().map(\.act) == [.restoration])
        #expect(try #require(try await again.walletLog()).id == [UInt8](repeating: 7, count: WalletLog.idSize))
    }

    @Test("neither the log nor the public files contain the keys, and the items of the book are not read as its data")
    func keys() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.log(.creation)
        let file = await book.file
        let names = try await file.contents().map(\.name)
        #expect(!names.contains { $0.hasPrefix("log.") })
        for item in [BookFile.LogItem.signingKey, .readerKey, .epochSecret] {
            guard let secret = try await file.log(item) else { throw CustodyError.malformedRecord }
            let key = secret.withUnsafeBytes { Data($0.suffix(32)) }
            for name in books.fixture.plainFiles {
                let bytes = try Data(books.fixture.bytes(name))
                #expect(bytes.range(of: key) == nil, "\(item) in \(name)")
            }
        }
    }

    @Test("a book without one of the keys is damaged, and begins no other log")
    func lostKey() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        try await book.log(.creation)
        await book.close()
        let vault = try VaultFile.open(
            at: books.path, passphrase: secret(WalletHomeFixture.passphrase),
            freshness: .guarded(by: BookRollbackGuard(path: books.seen)), random: SystemRandom())
        for name in try await vault.names(in: nil) where name.account.hasSuffix(".log.signing-key") {
            try await vault.delete(name)
        }
        await vault.close()
        let again = try await books.open()
        await #expect(throws: CustodyError.book(.damaged(path: books.path))) {
            try await again.admit(try Order.ether(1, nonce: 0))
        }
    }
}

extension WalletBook {
    /// Opens the book again.
    fileprivate func reopened(_ books: borrowing BookFixture) async throws -> WalletBook {
        try await reopen(
            in: books.fixture.home, passphrase: secret(WalletHomeFixture.passphrase), random: SystemRandom())
        return self
    }
}

extension WalletHomeFixture {
    fileprivate borrowing func book(of wallet: WalletRecord) async throws(CustodyError) -> WalletBook {
        try await WalletBook.open(
            of: wallet, in: home, passphrase: secret(Self.passphrase), random: SystemRandom())
    }
}
