internal import Amounts
internal import Ethereum
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("The book recognises a repeated order")
struct BookOrderTests {
    private static let chain = Chain.ethereum(.ethereum)

    private func identity(
        _ key: String? = nil, _ amount: UInt256? = 5, to payee: EthereumAddress = Order.bob, account: UInt32 = 0,
        on chain: Chain = BookOrderTests.chain
    ) throws -> OrderIdentity {
        OrderIdentity(
            key: try key.map { try PaymentKey($0) }, paying: [.init(.coin, amount: amount, to: .ethereum(payee))],
            on: chain, from: account)
    }

    /// Admits a payment for an order, and records that it is signed.
    @discardableResult
    private func sign(_ nonce: UInt64, for order: OrderIdentity, in book: WalletBook) async throws -> [UInt8] {
        let payload = try Order.ether(1, nonce: nonce)
        let intent = try book.meaning(of: payload)
        try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon, order: order))
        try await book.note(.signed(id: "0x\(nonce)", bytes: [1]), of: intent.digest)
        return intent.digest
    }

    @Test("payees, amounts, account and chain make an order; the sequence of payees and the payment key do not")
    func fingerprints() throws {
        let base = try identity().fingerprint
        #expect(base.count == 32)
        #expect(try identity("invoice-17").fingerprint == base)
        let others = [
            try identity(nil, 6), try identity(nil, nil), try identity(to: Order.mallory), try identity(account: 1),
            try identity(on: .ethereum(.sepolia)),
        ]
        for other in others { #expect(other.fingerprint != base) }
        #expect(Set(others.map(\.fingerprint)).count == others.count)
        let two = [
            OrderIdentity.Item(.coin, amount: 1, to: .ethereum(Order.bob)),
            .init(.coin, amount: 2, to: .ethereum(Order.mallory)),
        ]
        let forth = OrderIdentity(key: nil, paying: two, on: Self.chain, from: 0)
        #expect(OrderIdentity(key: nil, paying: two.reversed(), on: Self.chain, from: 0) == forth)
    }

    @Test("a key is 1 to 64 visible ASCII characters")
    func keys() throws {
        for text in ["a", "invoice-17", String(repeating: "~", count: 64)] {
            #expect(try PaymentKey(text).text == text)
        }
        for text in ["", "a b", "é", "a\n", "\u{7F}", String(repeating: "a", count: 65)] {
            #expect(throws: WalletError.badPaymentKey) { try PaymentKey(text) }
        }
    }

    @Test("without a payment key, an order is known until its result was reported, also after the book was closed")
    func unheard() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try identity()
        let digest = try await sign(0, for: order, in: book)
        #expect(try await book.attempts(at: identity(nil, 6)).isEmpty)
        await book.close()
        let again = try await books.open()
        #expect(try await again.attempts(at: order).map(\.digest) == [digest])
        #expect(try await again.attempts(at: order).map(\.isUnheard) == [true])
        // Its fate on the chain changes nothing.
        try await again.note(.settled(height: 9), of: digest)
        #expect(try await again.attempts(at: order).map(\.state) == [.settled(height: 9)])
        try await again.acknowledge(digest)
        #expect(try await again.attempts(at: order).isEmpty)
        await again.close()
        #expect(try await books.open().attempts(at: order).isEmpty)
    }

    @Test("a result that a list showed is not listed again, and the same order still finds it")
    func shown() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try identity()
        let digest = try await sign(0, for: order, in: book)
        try await book.noteShown(digest)
        await book.close()
        let again = try await books.open()
        #expect(try await again.attempts(at: order).map(\.isShown) == [true])
        #expect(try await again.attempts(at: order).map(\.isUnheard) == [true])
        try await again.acknowledge(digest)
        #expect(try await again.attempts(at: order).isEmpty)
        // A later list takes nothing back.
        try await again.noteShown(digest)
        #expect(try await again.attempts(at: order).isEmpty)
        await again.close()
    }

    @Test("a replacement is reported with its order; a further payment of the same order is not")
    func attempts() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try identity()
        let first = try await sign(0, for: order, in: book)
        try await sign(1, for: order, in: book)
        #expect(try await book.attempts(at: order).map(\.number) == [1, 2])
        try await book.acknowledge(first)
        #expect(try await book.attempts(at: order).map(\.number) == [2])
        // The same nonce with a higher fee: it replaces the first one.
        let payload = try Order.ether(2, nonce: 0)
        let intent = try book.meaning(of: payload)
        try await book.admit(payload, meaning: intent, in: SigningContext(now: Order.noon, order: order))
        #expect(try await book.attempts(at: order).map(\.number) == [2])
        // Reporting a speed-up also reports the first payment.
        let (slow, fast) = (try await sign(2, for: order, in: book), try Order.ether(3, nonce: 2))
        let faster = try book.meaning(of: fast)
        try await book.admit(fast, meaning: faster, in: SigningContext(now: Order.noon, order: order))
        #expect(try await book.attempts(at: order).contains { $0.digest == slow })
        try await book.acknowledge(faster.digest)
        #expect(try await book.attempts(at: order).map(\.number) == [2])
    }

    @Test("with a payment key, an order is known forever, and the key belongs to no other order")
    func keyed() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try identity("invoice-17")
        let digest = try await sign(0, for: order, in: book)
        try await book.acknowledge(digest)
        #expect(try await book.attempts(at: order).map(\.digest) == [digest])
        #expect(try await book.attempts(at: identity()).isEmpty)
        #expect(try await book.attempts(at: identity("invoice-18")).isEmpty)
        let taken = CustodyError.book(.otherOrder(key: try PaymentKey("invoice-17")))
        for other in [try identity("invoice-17", 6), try identity("invoice-17", account: 1)] {
            #expect(await failure { () async throws(CustodyError) in _ = try await book.attempts(at: other) } == taken)
            #expect(
                await failure { () async throws(CustodyError) in _ = try await book.proposals(for: other) } == taken)
        }
    }

    @Test("a failed attempt does not count; one that may have been signed does")
    func reserved() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let order = try identity("invoice-17")
        let payload = try Order.ether(1, nonce: 0)
        let intent = try book.meaning(of: payload)
        let authorizer = book.authorizer(in: SigningContext(now: Order.noon, order: order))
        try await authorizer.admit(payload, meaning: intent)
        #expect(try await book.attempts(at: order).map(\.state) == [.reserved])
        try await book.note(.failed, of: intent.digest)
        #expect(try await book.attempts(at: order).isEmpty)
    }

    @Test("a proposal keeps its order")
    func proposals() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let (order, other) = (try identity("invoice-17"), try identity("invoice-18"))
        let payload = try Order.ether(1, nonce: 0)
        let digest = try book.meaning(of: payload).digest
        try await book.propose(payload, digest: digest, now: Order.noon, for: order)
        await book.close()
        let again = try await books.open()
        #expect(try await again.proposals(for: order).map(\.digest) == [digest])
        #expect(try await again.proposals(for: other).isEmpty)
        #expect(try await again.proposals(for: identity()).isEmpty)
        #expect(await again.proposals().map(\.order) == [order])
    }
}
