internal import AuthSettings
internal import AuthStore
internal import Foundation
internal import HTTPTypes
internal import ServerHTTP
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import SQLStore

@Suite("Metrics of the parts of the server")
struct MetricsTests {
    private static func numbers(_ server: TestServer) async throws -> [String: Double] {
        let text = try await server.send(.get, "/metrics").text
        var numbers: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            let number: Double = try #require(Double(String(parts[1])))
            numbers[String(parts[0])] = number
        }
        return numbers
    }

    @Test(
        "the store says how much waits, how long it waited, and how long its log is", arguments: StoreUnderTest.expected
    )
    func store(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.metricsAddresses = [TestServer.peer] }) { server in
            let before = try await Self.numbers(server)
            try await server.device().signUp(with: server.authenticator())
            let after = try await Self.numbers(server)
            #expect(after["fuekid_store_waiting"] == 0)
            let (waits, earlier) = (after["fuekid_store_waits_total"] ?? 0, before["fuekid_store_waits_total"] ?? -1)
            #expect(waits > earlier && earlier >= 0)
            #expect(try #require(after["fuekid_store_wait_seconds_total"]) >= 0)
            #expect((after["fuekid_store_log_pages"] != nil) == (store == .sqlite))
            if store == .sqlite { #expect(try #require(after["fuekid_store_log_pages"]) > 0) }
        }
    }

    @Test(
        "what waits for the writer is counted while it waits, without asking the writer", .timeLimit(.minutes(20)),
        arguments: StoreUnderTest.expected)
    func waiting(_ store: StoreUnderTest) async throws {
        try await TestServer.with(store, changing: { $0.metricsAddresses = [TestServer.peer] }) { server in
            // As many as PostgreSQL has connections in the tests; SQLite has one writer.
            let held = server.database.holdWrite()
            let count = store == .sqlite ? 1 : 4
            // Probes do not count; one of them runs at a time.
            let write: @Sendable (UInt8) -> Task<Bool, any Error> = { number in
                Task { try await server.database.write { try ReplayCache.spend(bytes(number), until: now, in: $0) } }
            }
            let first = write(0)
            await held.arrive()
            var others: [WatchedDatabase.Held] = []
            var tasks = [first]
            for number in 1..<count {
                let next = server.database.holdWrite()
                tasks.append(write(UInt8(number)))
                await next.arrive()
                others.append(next)
            }
            let late = write(9)
            try await Patience.wait(for: "a write that waits") { server.database.load.waiting >= 1 }
            let during = try await Self.numbers(server)
            #expect(during["fuekid_store_waiting"] == 1)
            held.letGo()
            for one in others { one.letGo() }
            for task in tasks + [late] { #expect(try await task.value) }
            let after = try await Self.numbers(server)
            #expect(after["fuekid_store_waiting"] == 0)
        }
    }

    @Test("the time until a key is replaced falls, and starts again with the next key")
    func keys() async throws {
        try await TestServer.with(changing: { $0.metricsAddresses = [TestServer.peer] }) { server in
            let series = KeyPurpose.allCases.filter { !$0.isPermanent }.map {
                "fuekid_key_rotation_seconds{purpose=\"\($0.rawValue)\"}"
            }
            let month = 30.0 * 24 * 3600
            var numbers = try await Self.numbers(server)
            #expect(series.map { numbers[$0] } == Array(repeating: month, count: 4))
            server.clock.advance(.days(10))
            numbers = try await Self.numbers(server)
            #expect(series.map { numbers[$0] } == Array(repeating: month * 2 / 3, count: 4))
            // Maintenance is late.
            server.clock.advance(.days(21))
            numbers = try await Self.numbers(server)
            #expect(series.allSatisfy { (numbers[$0] ?? 0) == -86_400 })
            try await server.maintain()
            numbers = try await Self.numbers(server)
            #expect(series.allSatisfy { (numbers[$0] ?? 0) > month })
        }
    }

    @Test("process metrics have the names that collectors know, and the version is shown")
    func process() async throws {
        try await TestServer.with(changing: { $0.metricsAddresses = [TestServer.peer] }) { server in
            let numbers = try await Self.numbers(server)
            #expect(numbers["fuekid_build_info{version=\"\(ServerVersion.text)\"}"] == 1)
            #expect(try #require(numbers["process_cpu_seconds_total"]) > 0)
            #expect(try #require(numbers["process_start_time_seconds"]) > 1_700_000_000)
            #if os(Linux)
                #expect(try #require(numbers["process_resident_memory_bytes"]) > 1_048_576)
                let open = try #require(numbers["process_open_fds"])
                #expect(open > 3 && open <= (numbers["process_max_fds"] ?? 0))
            #endif
            // Without TLS and metadata their metrics are absent.
            #expect(numbers["fuekid_tls_certificate_expiry_seconds"] == nil)
            #expect(numbers["fuekid_metadata_next_update_seconds"] == nil)
        }
    }

    @Test("a metric counts down to the certificate's expiry")
    func certificate() throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = ("\(folder.path)/certificate.pem", "\(folder.path)/key.pem")
        _ = try Program.output(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
            ])
        let expiry = try #require(
            ServerTransport.certificateExpiry(.tls(certificatePath: certificate, keyPath: key)))
        let left = expiry - Double(Timestamp.now().milliseconds) / 1000
        #expect(left > 86_400 && left <= 2 * 86_400)
        #expect(ServerTransport.certificateExpiry(.localhost) == nil)
        #expect(ServerTransport.certificateExpiry(.tls(certificatePath: "/nowhere", keyPath: key)) == nil)
    }

    @Test("the operator's guide names every metric, and no others")
    func documented() async throws {
        let guide = try String(contentsOfFile: "\(Repository.path)/docs/operations.md", encoding: .utf8)
        let named = Set(guide.matches(of: /`((?:fuekid|process)_[a-z_]+)/).map { String($0.output.1) })
        try await AuditFixture.with(changing: { $0.metricsAddresses = [TestServer.peer] }) { _, servers in
            let server = servers[0]
            let text = try await server.send(.get, "/metrics").text
            var families = Set(
                text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.compactMap {
                    $0.split(separator: " ").dropFirst(2).first.map(String.init)
                })
            // Metrics that this server does not have.
            families.formUnion([
                "fuekid_tls_certificate_expiry_seconds", "fuekid_metadata_next_update_seconds",
                "fuekid_metadata_number",
            ])
            #expect(named == families)
        }
    }
}
