internal import Encoding

// The times of blocks, for display only. A miner may write a time that is up to two hours wrong, and the node's claim
// is not verified.

extension BitcoinNode {
    public func time(ofBlockAt height: UInt32) async throws(NodeError) -> UInt64? {
        guard try await self.height() >= height else { return nil }
        let hash = try await rpc.read("getblockhash", [JSON(Int64(height))])
        guard let text = hash.string, text.isBlockHash else { throw .unexpected(.block) }
        let header = try await rpc.read("getblockheader", [.string(text)])
        return UInt64(try header["time"].required(.block).uint32(.block))
    }
}

extension EsploraNode {
    public func time(ofBlockAt height: UInt32) async throws(NodeError) -> UInt64? {
        guard let hash = try await found("/block-height/\(height)") else { return nil }
        let text = try Self.word(hash, .block)
        guard text.isBlockHash, let block = try await found("/block/\(text)") else { throw .unexpected(.block) }
        return UInt64(try json(block)["timestamp"].required(.block).uint32(.block))
    }
}

extension String {
    /// Whether it has the form of a block hash, so that a request may contain it: 64 hexadecimal digits.
    var isBlockHash: Bool { (try? Hex.decode(self))?.count == 32 }
}
