import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

/// A real node relays the planned transactions: payments, replacements and children.
@Suite("Plans and a real node", .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
struct RelayTests {
    private static let insufficient = "insufficient fee"

    /// Pays 50 bitcoin to each of three addresses of the wallet.
    private static func coins(_ node: borrowing Node, _ signer: LoneSigner) throws -> [Bitcoin.Coin] {
        let scripts = [
            try signer.script(.receive, 0), try signer.segwit.key(at: AddressPath(.receive, index: 0)).scriptPubKey,
            try signer.script(.receive, 1),
        ]
        return try node.fund(scriptPubKeys: scripts.map { hex($0.bytes) }).map { _, transaction in
            try Bitcoin.Coin(
                output: 0, of: Transaction(decoding: hex(transaction)), ownership: signer.ownership, confirmations: 100)
        }
    }

    @Test("a payment is accepted, replaced, pushed by a child, replaced with the child, and cancelled")
    func life() throws {
        let node = try Node()
        let signer = try LoneSigner.withBothKeys()
        let coins = try Self.coins(node, signer)
        func send(_ plan: SpendPlan) throws -> Transaction {
            let transaction = try signer.sign(plan.psbt).finalised().transaction()
            #expect(try node.refusal(of: hex(transaction.encoded)) == nil)
            try node.ask("sendrawtransaction", hex(transaction.encoded))
            return transaction
        }
        func waiting() throws -> Set<String> {
            Set(try node.ask("getrawmempool").matches(of: /[0-9a-f]{64}/).map { String($0.0) })
        }
        let height = try #require(
            UInt32(String(decoding: Array(node.ask("getblockcount").utf8.filter { $0 > 32 }), as: UTF8.self)))
        let change = DerivedKey.taproot(try signer.account.key(at: AddressPath(.change, index: 0)))
        var order = SpendOrder(
            paying: [.init(try InventedCoins.bob(), .exactly(try Amount(bitcoins: "60")))], from: coins,
            feeRate: FeeRate(satoshisPerKilobyte: 2_000), feeCeiling: try Amount(bitcoins: "0.1"), change: change,
            blockHeight: height)
        order.required = [coins[1].outPoint]
        let payment = try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
        let first = try send(payment)
        #expect(try waiting() == [first.id.description])

        func replacement(
            of transaction: Transaction, rate: UInt64, to aim: ReplacementOrder.Aim = .pay,
            _ set: (inout ReplacementOrder) throws -> Void = { _ in }
        ) throws -> SpendPlan {
            var order = ReplacementOrder(
                replacing: transaction, to: aim, coins: coins, feeRate: FeeRate(satoshisPerKilobyte: rate),
                feeCeiling: try Amount(bitcoins: "0.1"), change: change)
            try set(&order)
            return try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
        }
        func refusal(_ plan: SpendPlan) throws -> String? {
            try node.refusal(of: hex(signer.sign(plan.psbt).finalised().transaction().encoded))
        }
        // The rules are the node's: it refuses a transaction below its own relay fee.
        let mean = try replacement(of: first, rate: 2_100) { $0.incrementalFeeRate = FeeRate(satoshisPerKilobyte: 100) }
        #expect(try refusal(mean)?.contains(Self.insufficient) == true)
        let second = try send(try replacement(of: first, rate: 2_100))
        #expect(try waiting() == [second.id.description])
        let bump = try replacement(of: second, rate: 5_000)
        let third = try send(bump)
        #expect(try waiting() == [third.id.description])

        // A child that spends the change.
        let place = try #require(bump.changeOutput)
        let back = try Bitcoin.Coin(
            output: UInt32(place), of: third, ownership: signer.ownership, confirmations: 0)
        let childOrder = ChildOrder(
            of: third, fee: bump.fee, virtualSize: third.virtualSize, coins: [back],
            feeRate: FeeRate(satoshisPerKilobyte: 9_000), feeCeiling: try Amount(bitcoins: "0.1"),
            change: .segwit(try signer.segwit.key(at: AddressPath(.change, index: 1))), blockHeight: height)
        let push = try SpendPlan(childOrder, for: signer.ownership, seed: InventedCoins.seed)
        let child = try send(push)
        #expect(try waiting() == [third.id.description, child.id.description])
        let both = try Amount.sum([bump.fee, push.fee])
        let rate = FeeRate(fee: both, virtualSize: third.virtualSize + child.virtualSize)
        #expect((9_000..<9_100).contains(rate.satoshisPerKilobyte))

        // The replacement of the parent evicts the child, and pays for both.
        #expect(try refusal(replacement(of: third, rate: 6_000))?.contains(Self.insufficient) == true)
        let fourth = try send(
            try replacement(of: third, rate: 6_000) {
                $0.descendantCount = 1
                $0.descendantFees = push.fee
            })
        #expect(try waiting() == [fourth.id.description])

        let nobody = try replacement(of: fourth, rate: 20_000, to: .cancel)
        let cancelled = try signer.sign(nobody.psbt).finalised().transaction()
        #expect(try node.refusal(of: hex(cancelled.encoded)) == nil)
        #expect(try node.mine(hex(cancelled.encoded)) == 1)
        #expect(try waiting().isEmpty)
    }

    @Test("the remaining balance, from both kinds of addresses, is paid and mined")
    func sweep() throws {
        let node = try Node()
        let signer = try LoneSigner.withBothKeys()
        let coins = try Self.coins(node, signer)
        let order = SpendOrder(
            paying: [.init(try InventedCoins.bob(), .everythingLeft)], from: coins,
            feeRate: FeeRate(satoshisPerKilobyte: 1_000),
            feeCeiling: try Amount(bitcoins: "0.1"),
            change: .taproot(try signer.account.key(at: AddressPath(.change, index: 0))), blockHeight: nil)
        let plan = try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
        #expect(plan.transaction.inputs.count == 3 && plan.transaction.outputs.count == 1)
        #expect(try node.mine(hex(signer.sign(plan.psbt).finalised().transaction().encoded)) == 1)
    }
}
