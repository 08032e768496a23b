internal import AsyncHTTPClient
internal import Encoding
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Starting and ending", .serialized)
    struct Starting {
        @Test("on an empty folder it makes its keys and its store, prints its URL, and reveals nothing to other users")
        func emptyFolder() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let server = try await RunningServer(home: home)
            #expect(server.greeting == "fuekid is ready: http://localhost:\(server.port)")
            let files = try FileManager.default.contentsOfDirectory(atPath: home)
            #expect(Set(files).isSuperset(of: ["master.vault", "passphrase", "auth.sqlite"]), "\(files)")
            for file in files {
                let mode = try FileManager.default.attributesOfItem(atPath: "\(home)/\(file)")[.posixPermissions]
                let others = ((mode as? NSNumber)?.intValue ?? 0o777) & 0o077
                #expect(others == 0, "\(file) can be read or written by others")
            }
            let page = try await HTTPClient.shared.get(url: server.url).get()
            #expect(page.status == .ok)
            #expect(page.headers.first(name: "Content-Security-Policy")?.contains("default-src 'none'") == true)
            #expect(page.headers.first(name: "Strict-Transport-Security") == nil)
            #expect(page.headers.first(name: "Server") == nil)
            let wrongMethod = try await HTTPClient.shared.post(url: "\(server.url)/healthz").get()
            #expect(wrongMethod.status == .methodNotAllowed)
            #expect(wrongMethod.headers.first(name: "Allow") == "GET, HEAD")
            let ready = try await HTTPClient.shared.get(url: "\(server.url)/readyz").get()
            #expect(ready.status == .ok)
            #expect(try await server.stop() == 0)
        }

        @Test("a second start on the same folder keeps accounts and sessions")
        func secondStart() async throws {
            let folder = try TemporaryFolder()
            let first = try await RunningServer(home: "\(folder.path)/home")
            let device = Device(at: first.url, with: try Passkey())
            let tokens = try await device.signUp()
            #expect(try await first.stop() == 0)

            let second = try await RunningServer(home: "\(folder.path)/home", port: first.port)
            let session = try await device.session(try #require(tokens.accessToken))
            #expect(session.status == 200)
            #expect(session.json["account_name"]?.string == "Ada")
            #expect(try await device.refresh(try #require(tokens.refreshToken)).status == 200)
            #expect(try await second.stop() == 0)
        }

        @Test("a second server with the same SQLite store says so, and the next one after it does not")
        func sameStore() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let first = try await RunningServer(home: home)
            let second = try await RunningServer(home: home)
            let warning = "another server serves with this store"
            #expect(second.program.errors.contains(warning) && second.program.errors.contains("\(home)/auth.sqlite"))
            #expect(try await first.stop() == 0)
            #expect(try await second.stop() == 0)
            let third = try await RunningServer(home: home)
            #expect(!first.program.errors.contains(warning) && !third.program.errors.contains(warning))
            #expect(try await third.stop() == 0)
        }

        @Test("a port in use is reported, and the program ends")
        func portInUse() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/one")
            let second = try RunningServer.start(home: "\(folder.path)/two", port: server.port)
            #expect(try await second.end() == 69)
            #expect(second.errors.hasSuffix("\nfuekid: listen: the address is in use by another program\n"))
            #expect(try await server.stop() == 0)
        }

        @Test(
            "settings that are wrong are named, and nothing is made",
            arguments: [
                (["SESSION_IDLE_HOURS": "0"], "session.idle_hours"),
                (["SESSION_IDEL_HOURS": "1"], "SESSION_IDEL_HOURS"),
                (["SESSION_STEP_UP_SECONDS": "29"], "session.step_up_seconds"),
                (["PUBLIC_URL": "https://example.org"], "tls"), (["PUBLIC_URL": "http://example.org"], "public_url"),
                (["LISTEN": "0.0.0.0:8420"], "listen"), (["LISTEN": "8420"], "listen"),
                (["TLS_CERTIFICATE": "c.pem"], "tls"), (["RELYING_PARTY_ID": "example.org"], "relying_party.id"),
                (["STORE_SQLITE": "a", "STORE_POSTGRESQL": "host=x"], "store"),
                (["INTROSPECTION_CLIENTS": "name:secret"], "introspection_clients"),
                (["ATTESTATION_REQUIRED": "true"], "attestation.required"),
            ] as [([String: String], String)])
        func wrongSettings(_ settings: [String: String], _ name: String) async throws {
            let folder = try TemporaryFolder()
            let program = try RunningServer.start(home: "\(folder.path)/home", port: 8420, settings)
            #expect(try await program.end() == 78)
            #expect(program.errors.contains(name), "\(program.errors)")
            #expect(program.output == "")
            #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/home"))
        }

        @Test("a request under way is answered when the server is told to stop")
        func gracefulEnd() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home", RunningServer.unlimited)
            let device = Device(at: server.url, with: try Passkey())
            let first = try #require(try await device.signUp().refreshToken)
            let answer = try await device.refresh(first) {
                // The server has the head of the request, and answers the one for the number; then it is told to end.
                try? await Patience.wait(for: "the request") {
                    try await server.metric(#"fuekid_connections{state="busy"}"#) >= 2
                }
                server.program.signal(15)
                // It takes no more connections: it has begun to end.
                try? await Patience.wait(for: "the begin of the end") { !FreePort.hasListener(server.port) }
            }
            #expect(answer.status == 200)
            #expect(try await server.program.end() == 0)

            // The answered request is in the store.
            let again = try await RunningServer(home: "\(folder.path)/home", port: server.port)
            #expect(try await device.refresh(try #require(answer.refreshToken)).status == 200)
            #expect(try await again.stop() == 0)
        }

        @Test("with a certificate it speaks only TLS 1.3, and tells browsers to keep using TLS")
        func transportSecurity() async throws {
            let folder = try TemporaryFolder()
            let made = try Certificate(in: folder.path, name: "localhost")
            let (certificate, key) = (made.certificate, made.key)
            let port = try FreePort.any()
            let url = "https://localhost:\(port)"
            let server = try await RunningServer(
                home: "\(folder.path)/home", port: port,
                ["PUBLIC_URL": url, "TLS_CERTIFICATE": certificate, "TLS_KEY": key])
            #expect(server.greeting == "fuekid is ready: \(url)")

            let modern = try Self.client(trusting: certificate)
            let page = try await modern.get(url: url).get()
            #expect(page.status == .ok)
            #expect(page.headers.first(name: "Strict-Transport-Security") == "max-age=63072000; includeSubDomains")
            let device = Device(at: url, with: try Passkey(), client: modern)
            #expect(try await device.signUp().status == 200)
            try await modern.shutdown()

            // The judgement of another program.
            let old = try Self.handshake(with: port, "-tls1_2")
            #expect(!old.isSuccess)
            #expect(old.errors.contains("alert protocol version"), "\(old.errors)")
            let new = try Self.handshake(with: port, "-tls1_3")
            #expect(new.output.contains("New, TLSv1.3, Cipher is TLS_"), "\(new.output)")
            #expect(try await server.stop() == 0)
        }

        private static func handshake(with port: UInt16, _ version: String) throws -> Program.Outcome {
            try Program.run("/usr/bin/openssl", ["s_client", "-connect", "localhost:\(port)", version])
        }

        private static func client(trusting certificate: String) throws -> HTTPClient {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(certificate)
            return HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: tls))
        }
    }
}
