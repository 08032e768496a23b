public import Bitcoin
internal import Encoding

/// The fate of a signed transaction, as a node shows it.
public enum TransactionFate: Hashable, Sendable {
    /// It waits for a block.
    case waiting
    /// It is in a block. Confirmations count the blocks from its own to the newest, at least 1.
    case mined(height: UInt32, confirmations: UInt32)
    /// The node does not show it, and everything that it spends is unspent: it may still be mined.
    case possible
    /// A block has spent its inputs, and no block has the transaction: another transaction took its place.
    case impossible
    /// The node does not know its inputs. It may be behind, or pruned, or have dropped a waiting transaction.
    case unclear
}

extension BitcoinChain {
    /// Determines the fate of a transaction, also with a node that has no index: such a node does not show a
    /// transaction whose outputs are spent, so its blocks are searched.
    ///
    /// The search begins at the transaction's lock time, if that is a height: a plan of this wallet has the height of
    /// the chain at that time, or a little less. It ends after ``NodeLimits/searchedBlocks`` blocks.
    public func fate(of transaction: Transaction) async throws(NodeError) -> TransactionFate {
        switch try await status(of: transaction.id) {
        case .waiting: return .waiting
        case .mined(let height, let confirmations): return .mined(height: height, confirmations: confirmations)
        case .unknown: break
        }
        var missing: [OutPoint] = []
        for input in transaction.inputs where try await coin(at: input.previousOutput) == nil {
            missing.append(input.previousOutput)
        }
        guard !missing.isEmpty else { return .possible }
        let lock = transaction.lockTime
        let found: BlockSearch =
            (1..<Self.firstTime).contains(lock) ? try await search(for: transaction.id, from: lock) : .unfinished
        switch found {
        case .found(let height, let confirmations): return .mined(height: height, confirmations: confirmations)
        case .unfinished: return .unclear
        case .absent: break
        }
        // An output that no block created cannot have been spent by one: the node has not seen it yet, or has dropped
        // it.
        for outPoint in missing {
            if case .mined = try await status(of: outPoint.transaction) { return .impossible }
        }
        return .unclear
    }

    /// Lock times from this number on are times (BIP-113).
    private static var firstTime: UInt32 { 500_000_000 }
}

/// The result of a search of blocks.
public enum BlockSearch: Hashable, Sendable {
    /// The transaction is in the block at this height.
    case found(height: UInt32, confirmations: UInt32)
    /// No block from the first searched height on has it.
    case absent
    /// There are more blocks than are searched, or the node does not have them.
    case unfinished
}

extension BitcoinNode {
    public func search(for id: TransactionID, from first: UInt32) async throws(NodeError) -> BlockSearch {
        let tip = try await height()
        // A node that is behind has not seen the transaction's inputs.
        guard first <= tip else { return .unfinished }
        for height in first...min(tip, first + NodeLimits.searchedBlocks) {
            do throws(NodeError) {
                let block = try await rpc.read("getblockhash", [JSON(Int64(height))])
                if try await transaction(id, in: block) != nil {
                    return .found(height: height, confirmations: tip - height + 1)
                }
            } catch {
                // "Block not available (pruned data)".
                guard case .rpc(Fault.misc, _) = error else { throw error }
                return .unfinished
            }
        }
        return tip - first > NodeLimits.searchedBlocks ? .unfinished : .absent
    }
}

extension EsploraNode {
    /// Searches an explorer, which has an index: a transaction that it does not show is in no block.
    public func search(for id: TransactionID, from first: UInt32) async throws(NodeError) -> BlockSearch {
        switch try await status(of: id) {
        case .mined(let height, let confirmations): .found(height: height, confirmations: confirmations)
        case .waiting, .unknown: .absent
        }
    }
}
