internal import Amounts
internal import Encoding

// Strict readers for numbers and bytes in Ethereum's JSON-RPC (github.com/ethereum/execution-apis).

extension JSON {
    /// Reads a number of up to 256 bits: `0x0`, or `0x` and lower-case digits without a leading zero.
    func quantity(_ answer: NodeError.Answer) throws(NodeError) -> UInt256 {
        guard let text = string, !text.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
            let value = try? UInt256(quantity: text)
        else { throw .unexpected(answer) }
        return value
    }

    /// Reads a number of up to 64 bits.
    func uint64(_ answer: NodeError.Answer) throws(NodeError) -> UInt64 {
        guard let value = try quantity(answer).uint64 else { throw .unexpected(answer) }
        return value
    }

    /// Reads the height of a block, small enough to compute with.
    func height(_ answer: NodeError.Answer) throws(NodeError) -> UInt64 {
        let height = try uint64(answer)
        guard height < 1 << 63 else { throw .unexpected(answer) }
        return height
    }

    /// Reads bytes: `0x` and two digits for each.
    func data(_ answer: NodeError.Answer, limit: Int) throws(NodeError) -> [UInt8] {
        guard let text = string, text.hasPrefix("0x"), text.utf8.count <= 2 + 2 * limit,
            let bytes = try? Hex.decode(String(text.dropFirst(2)))
        else { throw .unexpected(answer) }
        return bytes
    }

    /// Reads a hash of 32 bytes.
    func hash(_ answer: NodeError.Answer) throws(NodeError) -> [UInt8] {
        let bytes = try data(answer, limit: 32)
        guard bytes.count == 32 else { throw .unexpected(answer) }
        return bytes
    }

    /// Encodes bytes as a parameter.
    init(data bytes: [UInt8]) { self = .string("0x" + Hex.encode(bytes)) }
}
