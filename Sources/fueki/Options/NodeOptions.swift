internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Foundation
internal import HDKeys
internal import Nodes
internal import Terminal
internal import Wallet

/// Which node is asked, and how it is known to be the right one.
struct NodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The node: 'http://127.0.0.1:8332' (default: $FUEKI_BITCOIN_NODE or $FUEKI_ETHEREUM_NODE, 'fueki config', or "
                + "Bitcoin Core on this machine).",
            discussion: """
                A user and a password may stand before the host, 'https://user:password@node.example'. Every program on \
                this machine can read the arguments of a command: with a password, use the variable or --cookie-file.
                """,
            valueName: "url"))
    var node: String?

    @Option(
        help: ArgumentHelp(
            "The cookie file of Bitcoin Core, in place of a user and a password (default: found in its usual folder).",
            valueName: "file"),
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
        let network = wallet.network
        let address = try address(of: place(on: .bitcoin, network))
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
        let address = try address(of: place(on: .ethereum(chain), nil))
        let transport = try transport()
        return try await attempt { () async throws(NodeError) in
            try await EthereumNode(at: address, on: chain, over: transport, patience)
        }
    }

    /// Whether there is a node to ask.
    ///
    /// - Parameter network: the wallet's.
    func isGiven(for chain: ChainOption.Name, _ network: Network) -> Bool {
        do throws(Failure) {
            _ = try place(on: chain, network)
            return true
        } catch {
            // What is wrong with the settings is told when the node is asked.
            return error.code != .usage
        }
    }

    /// Where the node is: scheme, host and port, and nothing that is secret.
    func name(for chain: ChainOption.Name, _ network: Network?) -> String? {
        (try? place(on: chain, network)).flatMap { try? NodeAddress($0.url) }?.description
    }

    static func variable(of chain: ChainOption.Name) -> String {
        chain == .bitcoin ? "FUEKI_BITCOIN_NODE" : "FUEKI_ETHEREUM_NODE"
    }

    private var patience: RetryPolicy { RetryPolicy(answerTimeout: .seconds(nodeTimeout), clock: ContinuousClock()) }

    /// Where a node is, and the cookie that opens it.
    private struct Place {
        let url: String
        let cookieFile: String?
    }

    /// The node that is named: by the option, the variable, the settings; else Bitcoin Core on this machine, if its cookie is there.
    private func place(on chain: ChainOption.Name, _ network: Network?) throws(Failure) -> Place {
        let settings = try Settings.read(in: GlobalOptions.home(in: CommandLine.arguments))
        let mayBeCore = chain == .bitcoin && !esplora
        let found = mayBeCore ? network.flatMap { LocalBitcoinCore.find(for: $0, home: Self.personalFolder) } : nil
        if let url = node ?? Self.named(by: Self.variable(of: chain)) ?? settings[.node(chain)] {
            guard cookieFile == nil, mayBeCore else { return Place(url: url, cookieFile: cookieFile) }
            return Place(url: url, cookieFile: try cookie(for: url, settings[.cookieFile], found))
        }
        if let found {
            return Place(url: found.address, cookieFile: cookieFile ?? settings[.cookieFile] ?? found.cookieFile)
        }
        throw .usage(
            "no node is named",
            hint:
                "use --node URL, set $\(Self.variable(of: chain)), or 'fueki config set \(Settings.Key.node(chain).text) URL'"
        )
    }

    /// The cookie for a node on this machine whose address holds no password: the one that is set, or the one in the usual folder if
    /// the node has the usual port. No other node gets one.
    private func cookie(
        for url: String, _ set: String?, _ found: LocalBitcoinCore?
    ) throws(Failure) -> String? {
        let address = try attempt { () throws(NodeError) in try NodeAddress(url) }
        guard address.isLocal, !address.hasCredentials else { return nil }
        if let set { return set }
        let usual = found.flatMap { try? NodeAddress($0.address) }
        return usual?.port == address.port ? found?.cookieFile : nil
    }

    private func address(of place: Place) throws(Failure) -> NodeAddress {
        guard let cookieFile = place.cookieFile else {
            return try attempt { () throws(NodeError) in try NodeAddress(place.url) }
        }
        let credentials = try attempt(on: cookieFile) { () throws(NodeError) in
            try Credentials(cookieFile: cookieFile)
        }
        return try attempt { () throws(NodeError) in try NodeAddress(place.url, credentials: credentials) }
    }

    private static var personalFolder: String { ProcessInfo.processInfo.environment["HOME"] ?? "." }

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
