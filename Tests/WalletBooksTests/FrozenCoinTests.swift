internal import Bitcoin
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("The book keeps frozen coins")
struct FrozenCoinTests {
    private static func coin(_ number: UInt32) throws -> OutPoint {
        OutPoint(transaction: try TransactionID(String(repeating: "5a", count: 32)), index: number)
    }

    @Test("a frozen coin stays frozen when the book is opened again, until it is unfrozen, which removes it")
    func frozen() async throws {
        let books = try BookFixture()
        let (one, two) = (try Self.coin(1), try Self.coin(2))
        let book = try await books.open()
        try await book.freeze([one])
        try await book.freeze([one, two])
        await book.close()

        let again = try await books.open()
        #expect(await again.frozen() == [one, two])
        // A coin that is not frozen: nothing is returned.
        await #expect(throws: CustodyError.book(.notFrozen(try Self.coin(3).description))) {
            try await again.unfreeze([one, Self.coin(3)])
        }
        #expect(await again.frozen() == [one, two])
        try await again.unfreeze([one])
        #expect(await again.frozen() == [two])
        try await again.unfreeze([two])
        await again.close()

        let last = try await books.open()
        #expect(await last.frozen().isEmpty)
        await last.close()
    }

    @Test("the item has the documented format, and no other is accepted")
    func format() throws {
        let (ten, two) = (try Self.coin(10), try Self.coin(2))
        let id = String(repeating: "5a", count: 32)
        let bytes = FrozenCoins.encode([two, ten])
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"version":1,"coins":["\#(id):10","\#(id):2"]}"#)
        #expect(try FrozenCoins.decode(bytes) == [two, ten])
        for text in [
            #"{"version":1,"coins":["\#(id):2","\#(id):10"]}"#, #"{"version":2,"coins":[]}"#,
            #"{"version":1,"coins":["\#(id):02"]}"#, #"{"version":1,"coins":["\#(id)"]}"#,
            #"{"version":1,"coins":["\#(id):2","\#(id):2"]}"#, #"{"version":1,"coins":["\#(id):4294967296"]}"#,
            #"{"version":1,"coins":["\#(id.uppercased()):2"]}"#, "[]",
        ] {
            #expect(throws: CustodyError.malformedRecord, "\(text)") { try FrozenCoins.decode(Array(text.utf8)) }
        }
    }

    @Test("a damaged item is not treated as empty; more coins than the limit are refused")
    func bounds() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let all = Set(try (0..<UInt32(Limits.frozenCoins)).map(Self.coin))
        try await book.freeze(all)
        await #expect(throws: CustodyError.book(.full(.frozen))) {
            try await book.freeze([Self.coin(UInt32(Limits.frozenCoins))])
        }
        #expect(FrozenCoins.encode(all).count < Limits.frozenCoinsSize)
        await book.close()
        try await books.forge("\(hex(books.wallet.walletID)).frozen", Array("{}".utf8))
        await #expect(throws: CustodyError.book(.damaged(path: books.path))) { _ = try await books.open() }
    }
}
