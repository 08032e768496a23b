internal import Foundation

/// A real node on regtest, with its own chain, that no other machine can reach. It ends with this value, and with this
/// process.
///
/// See `scripts/peers/regtest-node`, which starts it.
public struct Node: ~Copyable {
    private let program: Leashed

    /// The reason why there is no node.
    public struct NotStarted: Error, CustomStringConvertible {
        public let description: String
    }

    /// Starts a node and waits until it answers, which takes seconds.
    public init() throws {
        program = try Leashed("\(Repository.path)/scripts/peers/regtest-node") { ["\($0)/node"] }
    }

    /// Its port on 127.0.0.1, and the file with the required user and password.
    public borrowing func rpc() throws -> (port: UInt16, cookieFile: String) {
        let lines = try program.folder.read("node/node.conf").split(separator: "\n")
        guard let port = lines.first(where: { $0.hasPrefix("rpcport=") }).flatMap({ UInt16($0.dropFirst(8)) }) else {
            throw NotStarted(description: "node.conf names no port")
        }
        return (port, "\(path)/node/regtest/.cookie")
    }

    /// The folder of the node's files, `node`.
    public var path: String { program.folder.path }

    /// Returns the node's answer, as text.
    ///
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with the node's message if it refuses.
    @discardableResult
    public borrowing func ask(_ method: String, _ arguments: String...) throws -> String {
        try Program.output("\(path)/node/rpc", [method] + arguments)
    }

    /// Mines a coin to the script, with enough blocks after it to spend it.
    public borrowing func fund(scriptPubKey: String) throws -> Coin {
        guard let coin = try fund(scriptPubKeys: [scriptPubKey]).first?.coin else {
            throw NotStarted(description: "no block was mined")
        }
        return coin
    }

    /// Mines a coin to each script, with enough blocks after them; returns the transactions that made them (hex).
    ///
    /// A chain of Litecoin accepts no more than 431 blocks here: then it requires blocks of another kind.
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

    /// Mines transactions that pay each script (hex) the same amount, whatever nodes relay, with a given number of
    /// outputs each.
    public borrowing func scatter(_ satoshis: Int64, to scriptPubKeys: [String], perTransaction size: Int) throws {
        let parts = stride(from: 0, to: scriptPubKeys.count, by: size).map { scriptPubKeys[$0...].prefix(size) }
        let coins = try fund(scriptPubKeys: parts.map { _ in Self.anyoneCanSpend }).map(\.coin)
        let transactions = zip(coins, parts).map { coin, scripts in
            let back = (coin.value - satoshis * Int64(scripts.count), Self.anyoneCanSpend)
            let outputs = (scripts.map { (satoshis, $0) } + [back]).map { value, script in
                Self.hex(value, bytes: 8) + Self.hex(Int64(script.count / 2), bytes: 1) + script
            }
            let name = Self.reversed(coin.txid) + Self.hex(Int64(coin.vout), bytes: 4)
            let count = Int64(outputs.count)
            return "0200000001" + name + "00ffffffff"
                + (count < 0xFD ? Self.hex(count, bytes: 1) : "fd" + Self.hex(count, bytes: 2)) + outputs.joined()
                + "00000000"
        }
        // The limit of a program's argument is 128 KiB.
        for transaction in transactions {
            try ask("generateblock", "raw(\(Self.anyoneCanSpend))", #"["\#(transaction)"]"#)
        }
    }

    /// Returns a number in hexadecimal, the least significant byte first.
    private static func hex(_ value: Int64, bytes: Int) -> String {
        (0..<bytes).map { String(format: "%02x", Int(truncatingIfNeeded: value >> (8 * $0)) & 0xFF) }.joined()
    }

    private static func reversed(_ hex: String) -> String {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).reversed().map { String(digits[$0...($0 + 1)]) }.joined()
    }

    /// Returns why the node would not accept the transaction (hex) into its memory pool; `nil` if it would.
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
