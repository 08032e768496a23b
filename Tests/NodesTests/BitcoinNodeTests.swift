internal import Bitcoin
import Curves
internal import DisplayText
import Encoding
internal import HDKeys
import Nodes
import TestSupport
import Testing
import Wallet

@Suite(
    "A real node", .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)), .timeLimit(.minutes(20)))
struct BitcoinNodeTests {
    /// Spends a coin that anyone may spend: P2WSH of OP_TRUE.
    static func spend(_ coin: ChainCoin, leaving satoshis: UInt64, witness: [UInt8] = [0x51]) throws -> Transaction {
        Transaction(
            version: 2,
            inputs: [
                TransactionInput(previousOutput: coin.outPoint, sequence: 0xFFFF_FFFD, witness: [witness])
            ],
            outputs: [
                TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: coin.output.scriptPubKey)
            ], lockTime: 0)
    }

    @Test(
        "coins are found with what made them; a payment is accepted, broadcast twice, waited for, mined, and undone by another chain"
    )
    func payment() async throws {
        let peer = try Node()
        let (port, cookie) = try peer.rpc()
        let address = try NodeAddress(
            "http://127.0.0.1:\(port)", credentials: try Credentials(cookieFile: cookie))
        let transport = try client(to: address)
        let patience = NodeRetryPolicy(clock: ContinuousClock())
        let node = try await BitcoinNode(at: address, on: .regtest, over: transport, patience)
        await #expect {
            _ = try await BitcoinNode(at: address, on: .mainnet, over: transport, patience)
        } throws: { ($0 as? NodeError) == .wrongChain(expected: "mainnet", found: SanitizedText(ofNode: "regtest")) }
        let wrongPassword = try NodeAddress("http://fueki:wrong@127.0.0.1:\(port)")
        await #expect(throws: NodeError.unauthorised) {
            _ = try await BitcoinNode(at: wrongPassword, on: .regtest, over: transport, patience)
        }

        let script = ScriptPubKey(.p2wsh(scriptHash: SHA256.hash([0x51])))
        let other = ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 7, count: 20)))
        let funded = try peer.fund(scriptPubKeys: [script, other, script].map { Hex.encode($0.bytes) })
        #expect(try await node.height() == 103)
        let coins = try await node.coins(of: [script, script]).coins
        #expect(Set(coins.map(\.outPoint.transaction.description)) == [funded[0].coin.txid, funded[2].coin.txid])
        let coin = try #require(coins.first { $0.outPoint.transaction.description == funded[0].coin.txid })
        #expect(coin.output.amount.satoshis == UInt64(funded[0].coin.value))
        #expect(Hex.encode(coin.previousTransaction.encoded) == funded[0].transaction)
        #expect((coin.confirmations, coin.isCoinbase) == (103, true))

        let value = coin.output.amount.satoshis
        let payment = try Self.spend(coin, leaving: value - 1_000)
        #expect(try await node.status(of: payment.id) == .unknown)
        #expect(try await node.transaction(payment.id) == nil)
        #expect(try await node.acceptance(of: payment) == .accepted)
        try await node.broadcast(payment)
        try await node.broadcast(payment)
        #expect(try await node.acceptance(of: payment) == .accepted)
        #expect(try await node.status(of: payment.id) == .waiting)
        #expect(try await node.transaction(payment.id) == payment)
        // Coins spent by an unconfirmed transaction are left out, and its change is unconfirmed.
        let left = try await node.coins(of: [script]).coins
        #expect(
            Set(left.map { "\($0.outPoint.transaction) \($0.confirmations)" })
                == [funded[2].coin.txid + " 101", "\(payment.id) 0"])
        #expect(try await node.coins(of: [script], in: payment).map(\.outPoint.transaction) == [payment.id])
        #expect(try await node.coins(of: [other], in: payment).isEmpty)
        #expect(try await node.coin(at: coin.outPoint) == coin)
        #expect(
            try await node.coin(at: OutPoint(transaction: payment.id, index: 0))?.confirmations == 0)
        let queue = try #require(await node.queue(of: payment.id))
        #expect((queue.ancestorFees.satoshis, queue.ancestorSize) == (1_000, payment.virtualSize))
        #expect((queue.descendantCount, queue.descendantFees) == (0, .zero))
        #expect(try await node.incrementalFeeRate() == FeeRate(satoshisPerKilobyte: 1_000))

        let rival = try Self.spend(coin, leaving: value - 1_001)
        await #expect { try await node.broadcast(rival) } throws: {
            [.conflict, .replacementUnderpriced].contains(Self.refusal($0))
        }
        let cheap = try Self.spend(try #require(coins.first { $0 != coin }), leaving: value)
        await #expect { try await node.broadcast(cheap) } throws: { Self.refusal($0) == .feeTooLow }
        guard case .refused = try await node.acceptance(of: cheap) else {
            Issue.record("a payment without a fee is accepted")
            return
        }
        let wrong = try Self.spend(try #require(coins.first { $0 != coin }), leaving: value - 1_000, witness: [0x00])
        await #expect { try await node.broadcast(wrong) } throws: { Self.refusal($0) == .other }

        let block = try peer.mineBlocks(1, to: "51")
        #expect(try await node.status(of: payment.id) == .mined(height: 104, confirmations: 1))
        try await node.broadcast(payment)
        await #expect { try await node.broadcast(rival) } throws: { Self.refusal($0) == .missingInputs }
        #expect(
            try await node.coins(of: [script]).coins.contains {
                $0.outPoint.transaction == payment.id && $0.confirmations == 1
            })
        #expect(try await node.queue(of: payment.id) == nil)
        #expect(try await node.coin(at: coin.outPoint) == nil)

        try peer.ask("invalidateblock", block)
        #expect(try await node.status(of: payment.id) == .waiting)
        let change = try #require(await node.coins(of: [script], in: payment).first)
        let child = try Self.spend(change, leaving: value - 3_000)
        try await node.broadcast(child)
        let longer = try #require(await node.queue(of: payment.id))
        #expect((longer.ancestorFees.satoshis, longer.descendantCount) == (1_000, 1))
        #expect(longer.descendantFees.satoshis == 2_000)
        #expect(try await node.queue(of: child.id)?.ancestorFees.satoshis == 3_000)
        #expect(try await node.coins(of: [script], in: payment).isEmpty)
        let rates = try await node.feeRates()
        let (low, normal, high) = (
            try #require(rates.low), try #require(rates.normal), try #require(rates.high)
        )
        #expect(low.satoshisPerKilobyte == 1_000 && low <= normal && normal <= high)
    }

    private static func refusal(_ error: any Error) -> NodeError.Refusal? {
        guard case .refused(let refusal, _) = error as? NodeError else { return nil }
        return refusal
    }
}
