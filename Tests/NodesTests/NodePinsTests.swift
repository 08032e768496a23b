import PinnedHTTP
import TestSupport
import Testing

@testable import Nodes

@Suite("The pins of a node")
struct NodePinsTests {
    @Test("the first place that names pins decides, and 'none' names none")
    func precedence() throws {
        let nothing = NodePins.Given(keys: nil, file: nil)
        let (keys, file) = (NodePins.Given(keys: "sha256/…", file: nil), NodePins.Given(keys: nil, file: "pins.json"))
        #expect(try NodePins(firstOf: []) == .none)
        #expect(try NodePins(firstOf: [nothing, nothing]) == .none)
        #expect(try NodePins(firstOf: [nothing, keys, file]) == .keys("sha256/…"))
        #expect(try NodePins(firstOf: [file, keys]) == .file("pins.json"))
        #expect(try NodePins(firstOf: [.init(keys: "none", file: nil), file]) == .none)
        #expect(try NodePins(firstOf: [.init(keys: nil, file: "none"), keys]) == .none)
    }

    @Test("a place that names both pins and a policy is refused, unless a stronger place decides")
    func conflict() throws {
        let both = NodePins.Given(keys: "none", file: "pins.json")
        #expect(throws: NodeError.badConnection(.keysAndPolicy)) { try NodePins(firstOf: [both]) }
        #expect(try NodePins(firstOf: [.init(keys: "none", file: nil), both]) == .none)
    }

    @Test("a malformed policy is an error, and never a policy without pins")
    func malformed() {
        for text in ["", "{}", "sha256/AAAA", #"{"format":2,"serial":1,"unpinned":"allow","hosts":[]}"#] {
            #expect {
                try NodePins.policy(decoding: Array(text.utf8))
            } throws: { error in
                if case .badConnection(.policy) = error as? NodeError { true } else { false }
            }
        }
    }

    @Test("with a policy the node's pinned key is required, and nothing is sent after the expiry")
    func policy() async throws {
        let authority = try CertificateAuthority()
        let root = try authority.root("Root")
        let leaf = try authority.server(["DNS:localhost"], by: root)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        let server = try RecordingServer(authority, chain: [leaf], answer: answer)
        let address = try NodeAddress("https://localhost:\(server.port)")
        let spare = "sha256/" + String(repeating: "A", count: 43) + "="
        func ask(_ pin: String, expires: String = "2999-01-01T00:00:00Z") async throws(NodeError) {
            let text = """
                {"format":1,"serial":1,"unpinned":"refuse","hosts":
                [{"host":"localhost","pins":["\(pin)"],"backups":["\(spare)"],"expires":"\(expires)"}]}
                """
            var connection = NodeConnection.usual(roots: TrustRoots(pem: Array(root.pem.utf8)) ?? .system)
            connection.pins = try NodePins.policy(decoding: Array(text.utf8))
            let request = NodeRequest(
                method: .post(Array("a payment".utf8), type: "application/json", .never),
                timeout: .seconds(Patience.seconds))
            let client = try connection.client(to: address)
            do throws(NodeRequest.Unanswered) { _ = try await request.send(to: address, over: client) } catch {
                throw error.error
            }
        }
        let stranger = try authority.root("Stranger")
        await #expect {
            try await ask(stranger.pin)
        } throws: { error in
            if case .notPinned(.unknownKeys) = error as? NodeError { true } else { false }
        }
        await #expect(throws: NodeError.notPinned(.pinsExpired)) {
            try await ask(leaf.pin, expires: "2020-01-01T00:00:00Z")
        }
        #expect(try server.application.isEmpty)
        try await ask(leaf.pin)
        #expect(try server.application.contains("a payment"))
    }
}
