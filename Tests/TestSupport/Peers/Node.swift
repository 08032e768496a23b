internal import Foundation

/// A real node on regtest, on a chain of its own, that no other machine can reach. It ends with this value, and with this process.
///
/// See `scripts/peers/regtest-node`, which starts it.
public struct Node: ~Copyable {
    private let program: Leashed

    /// Why there is no node to talk to.
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts a node and waits until it answers; some seconds.
    public init() throws {
        program = try Leashed("\(Repository.path)/scripts/peers/regtest-node") { ["\($0)/node"] }
    }

    /// The port of 127.0.0.1 that it answers on, and the file with the user and the password that it wants.
    public borrowing func rpc() throws -> (port: UInt16, cookieFile: String) {
        let lines = try program.folder.read("node/node.conf").split(separator: "\n")
        guard let port = lines.first(where: { $0.hasPrefix("rpcport=") }).flatMap({ UInt16($0.dropFirst(8)) }) else {
            throw NotStarted(description: "node.conf names no port")
        }
        return (port, "\(path)/node/regtest/.cookie")
    }

    /// The folder of the node's files, `node`.
    public var path: String { program.folder.path }

    /// What the node answers, as text.
    ///
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with the node's words if it refuses.
    @discardableResult
    public borrowing func ask(_ method: String, _ arguments: String...) throws -> String {
        try Program.output("\(path)/node/rpc", [method] + arguments)
    }

    /// Mines a coin to the script and buries it, so that it can be spent.
    public borrowing func fund(scriptPubKey: String) throws -> Coin {
        guard let coin = try fund(scriptPubKeys: [scriptPubKey]).first?.coin else {
            throw NotStarted(description: "no block was mined")
        }
        return coin
    }

    /// Mines a coin to each script, and buries them all; with the transactions that made them (hex).
    ///
    /// A chain of Litecoin takes no more than 431 blocks here: then it asks for blocks of another kind.
    public borrowing func fund(scriptPubKeys: [String]) throws -> [(coin: Coin, transaction: String)] {
        let blocks = try scriptPubKeys.map { try mineBlocks(1, to: $0) }
        try mineBlocks(100, to: Self.anyoneCanSpend)
        return try zip(scriptPubKeys, blocks).map { scriptPubKey, block in
            let transactions = try decode(Block.self, from: ask("getblock", block)).tx
            guard let txid = transactions.first else {
                throw NotStarted(description: "a block without a transaction")
            }
            let output = try decode(Output.self, from: ask("gettxout", txid, "0"))
            let transaction = try ask("getrawtransaction", txid, "false", block)
            return (
                Coin(txid: txid, vout: 0, value: output.satoshi, scriptPubKey: scriptPubKey),
                transaction.trimmingCharacters(in: .whitespacesAndNewlines)
            )
        }
    }

    /// Why the node would not take the transaction (hex) into its memory pool; `nil` if it would.
    public borrowing func refusal(of transaction: String) throws -> String? {
        let verdict = try decode([Verdict].self, from: ask("testmempoolaccept", "[\"\(transaction)\"]"))
        guard let first = verdict.first else { return "the node did not say" }
        return first.allowed ? nil : first.reason ?? "the node did not say why"
    }

    /// Broadcasts the transaction (hex), mines a block, and returns the confirmations that the transaction then has.
    public borrowing func mine(_ transaction: String) throws -> Int {
        let txid = try ask("sendrawtransaction", transaction).trimmingCharacters(in: .whitespacesAndNewlines)
        let block = try mineBlocks(1, to: Self.anyoneCanSpend)
        return try decode(Mined.self, from: ask("getrawtransaction", txid, "true", block)).confirmations
    }

    /// Mines blocks whose reward goes to the script (hex). Returns the hash of the last.
    @discardableResult
    public borrowing func mineBlocks(_ count: Int, to scriptPubKey: String) throws -> String {
        let blocks = try decode([String].self, from: ask("generatetodescriptor", "\(count)", "raw(\(scriptPubKey))"))
        guard let last = blocks.last else { throw NotStarted(description: "no block was mined") }
        return last
    }

    private static let anyoneCanSpend = "51"

    private borrowing func decode<Answer: Decodable>(_ type: Answer.Type, from text: String) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private struct Block: Decodable { let tx: [String] }
    private struct Mined: Decodable { let confirmations: Int }
    private struct Verdict: Decodable {
        let allowed: Bool
        let reason: String?
        enum CodingKeys: String, CodingKey {
            case allowed
            case reason = "reject-reason"
        }
    }
    private struct Output: Decodable {
        let value: Decimal
        var satoshi: Int64 { NSDecimalNumber(decimal: value * 100_000_000).int64Value }
    }
}
