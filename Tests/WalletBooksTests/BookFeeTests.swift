internal import Amounts
internal import Ethereum
import Foundation
import TestSupport
import Testing
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import WalletBooks

@Suite("The book counts fees")
struct BookFeeTests {
    private let bitcoin = BookFixture.daily("0.0005 BTC@bitcoin:regtest")

    private func pay(
        _ satoshis: UInt64, fee: UInt64, spending numbers: [Int], _ books: borrowing BookFixture
    ) throws -> SigningPayload {
        try Order.bitcoin(satoshis, from: books.wallet, spending: numbers, fee: fee)
    }

    @Test("a payment within the limit whose fee exceeds it is denied")
    func burned() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: bitcoin)
        #expect(try await book.verdict(on: try pay(1_000, fee: 49_001, spending: [1], books)) == .denied)
        #expect(try await book.verdict(on: try pay(1_000, fee: 49_000, spending: [1], books)) == nil)
    }

    @Test("earlier fees reduce the limit")
    func earlier() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: bitcoin)
        try await book.admit(try pay(1_000, fee: 30_000, spending: [1], books))
        #expect(try await book.verdict(on: try pay(1_000, fee: 18_001, spending: [2], books)) == .denied)
        #expect(try await book.verdict(on: try pay(1_000, fee: 18_000, spending: [2], books)) == nil)
    }

    @Test("of several conflicting entries with the same effects the highest fee counts, in any order")
    func replaced() async throws {
        for fees in [[20_000, 30_000], [30_000, 20_000]] as [[UInt64]] {
            let books = try BookFixture()
            let book = try await books.open(rules: bitcoin)
            for fee in fees { try await book.admit(try pay(1_000, fee: fee, spending: [1], books)) }
            #expect(try await book.verdict(on: try pay(1_000, fee: 18_001, spending: [2], books)) == .denied, "\(fees)")
            #expect(try await book.verdict(on: try pay(1_000, fee: 18_000, spending: [2], books)) == nil, "\(fees)")
        }
    }

    @Test("a cancellation's fee counts beside the payment that it replaces")
    func cancelled() async throws {
        let books = try BookFixture()
        // 0.5 and 0.1 ether, each with a fee of a million wei; the cancellation's is two million.
        let book = try await books.open(rules: BookFixture.daily("0.600000000004 ETH@ethereum:1"))
        try await book.admit(try Order.ether(5, nonce: 1))
        try await book.admit(try Order.cancellation(of: 1, by: books.wallet))
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2, fee: 11)) == .denied)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2, fee: 10)) == nil)
    }

    @Test("the fee of a token payment is in the coin, and counts for the coin's limit")
    func tokens() async throws {
        let books = try BookFixture()
        let rules =
            BookFixture.daily("0.100000000002 ETH@ethereum:1")
            + #", {"name": "tokens", "if": {"asset": "USDC", "at_most": "5 USDC"}, "then": "allow"}"#
        let book = try await books.open(rules: rules)
        let transfer = ContractCall.transferData(to: Order.bob, amount: 5_000_000)
        // A fee of a million wei.
        try await book.admit(try Order.ether(0, to: Order.token, nonce: 1, data: transfer))
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2, fee: 11)) == .denied)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 2, fee: 10)) == nil)
    }

    @Test("fees are limited over time, whatever the transactions pay; and are kept for that time")
    func window() async throws {
        let books = try BookFixture()
        let rules =
            #"{"name": "fees", "if": {"fee_at_most": {"amount": "0.000000000003 ETH@ethereum:1", "within": "40d"}}, "#
            + #""then": "allow"}"#
        let book = try await books.open(rules: rules)
        try await book.admit(try Order.ether(9, nonce: 1, fee: 10))
        let cancellation = try Order.cancellation(of: 2, by: books.wallet)
        #expect(try await book.verdict(on: try Order.ether(9, nonce: 3, fee: 21)) == .denied)
        #expect(try await book.verdict(on: cancellation) == nil)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 4, fee: 1)) == .denied)
        #expect(try await book.policy().longestWindow == 40 * 86_400)
    }
}
