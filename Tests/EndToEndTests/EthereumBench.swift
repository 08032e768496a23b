internal import Foundation
import TestSupport
import Testing

/// A wallet, an Ethereum-like chain, and a proxy between them.
struct EthereumBench: ~Copyable {
    /// The result of `fueki send --json` and similar commands.
    struct Outcome: Decodable {
        struct Intent: Decodable {
            struct Remark: Decodable {
                let name: String
                let text: String
                let weight: String
            }
            struct Decision: Decodable { let verdict: String }
            let highest_fee: String
            let gas_limit: UInt64?
            let remarks: [Remark]
            let decision: Decision
            let digest: String
        }
        let hash: String
        let state: String
        let chain: String
        let account: Int
        let from: String
        let nonce: Int
        let earlier: Bool
        let replaced: String?
        let block: Int?
        let fee_paid: String?
        let transaction: String
        let shares: [String]
        let warnings: [String]
        let intent: Intent?

        enum CodingKeys: String, CodingKey {
            case hash = "id"
            case block = "height"
            case fee_paid = "fee"
            case state, chain, account, from, nonce, earlier, replaced, transaction, shares, warnings, intent
        }
    }

    /// The result with `--json` of a failed command.
    struct Refusal: Decodable {
        struct Body: Decodable {
            let code: String
            let message: String
        }
        let error: Body
        /// The payload to be signed, if it was known.
        let intent: Outcome.Intent?

