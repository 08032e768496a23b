internal import Foundation
import TestSupport
import Testing

/// Payments over TLS to a real EVM: OpenSSL makes the certificates, and Python's TLS ends the connection.
@Suite(
    "A payment over TLS with pins",
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct PinnedNodeTests {
    private static let spare = "sha256/" + String(repeating: "A", count: 43) + "="
    private static let name = "node.test"

    /// An EVM behind TLS, with the certificate of an authority whose file the wallet's folder has.
    private struct Bench: ~Copyable {
        let evm: EthereumBench
        let root: CertificateAuthority.Issued
        let leaf: CertificateAuthority.Issued
        let stranger: CertificateAuthority.Issued
        let relay: TLSRelay
        var url: String { "https://localhost:\(relay.port)" }

        init() throws {
            let evm = try EthereumBench()
            let authority = try CertificateAuthority()
            let root = try authority.root("Root")
            let leaf = try authority.server(["DNS:localhost", "DNS:\(PinnedNodeTests.name)"], by: root)
            let stranger = try authority.root("Stranger")
            let port = try #require(evm.node.url.split(separator: ":").last.flatMap { UInt16($0) })
            let relay = try TLSRelay(to: port, authority, chain: [leaf])
            try evm.wallet.fueki.folder.write(root.pem, to: "root.pem")
            (self.root, self.leaf, self.stranger) = (root, leaf, stranger)
            self.evm = evm
            self.relay = relay
        }

        borrowing func send(_ options: [String], node: String? = nil) throws -> Program.Outcome {
            let order = ["send", evm.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth"]
            return try evm.wallet.fueki.run(
                evm.words(order + ["--node-ca", "root.pem"] + options, node: node ?? url))
        }

        /// Expects a refusal before any byte of the application has left.
        borrowing func expectNothingSent(
            _ options: [String], _ status: Int32, _ code: String, _ words: String = "", node: String? = nil,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            let before = try relay.application
            try evm.expect(try send(options, node: node), status, code, words, location)
            #expect(try relay.application == before, sourceLocation: location)
        }
    }

    @Test("a pinned key pays, of the server or of its authority; with another one nothing is sent")
    func pins() throws {
        let bench = try Bench()
        let wrong = ["--node-pin", bench.stranger.pin, "--node-pin", Self.spare]
        try bench.expectNothingSent(wrong, 69, "node_not_pinned", "nothing was sent")
        #expect(try bench.relay.application.isEmpty)
        #expect(try bench.evm.asked("eth_sendRawTransaction") == 0 && bench.evm.asked("eth_chainId") == 0)

        for (number, pin) in [bench.leaf.pin, bench.root.pin].enumerated() {
            let sent = try bench.evm.outcome(try bench.send(["--node-pin", pin, "--node-pin", Self.spare, "--again"]))
            #expect(sent.state == "sent" && sent.nonce == number)
            try bench.evm.mine()
        }
        #expect(try bench.evm.balance(of: EthereumBench.bob) == EthereumBench.ether("0.2"))
        #expect(try bench.evm.asked("eth_sendRawTransaction") == 2)
        #expect(try bench.relay.application.contains("eth_sendRawTransaction"))
    }

    @Test("pins of the settings hold for every command; the variable and the option take precedence")
    func settings() throws {
        let bench = try Bench()
        func set(_ value: String) throws {
            let ended = try bench.evm.wallet.fueki.run("config", "set", "node-pin.\(EthereumBench.chain)", value)
            #expect(ended.isSuccess, "\(ended.errors)")
        }
        try set("\(bench.stranger.pin) \(Self.spare)")
        try bench.expectNothingSent([], 69, "node_not_pinned")
        // A node of http has no key.
        try bench.expectNothingSent([], 2, "node_not_encrypted", node: "http://localhost:\(bench.relay.port)")
        let sent = try bench.send(["--node-pin", bench.leaf.pin, "--node-pin", Self.spare])
        #expect(sent.isSuccess, "\(sent.errors)")
        try bench.evm.mine()
        let unpinned = try bench.send(["--node-pin", "none", "--again"])
        #expect(unpinned.isSuccess, "\(unpinned.errors)")
        try bench.evm.mine()
        try set("\(bench.leaf.pin) \(Self.spare)")
        let third = try bench.send(["--again"])
        #expect(third.isSuccess, "\(third.errors)")
        #expect(try bench.evm.asked("eth_sendRawTransaction") == 3)
    }

    @Test("a certificate for another name is refused before a request")
    func otherName() throws {
        let bench = try Bench()
        try bench.expectNothingSent(
            [], 69, "node_untrusted", "it is for another name", node: "https://127.0.0.1:\(bench.relay.port)")
    }

    @Test("through a proxy the name is not looked up here, and the pins hold")
    func proxy() throws {
        let bench = try Bench()
        let proxy = try SOCKSServer(to: bench.relay.port)
        let options = ["--node-proxy", "socks5://wallet:circuit@127.0.0.1:\(proxy.port)"]
        let wrong = options + ["--node-pin", bench.stranger.pin, "--node-pin", Self.spare]
        try bench.expectNothingSent(wrong, 69, "node_not_pinned", node: "https://\(Self.name)")
        let right = options + ["--node-pin", bench.leaf.pin, "--node-pin", Self.spare]
        let sent = try bench.send(right, node: "https://\(Self.name)")
        #expect(sent.isSuccess, "\(sent.errors)")
        try bench.evm.mine()
        #expect(try bench.evm.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
        let requests = try proxy.requests
        #expect(requests.count > 1)
        for request in requests {
            #expect(request == .init(kind: 3, host: Self.name, port: 443, user: "wallet", password: "circuit"))
        }
    }
}
