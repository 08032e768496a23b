internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Foundation
internal import Nodes
internal import PinnedHTTP
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

/// The rules of the connection to a command's node: certificates, pins, a proxy, and encryption.
struct NodeConnectionOptions: ParsableArguments {
    @Option(file: "Certificates (PEM) of the authorities that may sign the node's, in place of the system's.")
    var nodeCa: String?

    @Option(
        help: ArgumentHelp(
            "The pin of a key in the node's chain of certificates, 'sha256/…'; at least two, one of them of a spare key.",
            discussion: """
                The node is reached only if one of its keys is pinned. 'none' is for no pins, whatever is set.
                """,
            valueName: "pin"))
    var nodePin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A pin policy with the pins of the node's host, in place of --node-pin; 'none' for no pins.",
            discussion: """
                A file as in docs/formats/pins.md, which 'fueki pins check' checks. A node whose pins have expired there is \
                not reached, and nothing is reached if the file cannot be read.
                """,
            valueName: "file"),
        completion: .file(extensions: ["json"]))
    var nodePins: String?

    @Option(
        help: ArgumentHelp(
            "A SOCKS5 proxy to the node, for example Tor's: 'socks5://127.0.0.1:9050'; 'none' for a direct connection.",
            discussion: """
                With 'user:password@' before the host Tor uses a circuit of its own. Nodes on this machine are reached \
                directly.
                """,
            valueName: "url"))
    var nodeProxy: String?

    @Flag(
        help:
            "Use the node also if it is on another machine and its address begins with 'http://': on the way its answers can be read and changed."
    )
    var allowHttp = false

    /// Whether an option is given that makes sense only with a node.
    var isGiven: Bool { nodeCa != nil || !nodePin.isEmpty || nodePins != nil || nodeProxy != nil || allowHttp }

    /// Returns a client for a node.
    func client(
        to address: NodeAddress, on chain: ChainName, _ wallet: WalletRecord?
    ) throws(Failure) -> PinnedClient {
        let settings = try Settings.checked(in: GlobalOptions.home(in: CommandLine.arguments))
        func text(_ option: String?, _ variable: NodeVariable, _ key: Settings.Key) -> String? {
            let text = option ?? variable.value(of: chain) ?? settings.value(of: key, for: wallet?.name)
            return text == Self.none ? nil : text
        }
        let pins = try pins(of: address, on: chain, settings, wallet?.name)
        let proxy = try text(nodeProxy, .proxy, .nodeProxy(chain)).map(SOCKSProxy.named)
        let hosts = text(allowHttp ? address.origin.host : nil, .allowHTTP, .allowHTTP(chain))
        let roots = try TrustRoots.named(nodeCa)
        return try attempt { () throws(NodeError) in
            let connection = NodeConnection(
                pins: pins, roots: roots, proxy: proxy,
                unencryptedHosts: try hosts.map { text throws(NodeError) in try NodeConnection.hosts(in: text) } ?? [])
            return try connection.client(to: address, userAgent: "fueki/\(Version.text)") { .now }
        }
    }

    /// Reads the pins that the options, the environment or the settings name, in this order of precedence.
    private func pins(
        of address: NodeAddress, on chain: ChainName, _ settings: Settings, _ wallet: WalletName?
    ) throws(Failure) -> PinPolicy {
        func given(_ wallet: WalletName?) -> NodePins.Given {
            .init(
                keys: settings[Settings.Name(.nodePin(chain), of: wallet)],
                file: settings[Settings.Name(.nodePins(chain), of: wallet)])
        }
        let source = try attempt { () throws(NodeError) in
            try NodePins(firstOf: [
                .init(keys: nodePin.isEmpty ? nil : nodePin.joined(separator: " "), file: nodePins),
                .init(keys: NodeVariable.pins.value(of: chain), file: NodeVariable.pinPolicy.value(of: chain)),
                wallet.map(given) ?? .init(keys: nil, file: nil), given(nil),
            ])
        }
        switch source {
        case .none: return .none
        case .keys(let text):
            return try attempt { () throws(NodeError) in
                try NodeConnection.pins(try NodeConnection.pins(in: text), of: address)
            }
        case .file(let path):
            let bytes = try InputFile.read(path)
            return try attempt(on: path) { () throws(NodeError) in try NodePins.policy(decoding: bytes) }
        }
    }

    private static let none = NodePins.noneWord
}

/// A variable of the environment about nodes. There is one for Bitcoin, and one for all other chains.
enum NodeVariable: String {
    case node = "NODE"
    case pins = "NODE_PIN"
    case pinPolicy = "NODE_PINS"
    case proxy = "NODE_PROXY"
    case allowHTTP = "ALLOW_HTTP"

    /// Returns the variable's name.
    func name(of chain: ChainName) -> String { "FUEKI_\(chain == .bitcoin ? "BITCOIN" : "ETHEREUM")_\(rawValue)" }

    /// Returns the variable's value; nil if it is empty.
    func value(of chain: ChainName) -> String? {
        let text = ProcessInfo.processInfo.environment[name(of: chain)]
        return text?.isEmpty == false ? text : nil
    }
}
