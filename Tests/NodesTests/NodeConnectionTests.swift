import PinnedHTTP
import TestSupport
import Testing

@testable import Nodes

@Suite("The connection to a node", .timeLimit(.minutes(20)))
struct NodeConnectionTests {
    /// The chain height of an answer to every question.
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    private static let spare = "sha256/" + String(repeating: "A", count: 43) + "="

    private func pins(_ texts: String..., at address: NodeAddress) throws -> PinPolicy {
        try NodeConnection.pins(NodeConnection.pins(in: texts.joined(separator: " ")), of: address)
    }

    private func ask(_ address: NodeAddress, _ connection: NodeConnection) async throws(NodeError) {
        let request = NodeRequest(
            method: .post(Array("a payment".utf8), type: "application/json", .never),
            timeout: .seconds(Patience.seconds))
        let client = try connection.client(to: address)
        do throws(NodeRequest.Unanswered) { _ = try await request.send(to: address, over: client) } catch {
            #expect(!error.mayHaveArrived)
            throw error.error
        }
    }

    // MARK: - Certificates and pins

    @Test(
        "a certificate of an unknown authority is refused; the same one works where the user trusts it, for its name only"
    )
    func certificates() async throws {
        let server = try HTTPSServer(name: "localhost")
        let address = try NodeAddress("https://localhost:\(server.port)")
        await #expect(throws: NodeError.untrusted(.unknownAuthority)) { try await ask(address, .usual()) }
        let roots = try #require(TrustRoots(pem: Array(server.certificate.utf8)))
        try await ask(address, .usual(roots: roots))
        let other = try NodeAddress("https://127.0.0.1:\(server.port)")
        await #expect(throws: NodeError.untrusted(.wrongName)) { try await ask(other, .usual(roots: roots)) }
    }

    @Test("with a pinned key the request arrives; with another one no byte of it leaves")
    func pins() async throws {
        let authority = try CertificateAuthority()
        let root = try authority.root("Root")
        let leaf = try authority.server(["DNS:localhost"], by: root)
        let server = try RecordingServer(authority, chain: [leaf], answer: Self.answer)
        let address = try NodeAddress("https://user:SECRET@localhost:\(server.port)")
        var connection = NodeConnection.usual(roots: try #require(TrustRoots(pem: Array(root.pem.utf8))))

        let stranger = try authority.root("Stranger")
        connection.pins = try pins(stranger.pin, Self.spare, at: address)
        await #expect {
            try await ask(address, connection)
        } throws: { error in
            guard case .notPinned(.unknownKeys(let served)) = error as? NodeError else { return false }
            return served.map(\.description) == [leaf.pin, root.pin]
        }
        #expect(try server.application.isEmpty)

        for pin in [leaf.pin, root.pin] {
            connection.pins = try pins(Self.spare, pin, at: address)
            try await ask(address, connection)
        }
        #expect(try server.application.contains("a payment"))
    }

    @Test("a node needs two different pins at least, and each is 32 bytes of Base64")
    func fewPins() throws {
        let address = try NodeAddress("https://node.example")
        let other = "sha256/" + String(repeating: "B", count: 42) + "A="
        #expect(throws: NodeError.badConnection(.pins(.noBackup))) { try pins(Self.spare, at: address) }
        #expect(throws: NodeError.badConnection(.pins(.repeatedPin))) { try pins(Self.spare, Self.spare, at: address) }
        for text in ["", " ", "sha256", "sha1/AAAA", Self.spare + "A", "\(Self.spare) x"] {
            #expect(throws: NodeError.badConnection(.notPins)) { try NodeConnection.pins(in: text) }
        }
        let policy = try pins("\(Self.spare),\(other)", at: address)
        #expect(policy.entry(for: "node.example")?.all.count == 2 && policy.entry(for: "other.example") == nil)
    }

    // MARK: - Without encryption

