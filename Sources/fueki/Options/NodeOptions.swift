internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Files
internal import Foundation
internal import Nodes
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

/// The node of a command, the credentials for it, and the rules of the connection.
struct NodeOptions: SecretFileOptions {
    @Option(
        help: .value(
            "url",
            "The node, 'https://user:password@node.example' (default: $FUEKI_BITCOIN_NODE or $FUEKI_ETHEREUM_NODE, 'fueki "
                + "config', or Bitcoin Core on this machine). Other programs can read a password here: use a variable or "
                + "--cookie-file."))
    var node: String?

    @Option(file: "Bitcoin Core's cookie file, in place of a password (default: the one in its usual folder).")
    var cookieFile: String?

    @OptionGroup(visibility: .hidden) var connection: NodeConnectionOptions

    @Flag(help: "The node is an explorer (Esplora, Bitcoin). It sees which addresses are yours.")
    var esplora = false

    @Option(help: .value("seconds", "The longest wait for an answer of the node.", visibility: .hidden))
    var nodeTimeout: UInt16 = 30

    /// The cookie file. Its group may read it: operators can configure Bitcoin Core to permit that.
    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: cookieFile, others: .all)] }

    func validate() throws {
        guard (1...3_600).contains(nodeTimeout) else { throw ValidationError("--node-timeout is 1 to 3600") }
    }

    /// Returns the Bitcoin node, on the wallet's network.
    func bitcoin(for wallet: WalletRecord) async throws(Failure) -> any BitcoinChain {
        let network = wallet.network
        let address = try address(of: choice(on: .bitcoin, wallet))
        let transport = try connection.client(to: address, on: .bitcoin, wallet)
        return try await attempt { () async throws(NodeError) -> any BitcoinChain in
            esplora
                ? try await EsploraNode(at: address, on: network, over: transport, patience)
                : try await BitcoinNode(at: address, on: network, over: transport, patience)
        }
    }

    /// Returns the Ethereum node, on this chain.
    func ethereum(chain: ChainID, for wallet: WalletRecord) async throws(Failure) -> EthereumNode {
        if esplora { throw .usage("--esplora is for Bitcoin") }
        let address = try address(of: choice(on: .ethereum(chain), wallet))
        let transport = try connection.client(to: address, on: .ethereum(chain), wallet)
        return try await attempt { () async throws(NodeError) in
            try await EthereumNode(at: address, on: chain, over: transport, patience)
        }
    }

    /// Returns whether a node is configured for the chain.
    func isGiven(for chain: ChainName, _ wallet: WalletRecord) -> Bool {
        do throws(Failure) {
            _ = try choice(on: chain, wallet)
            return true
        } catch {
            // An error in the settings is reported when the node is queried.
            return error.code != .usage
        }
    }

    /// Returns the node's scheme, host and port, without credentials.
    func name(for chain: ChainName, _ wallet: WalletRecord?) -> String? {
        (try? choice(on: chain, wallet))?.name
    }

    /// Returns these options, without the options for Bitcoin nodes if the chain is not Bitcoin: only Bitcoin Core may
    /// receive its cookie.
    func meant(for chain: ChainName) -> NodeOptions {
        var options = self
        if chain != .bitcoin { (options.cookieFile, options.esplora) = (nil, false) }
        return options
    }

    static func variable(of chain: ChainName) -> String { NodeVariable.node.name(of: chain) }

    private var patience: NodeRetryPolicy {
        NodeRetryPolicy(answerTimeout: .seconds(nodeTimeout), clock: ContinuousClock())
    }

    /// Returns the node that the option, the environment variable or the settings name, in this order of precedence.
    /// Otherwise returns Bitcoin Core on this machine, if its cookie exists.
    private func choice(on chain: ChainName, _ wallet: WalletRecord?) throws(Failure) -> NodeChoice {
        let settings = try Settings.checked(in: GlobalOptions.home(in: CommandLine.arguments))
        let url =
            node ?? NodeVariable.node.value(of: chain) ?? settings.value(of: .node(chain), for: wallet?.name)
        let choice: NodeChoice?
        if chain == .bitcoin, !esplora {
            let home = ProcessInfo.processInfo.environment["HOME"] ?? "."
            choice = try attempt { () throws(NodeError) in
                try NodeChoice(
                    bitcoin: url, cookieFile: cookieFile, usual: settings.value(of: .cookieFile, for: wallet?.name),
                    core: wallet.flatMap { LocalBitcoinCore.find(for: $0.network, home: home) })
            }
        } else {
            choice = url.map { NodeChoice(other: $0, cookieFile: cookieFile) }
        }
        if let choice { return choice }
        throw .usage(
            "no node is named",
            hint:
                "use --node URL, set $\(Self.variable(of: chain)), or 'fueki config set \(Settings.Key.node(chain).text) URL'"
        )
    }

    private func address(of choice: NodeChoice) throws(Failure) -> NodeAddress {
        guard let cookieFile = choice.cookieFile else {
            return try attempt { () throws(NodeError) in try NodeAddress(choice.url) }
        }
        let credentials = try attempt(on: cookieFile) { () throws(NodeError) in
            try Credentials(cookieFile: cookieFile)
        }
        return try attempt { () throws(NodeError) in try NodeAddress(choice.url, credentials: credentials) }
    }
}

extension GlobalOptions {
    /// Returns the unit in which the wallet's amounts are shown.
    func unit(for wallet: WalletRecord) throws(Failure) -> BitcoinUnit {
        try Settings.checked(in: walletHome).unit(for: wallet.name)
    }
}
