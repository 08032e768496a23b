internal import Foundation
internal import ServerHTTP
internal import Synchronization
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite(
        "Two servers behind haproxy, on one PostgreSQL", .serialized,
        .enabled(if: Peer.proxy.isExpected, Comment(rawValue: Peer.proxy.absence)),
        .enabled(if: Peer.postgreSQL.isExpected, Comment(rawValue: Peer.postgreSQL.absence)))
    struct Replicas {
        private struct Absent: Error {}

        /// How often each session may rotate so far.
        private final class Turns: Sendable {
            private let allowed = Mutex(0)

            var count: Int { allowed.withLock { $0 } }

            /// Adds turns, and returns the new count.
            @discardableResult func add(_ more: Int) -> Int {
                allowed.withLock { allowed in
                    allowed += more
                    return allowed
                }
            }
        }

        private static let publicURL = "https://login.example.org"

        private static func proxy(at port: UInt16, before servers: [UInt16], in folder: String) throws -> Companion {
            guard let haproxy = Peer.haproxy else { throw Absent() }
            let lines =
                [
                    "defaults", "  mode http", "  timeout connect 600s", "  timeout client 600s",
                    "  timeout server 600s",
                    // A failed connection attempt is retried elsewhere; a request is never sent twice.
                    "  option redispatch", "  retries 3", "  retry-on conn-failure", "frontend all",
                    "  bind 127.0.0.1:\(port)", "  option forwardfor", "  default_backend servers", "backend servers",
                    // The clients are at 127.0.0.1, and a client of the server cannot be at a proxy's address.
                    "  source 127.0.0.2", "  balance roundrobin", "  option httpchk GET /readyz",
                ] + servers.map { "  server s\($0) 127.0.0.1:\($0) check inter 200ms fall 2 rise 1" }
            let path = "\(folder)/haproxy.cfg"
            try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
            return try Companion(haproxy, ["-db", "-f", path])
        }

        @Test("one replica is killed under load: no answer is lost, and every user stays signed in")
        func killOne() async throws {
            let folder = try TemporaryFolder()
            let postgreSQL = try PostgreSQL.shared.get()
            let settings = RunningServer.unlimited.merging([
                "PUBLIC_URL": Self.publicURL, "PROXY_ADDRESSES": "127.0.0.2", "METRICS_ADDRESSES": "127.0.0.1",
                "STORE_POSTGRESQL": try postgreSQL.makeDatabase(), "SESSION_RETRY_SECONDS": "10",
            ]) { _, own in own }
            var servers = [try await RunningServer(home: "\(folder.path)/0", settings)]
            // The other one shares the vault.
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/1", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for file in ["master.vault", "passphrase"] {
                try FileManager.default.copyItem(atPath: "\(folder.path)/0/\(file)", toPath: "\(folder.path)/1/\(file)")
            }
            servers.append(try await RunningServer(home: "\(folder.path)/1", settings))
            let port = try FreePort.any()
            let proxy = try Self.proxy(at: port, before: servers.map(\.port), in: folder.path)

            let address = "http://127.0.0.1:\(port)"
            let sessions = try await Session.begin(24, at: address, as: Self.publicURL)
            // How often each session may rotate so far: a ninth time within ten seconds would wait.
            let allowed = Turns()
            let load = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for session in sessions {
                        group.addTask {
                            while true {
                                try await Patience.wait(for: "the next turn") {
                                    session.rotations < allowed.count
                                }
                                try await session.rotate()
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            for killed in [0, 1] {
                // Half of the sessions have rotated, and the others are about to.
                let first = allowed.add(2) - 1
                try await Patience.wait(for: "rotations before the kill") {
                    sessions.count { $0.rotations >= first } >= sessions.count / 2
                }
                let port = servers[killed].port
                try await servers[killed].kill()
                let before = sessions.map(\.rotations)
                allowed.add(1)
                // All continue with the remaining one.
                try await Patience.wait(for: "a rotation of each session") {
                    !zip(sessions, before).contains { $0.rotations == $1 }
                }
                servers[killed] = try await RunningServer(home: "\(folder.path)/\(killed)", port: port, settings)
            }
            load.cancel()
            do { try await load.value } catch is CancellationError {}
            for session in sessions { try await session.rotate() }
            for server in servers {
                #expect(try await server.events("refresh_token_reused") == 0)
                #expect(try await server.stop() == 0)
            }
            proxy.signal(15)
            try await proxy.end()
        }
    }
}
