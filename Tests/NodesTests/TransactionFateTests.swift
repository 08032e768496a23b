internal import Bitcoin
import Encoding
internal import HDKeys
import Nodes
import Testing
import Wallet

/// A transaction that a node without an index does not show: its outputs are spent, or it was never mined.
@Suite("The state of a transaction, from a node without an index")
struct TransactionFateTests {
    private static let tip: Int64 = 100

    /// A transaction that spends one output, with a lock time.
    private static func transaction(lockTime: UInt32) throws -> Transaction {
        let parent = try TransactionID(String(repeating: "ab", count: 32))
        return Transaction(
            version: 2,
            inputs: [TransactionInput(previousOutput: OutPoint(transaction: parent, index: 0), sequence: 0xFFFF_FFFD)],
            outputs: [
                TransactionOutput(
                    amount: try Amount(satoshis: 1_000),
                    scriptPubKey: ScriptPubKey(.p2wpkh(keyHash: Array(repeating: 8, count: 20))))
            ], lockTime: lockTime)
    }

    /// A node without an index.
    ///
    /// - Parameters:
    ///   - block: the height of the block that has the transaction.
    ///   - isParentMined: whether an output of the transaction that it spends from is unspent in a block.
    ///   - pruned: blocks below this height are pruned.
    private func node(
        _ transaction: Transaction, in block: Int64?, isParentMined: Bool = false, pruned: Int64 = 0
    ) async throws -> (node: BitcoinNode, script: ScriptedNode) {
        let parent = transaction.inputs[0].previousOutput.transaction.description
        let id = transaction.id.description
        let hex = JSON.string(Hex.encode(transaction.encoded))
        let output: JSON = ["confirmations": 5]
        let script = ScriptedNode { call in
            switch call.method {
            case "getblockchaininfo": return .result(["chain": "regtest"])
            case "getblockcount": return .result(JSON(Self.tip))
            case "getblockhash":
                // The genesis block's hash is compared; the others contain their height.
                let height = call.parameters[0].number?.integer(as: Int64.self) ?? 0
                return .result(
                    .string(
                        height == 0
                            ? String(repeating: "1", count: 64) : String(repeating: "0", count: 61) + "\(100 + height)")
                )
            case "getmempoolentry": return .fault(-5, "Transaction not in mempool")
            case "gettxout":
                return .result(
                    isParentMined && call.parameters[0].string == parent
                        && call.parameters[1].number?.integer(as: Int64.self) == 1 ? output : .null)
            case "getrawtransaction":
                guard call.parameters.count == 3, let hash = call.parameters[2].string,
                    let height = Int64(hash.suffix(3))
                else { return .fault(-5, "No such mempool transaction") }
                if height - 100 < pruned { return .fault(-1, "Block not available (pruned data)") }
                guard height - 100 == block, call.parameters[0].string == id else {
                    return .fault(-5, "No such transaction found in the provided block")
                }
                return .result(hex)
            default: return .fault(-32_601, "Method not found")
            }
        }
        let address = try NodeAddress("http://127.0.0.1:18443")
        let node = try await BitcoinNode(
            at: address, on: .regtest, over: script, .hasty)
        return (node, script)
    }

    @Test("a block with the transaction is found after its lock time, even if all of its outputs are spent")
    func found() async throws {
        let transaction = try Self.transaction(lockTime: 90)
        let (node, script) = try await node(transaction, in: 93)
        #expect(try await node.fate(of: transaction) == .mined(height: 93, confirmations: 8))
        let searched = script.calls.filter { $0.method == "getrawtransaction" && $0.parameters.count == 3 }
        #expect(searched.count == 4)
    }

    @Test("if its coin was spent by another transaction, it is impossible only if a block has the coin")
    func spentByAnother() async throws {
        let transaction = try Self.transaction(lockTime: 90)
        let (sure, _) = try await node(transaction, in: nil, isParentMined: true)
        #expect(try await sure.fate(of: transaction) == .impossible)
        let (unsure, _) = try await node(transaction, in: nil)
        #expect(try await unsure.fate(of: transaction) == .unclear)
    }

    @Test("a node that is behind, has pruned the blocks, or would have to search too many, gives no answer")
    func unclear() async throws {
        for (lockTime, pruned) in [(101, 0), (90, 95), (0, 0), (500_000_000, 0)] as [(UInt32, Int64)] {
            let transaction = try Self.transaction(lockTime: lockTime)
            let (node, _) = try await node(transaction, in: nil, isParentMined: true, pruned: pruned)
            #expect(try await node.fate(of: transaction) == .unclear, "\(lockTime), \(pruned)")
        }
    }
}
