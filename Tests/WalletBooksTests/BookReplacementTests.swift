internal import Amounts
internal import Ethereum
internal import HDKeys
import TestSupport
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport
@testable import Wallet
@testable import WalletBooks

/// Of conflicting transactions at most one is mined. This must not become a way around a limit.
@Suite("The book counts replacements")
struct BookReplacementTests {
    private let limit = BookFixture.daily("1.000001 ETH@ethereum:1")

    @Test("a replacement that pays another recipient: both count, even after a node reports that one is mined")
    func otherRecipient() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: limit)
        let first = try await book.admit(try Order.ether(6, nonce: 5))
        // They cannot both happen, so it is judged without the one that it replaces.
        let second = try await book.admit(try Order.ether(6, to: Order.mallory, nonce: 5, fee: 20))
        let next = try Order.ether(4, nonce: 6)
        #expect(try await book.verdict(on: next) == .denied)
        try await book.note(.signed(id: "b", bytes: []), of: second)
        try await book.note(.settled(height: 1), of: second)
        #expect(await book.history().map(\.state) == [.replaced, .settled(height: 1)])
        #expect(try await book.verdict(on: next) == .denied)
        #expect(first != second)
    }

    @Test("a speed-up counts once, from the later time")
    func speedUp() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: limit)
        try await book.admit(try Order.ether(6, nonce: 5))
        let hour: UInt64 = 3_600
        try await book.admit(try Order.ether(6, nonce: 5, fee: 20), at: Order.noon + hour)
        try await book.admit(try Order.ether(6, nonce: 5, fee: 30), at: Order.noon + 2 * hour)
        #expect(try await book.verdict(on: try Order.ether(4, nonce: 6), at: Order.noon + 3 * hour) == nil)
        #expect(try await book.verdict(on: try Order.ether(1, nonce: 7), at: Order.noon + 3 * hour) == .denied)
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 7), at: Order.noon + 25 * hour) == .denied)
    }

    @Test("a refusal names the cancelled payment that uses up the limit, and until when")
    func cancelledIsNamed() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: limit)
        let payment = try await book.admit(try Order.ether(6, nonce: 5))
        try await book.note(.signed(id: "0x4ac1b2c3d4e5", bytes: []), of: payment)
        let cancellation = try await book.admit(try Order.cancellation(of: 5, by: books.wallet))
        func reason() async throws -> String? {
            let again = try Order.ether(6, nonce: 6)
            do throws(CustodyError) { try await book.admit(again) } catch {
                guard case .ceremony(.forbidden(let decision)) = error else { return nil }
                return decision.findings.first?.limits.first.map { "\($0.rule): \($0.reason)" }
            }
            return nil
        }
        // Noon is 2023-11-14 22:13:20 UTC.
        let until = "until 2023-11-15 22:14 UTC"
        let before = try await reason()
        #expect(before?.hasPrefix("a day: it is 0.6") == true, "\(before ?? "")")
        #expect(before?.contains("is reserved by the payment 0x4ac1b2c3 \(until)") == true, "\(before ?? "")")
        // Only a cancellation that is signed cancels.
        try await book.note(.signed(id: "0xc", bytes: []), of: cancellation)
        let after = try await reason()
        #expect(after?.contains("is reserved by the cancelled payment 0x4ac1b2c3 \(until)") == true, "\(after ?? "")")
    }

    @Test("a cancelled payment still counts: a node that reports the cancellation as mined may lie")
    func cancelAndSendAgain() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: limit)
        let payment = try await book.admit(try Order.ether(6, nonce: 5))
        let cancellation = try await book.admit(try Order.cancellation(of: 5, by: books.wallet))
        #expect(try await book.meaningOfEntry(cancellation) == [.nothing])
        let again = try Order.ether(6, nonce: 6)
        #expect(try await book.verdict(on: again) == .denied)
        try await book.note(.signed(id: "c", bytes: []), of: cancellation)
        try await book.note(.sent, of: cancellation)
        #expect(try await book.verdict(on: again) == .denied)
        try await book.note(.settled(height: 1), of: cancellation)
        #expect(await book.entry(payment)?.state == .replaced)
        #expect(try await book.verdict(on: again) == .denied)
        #expect(try await book.verdict(on: again, at: Order.noon + 25 * 3_600) == nil)
    }

    @Test("a mined entry displaces one mined before, which counts as sent, and as replaced once the other is final")
    func takenOut() async throws {
        let books = try BookFixture()
        let book = try await books.open()
        let first = try await book.admit(try Order.ether(6, nonce: 5))
        let second = try await book.admit(try Order.ether(6, to: Order.mallory, nonce: 5, fee: 20))
        let reserved = try await book.admit(try Order.ether(7, nonce: 5, fee: 30))
        let beside = try await book.admit(try Order.ether(1, nonce: 6))
        for digest in [first, second, beside] { try await book.note(.signed(id: nil, bytes: []), of: digest) }
        for digest in [beside, first, second] { try await book.note(.mined(height: 1), of: digest) }
        #expect(await book.entry(first)?.state == .sent)
        #expect(await book.entry(reserved)?.state == .reserved)
        #expect(await book.entry(first)?.rival(in: await book.history())?.digest == second)
        #expect(await book.entry(beside)?.rival(in: await book.history()) == nil)
        #expect(await book.entry(second)?.rival(in: await book.history()) == nil)
        try await book.note(.settled(height: 1), of: second)
        #expect(await book.entry(first)?.state == .replaced)
        #expect(await book.entry(reserved)?.state == .replaced)
        #expect(await book.entry(beside)?.state == .mined(height: 1))
    }

    @Test("the same nonce on another chain, or of another account, does not conflict")
    func otherChain() async throws {
        let books = try BookFixture()
        let book = try await books.open(
            rules: limit + #", {"name": "test", "if": {"chain": "ethereum:11155111"}, "then": "allow"}"#)
        try await book.admit(try Order.ether(6, nonce: 5))
        try await book.admit(try Order.ether(6, nonce: 5, on: .sepolia))
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 5, account: 1)) == .denied)
        let sepolia = try await book.admit(try Order.ether(1, nonce: 5, fee: 20, on: .sepolia))
        try await book.note(.signed(id: nil, bytes: []), of: sepolia)
        try await book.note(.settled(height: 1), of: sepolia)
        #expect(await book.history().map(\.state) == [.reserved, .replaced, .settled(height: 1)])
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 6)) == .denied)
    }

    @Test("a replacement is judged together with all that can still happen beside it")
    func judgedWithTheRest() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: limit)
        try await book.admit(try Order.ether(5, nonce: 5))
        try await book.admit(try Order.ether(5, nonce: 6))
        #expect(try await book.verdict(on: try Order.ether(6, nonce: 5, fee: 20)) == .denied)
        #expect(try await book.verdict(on: try Order.ether(5, nonce: 5, fee: 20)) == nil)
    }

    // MARK: - Bitcoin, where conflicts are not transitive

    private let bitcoinLimit = BookFixture.daily("0.001 BTC@bitcoin:regtest")

    @Test("a transaction that conflicts with two others does not make them count as one")
    func joinedInputs() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: bitcoinLimit)
        func pay(_ satoshis: UInt64, _ spending: [Int]) throws -> SigningPayload {
            try Order.bitcoin(satoshis, from: books.wallet, spending: spending)
        }
        try await book.admit(try pay(40_000, [1]))
        try await book.admit(try pay(40_000, [2]))
        #expect(try await book.verdict(on: try pay(30_000, [3])) == .denied)
        // It does the same as either, and conflicts with both, which can still both happen.
        try await book.admit(try pay(40_000, [1, 2]))
        #expect(try await book.verdict(on: try pay(30_000, [3])) == .denied)
        // A transaction that conflicts only with the joined one is judged with the other.
        #expect(try await book.verdict(on: try pay(70_000, [2])) == .denied)
    }

    @Test("in a chain of replacements with other outputs, the first and the last can both happen")
    func chainOfReplacements() async throws {
        let books = try BookFixture()
        let book = try await books.open(rules: bitcoinLimit)
        func pay(_ satoshis: UInt64, _ spending: [Int]) throws -> SigningPayload {
            try Order.bitcoin(satoshis, from: books.wallet, spending: spending)
        }
        try await book.admit(try pay(40_000, [1]))
        try await book.admit(try pay(40_000, [1, 2]))
        try await book.admit(try pay(40_000, [2, 4]))
        #expect(try await book.verdict(on: try pay(30_000, [3])) == .denied)
    }

    @Test("an output on another network is a different output")
    func otherNetwork() throws {
        let outPoint = try Payment.outPoint(1)
        let main = ConflictSet.bitcoin(.mainnet, spending: [outPoint])
        #expect(!main.conflicts(with: .bitcoin(.regtest, spending: [outPoint])))
        #expect(main.conflicts(with: .bitcoin(.mainnet, spending: [outPoint, try Payment.outPoint(2)])))
        #expect(!main.conflicts(with: .bitcoin(.mainnet, spending: [])))
    }

    /// The count is at least the most that can happen, for any admissions.
    @Test("no history counts less than the most that it can pay")
    func property() throws {
        for seed in 0..<60 {
            let random = SeededRandom(seed: UInt64(seed))
            let entries = try (0..<7).map { number in
                let outPoints = try (0..<4).filter { _ in random.below(2) == 0 }.map { try Payment.outPoint($0) }
                return HistoryEntry(
                    number: UInt64(number), time: 1, proposed: nil, chain: .bitcoin(.regtest),
                    digest: [UInt8(number)],
                    effects: [
                        .payment(
                            .coin, amount: UInt256(UInt64(1 + random.below(2))), to: .script(Payment.bob))
                    ],
                    highestFee: UInt256(UInt64(random.below(3))),
                    conflictSet: .bitcoin(.regtest, spending: Set(outPoints)),
                    state: .reserved)
            }
            // Every set without conflicts.
            for judged in entries {
                let counted = Spending(entries: entries, now: 1).effects(judging: judged.conflictSet, judged.digest)
                    .reduce(UInt64(0)) { $0 + ($1.amount.uint64 ?? 0) }
                var most: UInt64 = 0
                for chosen in 0..<(1 << entries.count) {
                    let set = entries.indices.filter { chosen & 1 << $0 != 0 }.map { entries[$0] }
                    guard !set.contains(judged), Self.canAllHappen(set + [judged]) else { continue }
                    let sum = set.reduce(UInt64(0)) {
                        $0 + ($1.effects.first?.amount?.uint64 ?? 0) + ($1.highestFee?.uint64 ?? 0)
                    }
                    most = max(most, sum)
                }
                #expect(counted >= most, "seed \(seed)")
            }
        }
    }

    private static func canAllHappen(_ entries: [HistoryEntry]) -> Bool {
        for (place, one) in entries.enumerated() {
            for other in entries.dropFirst(place + 1) {
                if let left = one.conflictSet, let right = other.conflictSet, left.conflicts(with: right) {
                    return false
                }
            }
        }
        return true
    }
}

extension WalletBook {
    func meaningOfEntry(_ digest: [UInt8]) throws -> [Effect]? { entry(digest)?.effects }
}