    @Test("http reaches this machine, allowed hosts, and onion services through a proxy; pins forbid it")
    func plain() throws {
        let proxy = try #require(SOCKSProxy(url: "socks5://127.0.0.1:9050"))
        func refusal(_ url: String, proxy: SOCKSProxy? = nil, allowing hosts: Set<String> = []) throws -> NodeError? {
            let address = try NodeAddress(url)
            let connection = NodeConnection(pins: .none, roots: .system, proxy: proxy, unencryptedHosts: hosts)
            do throws(NodeError) { _ = try connection.client(to: address) } catch { return error }
            return nil
        }
        for url in ["http://localhost", "http://127.0.0.1:8332", "http://[::1]:1", "https://node.example"] {
            #expect(try refusal(url) == nil, "\(url)")
        }
        for url in [
            "http://node.example", "http://192.168.1.5:8332", "http://127.0.0.1.evil.example", "http://[fd00::1]",
        ] {
            #expect(try refusal(url) == .badConnection(.notAllowed(.notEncrypted)), "\(url)")
            // A proxy's last server reads everything.
            #expect(try refusal(url, proxy: proxy) == .badConnection(.notAllowed(.notEncrypted)), "\(url)")
            #expect(
                try refusal(url, allowing: ["other.example"]) == .badConnection(.notAllowed(.notEncrypted)), "\(url)")
            #expect(try refusal(url, allowing: [NodeAddress(url).origin.host]) == nil, "\(url)")
        }
        for url in ["http://abcdef.onion", "https://abcdef.onion", "http://user:password@abcdef.onion"] {
            #expect(try refusal(url) == .badConnection(.notAllowed(.onionWithoutProxy)), "\(url)")
            #expect(try refusal(url, proxy: proxy) == nil, "\(url)")
        }
        let local = try NodeAddress("http://localhost")
        var connection = NodeConnection.usual()
        let other = "sha256/" + String(repeating: "B", count: 42) + "A="
        connection.pins = try pins(Self.spare, other, at: local)
        #expect(throws: NodeError.badConnection(.notAllowed(.pinsWithoutTLS))) { try connection.client(to: local) }
    }

    @Test("a policy that refuses hosts without pins refuses every node by http, also on this machine and through Tor")
    func pinsRequired() throws {
        let policy = try PinPolicy(serial: 1, unpinned: .refuse, hosts: [])
        let proxy = try #require(SOCKSProxy(url: "socks5://127.0.0.1:9050"))
        for url in ["http://localhost", "http://node.example", "http://abcdef.onion"] {
            let address = try NodeAddress(url)
            let connection = NodeConnection(
                pins: policy, roots: .system, proxy: proxy, unencryptedHosts: [address.origin.host])
            #expect(throws: NodeError.badConnection(.notAllowed(.pinsRequired))) { try connection.client(to: address) }
        }
    }

    @Test("a client for one node does not send to another one without encryption")
    func otherNode() async throws {
        let client = try NodeConnection.usual().client(to: try NodeAddress("https://node.example"))
        let request = NodeRequest(method: .get, timeout: .seconds(Patience.seconds))
        await #expect {
            try await request.send(to: try NodeAddress("http://other.invalid"), over: client)
        } throws: { ($0 as? NodeRequest.Unanswered)?.error == .badConnection(.notAllowed(.notEncrypted)) }
    }

    @Test("hosts are separated by spaces or commas")
    func hosts() throws {
        #expect(try NodeConnection.hosts(in: "Node.example, 192.168.1.5") == ["node.example", "192.168.1.5"])
        for text in ["", "http://node.example", "a b/c"] {
            #expect(throws: NodeError.badConnection(.notHosts)) { try NodeConnection.hosts(in: text) }
        }
    }

    // MARK: - Proxies

    @Test("the proxy connects to the name, with the user and the password; a node on this machine is reached directly")
    func proxy() async throws {
        let node = try FakeNode { _ in FakeNode.http("{}") }
        let server = try SOCKSServer(to: node.port)
        let proxy = try #require(SOCKSProxy(url: "socks5://wallet:p%40ss@127.0.0.1:\(server.port)"))
        let connection = NodeConnection(
            pins: .none, roots: .system, proxy: proxy, unencryptedHosts: ["node.invalid"])
        try await ask(try NodeAddress("http://abcdef.onion:8332"), connection)
        try await ask(try NodeAddress("http://node.invalid"), connection)
        #expect(
            try server.requests == [
                .init(kind: 3, host: "abcdef.onion", port: 8_332, user: "wallet", password: "p@ss"),
                .init(kind: 3, host: "node.invalid", port: 80, user: "wallet", password: "p@ss"),
            ])
        try await ask(try NodeAddress(node.url), connection)
        #expect(try server.requests.count == 2 && node.requests.count == 3)
    }
}
