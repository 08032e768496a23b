internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import HTTPTypes
internal import HummingbirdTesting
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("The log of requests")
struct RequestLogTests {
    private static let id = HTTPField.Name("X-Request-Id")

    @Test("every request has a line with its route, status, size, client and the id of its answer")
    func lines() async throws {
        try await TestServer.with { server in
            let phone = server.device()
            try await phone.signUp(with: server.authenticator())
            let name = try #require(Self.id)
            let page = try await server.send(.get, "/?secret=1")
            let head = try await server.send(.head, "/healthz")
            let lost = try await server.send(.get, "/clients-own-path")
            let refused = try await server.send(.get, "/api/auth/session")
            let last = server.log.records.suffix(4).map { $0 }
            #expect(last.map(\.route) == ["/", "/healthz", "NotFound", "/api/auth/session"])
            #expect(last.map(\.method) == ["GET", "HEAD", "GET", "GET"])
            #expect(last.map(\.status) == [200, 200, 404, 401])
            #expect(last.map(\.bytes) == [page.body.count, 0, lost.body.count, refused.body.count])
            #expect(last.map(\.code) == [nil, nil, "not_found", "invalid_token"])
            #expect(last.allSatisfy { $0.address == TestServer.peer && $0.limit == nil && $0.microseconds >= 0 })
            for (answer, record) in zip([page, head, lost, refused], last) {
                #expect(answer.headers[values: name] == [record.id])
            }
            #expect(Set(server.log.records.map(\.id)).count == server.log.records.count)
            // The security events of a request have its id as well.
            let registration = try #require(server.log.records.first { $0.route == "/api/auth/passkey/register" })
            let line = server.log.text.split(separator: "\n").first { $0.contains("account_created") }
            #expect(line?.contains(registration.id) == true)
        }
    }

    @Test("the limit that refused a request is logged and counted, and is not in the answer")
    func limits() async throws {
        let few: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.address = ServerConfiguration.LimitSettings.Bucket(burst: 2, perMinute: 1)
            $0.metricsAddresses = [TestServer.peer]
        }
        try await TestServer.with(changing: few) { server in
            let phone = server.device()
            for _ in 0..<2 { _ = try? await phone.signInOptions() }
            await #expect(throws: Problem(.rateLimited, retryAfter: 60)) { _ = try await phone.signInOptions() }
            let record = try #require(server.log.records.last)
            #expect(record.status == 429)
            #expect(record.code == "rate_limited")
            #expect(record.limit == "address")
            let metrics = try await server.send(.get, "/metrics").text
            #expect(metrics.contains("fuekid_limit_refusals_total{limit=\"address\"} 1\n"))
        }
    }

    @Test("an answer to a server error has the request id in its body, and the error's log line has the same id")
    func faults() async throws {
        try await TestServer.with { server in
            await server.database.close()
            let answer = try await server.send(.get, "/readyz")
            #expect(answer.status == 503)
            let id = try #require(try JSON(decoding: answer.body)["request_id"]?.string)
            #expect(answer.headers[try #require(Self.id)] == id)
            let record = try #require(server.log.records.last)
            #expect(record.id == id && record.code == "unavailable")
            let line = server.log.text.split(separator: "\n").first { $0.contains("request failed") }
            #expect(line?.contains(id) == true)
            // For a client's mistake the body contains no request id.
            #expect(try JSON(decoding: try await server.send(.get, "/x").body)["request_id"] == nil)
        }
    }

    @Test("a trusted proxy's request id is used if it is harmless, and no other client's")
    func givenIDs() async throws {
        let name = try #require(Self.id)
        let harmless = ["a", "6f1e-0c", String(repeating: "Z", count: 64)]
        let harmful = ["", "a b", "a\"b", "é", "a_b", String(repeating: "Z", count: 65), "a,b"]
        for text in harmless { #expect(RequestIDs.isTakenOver(text)) }
        for text in harmful { #expect(!RequestIDs.isTakenOver(text), "\(text)") }
        try await TestServer.with(changing: { $0.transport = .behindProxy(addresses: [TestServer.peer]) }) { server in
            for text in harmless {
                let headers: HTTPFields = [name: text, .xForwardedFor: "203.0.113.7"]
                let answer = try await server.send(.get, "/healthz", headers: headers)
                #expect(answer.headers[name] == text)
                #expect(server.log.records.last?.id == text)
            }
            let two = "203.0.113.7"
            let answer = try await server.send(.get, "/healthz", headers: [name: "a b", .xForwardedFor: two])
            #expect(answer.headers[name] != "a b")
        }
        try await TestServer.with { server in
            let answer = try await server.send(.get, "/healthz", headers: [name: "abc"])
            #expect(answer.headers[name] != "abc")
        }
    }

    @Test(
        "the line has as much of the client's address as the operator wants",
        arguments: [
            (.network, "203.0.113.7", "203.0.113.7"), (.network, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            (.full, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"), (.none, "203.0.113.7", nil),
        ] as [(LogAddresses, String, String?)])
    func addresses(_ setting: LogAddresses, _ client: String, _ shown: String?) async throws {
        let change: @Sendable (inout ServerConfiguration) -> Void = {
            $0.transport = .behindProxy(addresses: [TestServer.peer])
            $0.logAddresses = setting
        }
        try await TestServer.with(changing: change) { server in
            _ = try await server.send(.get, "/healthz", headers: [.xForwardedFor: client])
            #expect(server.log.records.last?.address == shown)
            if shown == nil { #expect(!server.log.text.contains(client)) }
        }
    }
}
