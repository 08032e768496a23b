internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Foundation
internal import Nodes
internal import Terminal
internal import Wallet

/// Which node is asked, and how it is known to be the right one.
struct NodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The node: 'http://127.0.0.1:8332' (default: $FUEKI_BITCOIN_NODE, or $FUEKI_ETHEREUM_NODE).",
            discussion: """
                A user and a password may stand before the host, 'https://user:password@node.example'. Every program on \
                this machine can read the arguments of a command: with a password, use the variable or --cookie-file.
                """,
            valueName: "url"))
    var node: String?

    @Option(
        help: ArgumentHelp("The cookie file of Bitcoin Core, in place of a user and a password.", valueName: "file"),
        completion: .file())
    var cookieFile: String?

    @Option(
        help: ArgumentHelp(
            "Certificates (PEM) that may vouch for the node, in place of the system's.", valueName: "file"),
        completion: .file())
    var nodeCa: String?

    @Flag(help: "The node is an explorer of Bitcoin with Esplora's interface. It sees which addresses are yours.")
    var esplora = false

    @Option(help: ArgumentHelp("How long an answer of the node may take.", valueName: "seconds"))
    var nodeTimeout: UInt16 = 30

    func validate() throws {
        guard (1...3_600).contains(nodeTimeout) else { throw ValidationError("--node-timeout is 1 to 3600") }
    }

    /// The node of Bitcoin, on the wallet's network.
    func bitcoin(for wallet: WalletRecord) async throws(Failure) -> any BitcoinChain {
        let (network, address) = (wallet.network, try address(on: .bitcoin))
        let transport = try transport()
        return try await attempt { () async throws(NodeError) -> any BitcoinChain in
            esplora
                ? try await EsploraNode(at: address, on: network, over: transport, patience)
                : try await BitcoinNode(at: address, on: network, over: transport, patience)
        }
    }

    /// The node of Ethereum, on this chain.
    func ethereum(chain: ChainID) async throws(Failure) -> EthereumNode {
        if esplora { throw .usage("--esplora is for Bitcoin") }
        let address = try address(on: .ethereum(chain))
        let transport = try transport()
        return try await attempt { () async throws(NodeError) in
            try await EthereumNode(at: address, on: chain, over: transport, patience)
        }
    }

    /// Whether there is a node to ask.
    func isGiven(for chain: ChainOption.Name) -> Bool {
        node != nil || Self.named(by: Self.variable(of: chain)) != nil
    }

    /// Where the node is: scheme, host and port, and nothing that is secret.
    func name(for chain: ChainOption.Name) -> String? {
        let text = node ?? Self.named(by: Self.variable(of: chain))
        return text.flatMap { try? NodeAddress($0) }?.description
    }

    static func variable(of chain: ChainOption.Name) -> String {
        chain == .bitcoin ? "FUEKI_BITCOIN_NODE" : "FUEKI_ETHEREUM_NODE"
    }

    private var patience: RetryPolicy { RetryPolicy(answerTimeout: .seconds(nodeTimeout), clock: ContinuousClock()) }

    private func address(on chain: ChainOption.Name) throws(Failure) -> NodeAddress {
        let variable = Self.variable(of: chain)
        guard let text = node ?? Self.named(by: variable) else {
            throw .usage("no node is named", hint: "use --node URL, or set $\(variable)")
        }
        guard let cookieFile else { return try attempt { () throws(NodeError) in try NodeAddress(text) } }
        let credentials = try attempt(on: cookieFile) { () throws(NodeError) in
            try Credentials(cookieFile: cookieFile)
        }
        return try attempt { () throws(NodeError) in try NodeAddress(text, credentials: credentials) }
    }

    private func transport() throws(Failure) -> HTTPClientTransport {
        let roots: [UInt8]?
        if let nodeCa { roots = try InputFile.read(nodeCa) } else { roots = nil }
        do throws(NodeError) {
            return try HTTPClientTransport(userAgent: "fueki/\(Version.text)", roots: roots)
        } catch {
            throw Failure(
                code: .malformed, name: "no_certificates", message: "\(nodeCa ?? "") holds no certificates (PEM)")
        }
    }

    private static func named(by variable: String) -> String? {
        let text = ProcessInfo.processInfo.environment[variable]
        return text?.isEmpty == false ? text : nil
    }
}
