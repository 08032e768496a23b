internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Files that change")
    struct Reloads {
        private static func subject(_ port: UInt16) throws -> String {
            let outcome = try Program.run(
                "/bin/sh",
                [
                    "-c",
                    "openssl s_client -connect localhost:\(port) </dev/null 2>/dev/null | openssl x509 -noout -subject",
                ])
            return outcome.output.split(separator: "=").last.map { $0.filter { !$0.isWhitespace } } ?? "none"
        }

        private static func client(trusting certificates: String) throws -> HTTPClient {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(certificates)
            return HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
        }

        /// Waits for a number of log lines with a text.
        private static func wait(for text: String, _ count: Int, in server: RunningServer) async throws {
            try await Patience.wait(for: "“\(text)” in the log, \(count) times") {
                server.program.errors.components(separatedBy: text).count > count
            }
        }

        @Test(
            "SIGHUP: new connections get the new certificate, old ones go on; what cannot be read is told and changes nothing"
        )
        func certificate() async throws {
            let folder = try TemporaryFolder()
            let first = try Certificate(in: folder.path, name: "first")
            let port = try FreePort.any()
            let url = "https://localhost:\(port)"
            let server = try await RunningServer(
                home: "\(folder.path)/home", port: port,
                ["PUBLIC_URL": url, "TLS_CERTIFICATE": first.certificate, "TLS_KEY": first.key])
            #expect(try Self.subject(port) == "first")
            // A client that trusts only this certificate, and keeps its connection.
            let trusted = "\(folder.path)/trusted.pem"
            try FileManager.default.copyItem(atPath: first.certificate, toPath: trusted)
            let client = try Self.client(trusting: trusted)
            #expect(try await client.get(url: "\(url)/healthz").get().status == .ok)

            _ = try Certificate(in: folder.path, name: "second")
            server.program.signal(1)
            try await Self.wait(for: "reloaded\"", 2, in: server)
            #expect(try Self.subject(port) == "second")
            #expect(try await client.get(url: "\(url)/healthz").get().status == .ok, "on its old connection")

            try folder.write("no certificate", to: "certificate.pem")
            server.program.signal(1)
            try await Self.wait(for: "not reloaded", 1, in: server)
            #expect(server.program.errors.contains("certificate.pem: cannot be read as PEM"))
            #expect(try Self.subject(port) == "second")
            #expect(try await client.get(url: "\(url)/healthz").get().status == .ok)
            try await client.shutdown()
            #expect(try await server.stop() == 0)
        }

        @Test("SIGHUP: a server without such files continues")
        func noFiles() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home")
            server.program.signal(1)
            try await Self.wait(for: "reloaded\"", 1, in: server)
            #expect(try await HTTPClient.shared.get(url: "\(server.url)/healthz").get().status == .ok)
            #expect(try await server.stop() == 0)
        }
    }

    @Suite("Few files")
    struct FewFiles {
        /// Starts it with a limit of open files.
        private static func start(files: Int, home: String, port: UInt16) throws -> Companion {
            try Companion(
                "/bin/sh",
                [
                    "-c", "ulimit -n \(files) && exec \"$0\" --role auth --home \"$1\"",
                    "\(FuekiCommand.binaries)/fuekid", home,
                ], environment: ["FUEKID_LISTEN": "127.0.0.1:\(port)", "FUEKID_LOG_LEVEL": "warning"])
        }

        @Test(
            "with fewer files than connections are wanted it says so, and survives more connections than it has files for",
            arguments: [60, 420])
        func few(files: Int) async throws {
            let folder = try TemporaryFolder()
            let port = try FreePort.any()
            let server = try Self.start(files: files, home: "\(folder.path)/home", port: port)
            _ = try await server.line(with: "fuekid is ready")
            #expect(server.errors.contains("fewer connections than limits.connections"))
            let crowd = try Companion(
                Python.system,
                [
                    "-c",
                    """
                    import socket, sys
                    port = int(sys.argv[1])
                    crowd = []
                    for number in range(600):
                        crowd.append(socket.create_connection(("127.0.0.1", port), 20, (f"127.0.0.{number % 100 + 2}", 0)))
                    if sys.argv[2] == "60":
                        # Without files for the reserve: once they are gone it answers again.
                        for connection in crowd: connection.close()
                    with socket.create_connection(("127.0.0.1", port), 20) as connection:
                        connection.sendall(b"GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                        print(connection.recv(1000).split(b"\\r\\n")[0].decode())
                    """, "\(port)", "\(files)",
                ])
            try await crowd.end()
            #expect(crowd.output == "HTTP/1.1 200 OK\n", "\(crowd.errors) \(server.errors)")
            server.signal(15)
            #expect(try await server.end() == 0)
        }
    }
}