        init(_ ended: Program.Outcome) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(ended.errors.utf8))
        }
    }

    struct Account: Decodable { let address: String }
    private struct Receipt: Decodable {
        let gasUsed: String
        let effectiveGasPrice: String
        let status: String
    }

    /// An address whose key nobody has.
    static let bob = "0x90F8bf6A479f320ead074411a4B0e7944Ea8c9C1"
    static let carol = "0xFFcf8FDEE72ac11b5c542428B35EEF5769C409f0"
    static let chain = "ethereum:31337"

    let wallet: TestWallet
    let node: EVMNode
    let account: String
    private let chain: String

    /// - Parameters:
    ///   - ether: the balance of account 0, up to 18.
    ///   - chain: the number of the chain.
    ///   - network: the network of the wallet.
    init(ether: UInt64 = 10, chain: UInt64 = 31_337, network: String = "regtest") throws {
        let node = try EVMNode(chain: chain)
        let wallet = try TestWallet(network: network)
        let account = try wallet.fueki.json("address", wallet.name, "--type", "ethereum", as: Account.self).address
        if ether > 0 {
            let wei = String(ether * 1_000_000_000_000_000_000, radix: 16)
            try node.tell("evm_fund", "\"\(account)\", \"0x\(wei)\"")
        }
        self.node = node
        self.wallet = wallet
        self.account = account
        self.chain = "ethereum:\(chain)"
    }

    // MARK: - Commands

    /// Returns the arguments of a signing command, with the common options.
    borrowing func words(_ command: [String], node: String? = nil) -> [String] {
        command + [
            "--chain", chain, "--node", node ?? self.node.url, "--passphrase-file", "passphrase", "--yes",
            "--json",
        ] + (command.contains("--node-timeout") ? [] : ["--node-timeout", "\(Patience.seconds)"])
    }

    /// Runs `fueki send`.
    borrowing func send(
        _ amount: String, to payee: String = bob, _ more: String..., node: String? = nil
    ) throws -> Program.Outcome {
        try wallet.fueki.run(
            words(["send", wallet.name, "--to", payee, "--amount", amount] + more, node: node))
    }

    /// Starts `fueki send --wait`, and lets it wait for a block. The hash is that of its transaction.
    borrowing func waiting(
        _ amount: String, _ more: String...
    ) throws -> (command: RunningProgram, hash: String) {
        try waiting(amount, more: more)
    }

    /// Starts `fueki send --wait`, and lets it wait for a block.
    borrowing func waiting(_ amount: String, more: [String]) throws -> (command: RunningProgram, hash: String) {
        let command = try wallet.fueki.start(
            words(["send", wallet.name, "--to", Self.bob, "--amount", amount, "--wait"] + more))
        // The command closes the book for the wait.
        var hash: String?
        try Patience.block(for: "a payment that is noted as sent") {
            if let sent = try? history().last, sent.state == "sent" { hash = sent.id }
            // Each look at the history is a program that takes the processor from the one that is waited for.
            if hash == nil, command.ends(withinMilliseconds: 200) {
                throw Program.Failure.failed(program: "fueki", status: 0, errors: "no wait")
            }
            return hash != nil
        }
        return (command, try #require(hash))
    }

    /// Runs `fueki send`, and expects success.
    borrowing func sent(_ amount: String, to payee: String = bob, _ more: String...) throws -> Outcome {
        try outcome(wallet.fueki.run(words(["send", wallet.name, "--to", payee, "--amount", amount] + more)))
    }

    /// A false proxy before the node.
    borrowing func liar(_ lies: [String: LyingNode.Lie]) throws -> FakeNode {
        guard let port = node.url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw CocoaError(.coderInvalidValue)
        }
        return try LyingNode.before(port, lies)
    }

    /// Runs a signing command.
    borrowing func run(_ command: [String]) throws -> Program.Outcome { try wallet.fueki.run(words(command)) }

    /// Runs `fueki speed-up` or `fueki cancel`.
    borrowing func replace(_ command: String, _ hash: String, _ more: String...) throws -> Program.Outcome {
        try wallet.fueki.run(words([command, wallet.name, hash] + more))
    }

    func outcome(
        _ ended: Program.Outcome, _ location: SourceLocation = #_sourceLocation
    ) throws -> Outcome {
        try #require(ended.isSuccess, "\(ended.errors)", sourceLocation: location)
        return try JSONDecoder().decode(Outcome.self, from: Data(ended.output.utf8))
    }

    /// Expects this failure of a command.
    func expect(
        _ ended: Program.Outcome, _ status: Int32, _ code: String, _ words: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(ended.status == status, "\(ended.errors)", sourceLocation: location)
        let refusal = try JSONDecoder().decode(Refusal.self, from: Data(ended.errors.utf8))
        #expect(refusal.error.code == code, "\(ended.errors)", sourceLocation: location)
        #expect(words.isEmpty || refusal.error.message.contains(words), "\(ended.errors)", sourceLocation: location)
        #expect(ended.output.isEmpty, sourceLocation: location)
    }

    struct Entry: Decodable {
        let state: String
        let id: String?
    }

    /// Returns the entries of `fueki history`, with `--refresh` if required.
    borrowing func history(asking: Bool = false) throws -> [Entry] {
        try wallet.fueki.json(
            ["history", wallet.name, "--chain", chain, "--passphrase-file", "passphrase"]
                + (asking ? ["--node", node.url] : []))
    }

    /// Gives the wallet a policy.
    borrowing func setPolicy(_ policy: String) throws {
        try wallet.fueki.folder.write(policy, to: "policy.json")
        let set = try wallet.fueki.run(
            "policy", "set", wallet.name, "policy.json", "--yes", "--passphrase-file", "passphrase")
        #expect(set.isSuccess, "\(set.errors)")
    }

    // MARK: - The node

    /// A balance in wei.
    borrowing func balance(of address: String) throws -> Decimal {
        Self.number(try node.ask("eth_getBalance", "\"\(address)\", \"latest\""))
    }

    /// A token balance, in its smallest unit.
    borrowing func balance(of address: String, token: String) throws -> Decimal {
        let data = "0x70a08231" + String(repeating: "0", count: 24) + address.dropFirst(2).lowercased()
        return Self.number(try node.ask("eth_call", "{\"to\": \"\(token)\", \"data\": \"\(data)\"}, \"latest\""))
    }

    /// Deploys a token of 6 decimals, with this balance of the account.
    borrowing func token(_ units: Int) throws -> String {
        let token: String = try node.ask("evm_deploy", "\"\(try EVMNode.tokenCode())\"")
        let amount = String(units, radix: 16)
        let data =
            "0xa9059cbb" + String(repeating: "0", count: 24) + account.dropFirst(2).lowercased()
            + String(repeating: "0", count: 64 - amount.count) + amount
        try node.tell("evm_execute", "\"\(token)\", \"\(data)\"")
        return token
    }

    borrowing func mine() throws { try node.tell("evm_mine") }

    /// Returns how often the node was asked.
    borrowing func asked(_ method: String) throws -> Int {
        try node.ask("evm_asked", "\"\(method)\"", as: Counted.self).value
    }

    /// Returns the transactions in the node's pool, in hexadecimal without `0x`.
    borrowing func raw(_ hash: String) throws -> String {
        String(try node.ask("eth_getRawTransactionByHash", "\"\(hash)\"").dropFirst(2))
    }

    /// Returns the cost of a mined transaction in wei, and whether it succeeded.
    borrowing func receipt(_ hash: String) throws -> (fee: Decimal, isSuccess: Bool) {
        let receipt = try node.ask("eth_getTransactionReceipt", "\"\(hash)\"", as: Receipt.self)
        return (
            Self.number(receipt.gasUsed) * Self.number(receipt.effectiveGasPrice), receipt.status == "0x1"
        )
    }

    static func number(_ hexadecimal: String) -> Decimal {
        hexadecimal.dropFirst(2).reduce(Decimal(0)) { $0 * 16 + Decimal($1.hexDigitValue ?? 0) }
    }

    static func ether(_ text: String) -> Decimal { (Decimal(string: text) ?? 0) * 1_000_000_000_000_000_000 }

    private struct Counted: Decodable {
        let value: Int
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            value = Int(text.dropFirst(2), radix: 16) ?? 0
        }
    }
}
