internal import AsyncHTTPClient
internal import Encoding
internal import NIOCore
internal import NIOHTTP1
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("Operating a server", .serialized)
    struct Operating {
        private static let fuekid = "\(FuekiCommand.binaries)/fuekid"

        @Test("the service manager is notified that the server listens, is alive, and stops")
        func serviceManager() async throws {
            let folder = try TemporaryFolder()
            let inbox = try Inbox(at: "\(folder.path)/notify")
            let server = try await RunningServer.notifying(
                inbox.path, home: "\(folder.path)/home", watchdogMicroseconds: 200_000)
            #expect(inbox.next() == "READY=1")
            #expect(inbox.next() == "WATCHDOG=1")
            #expect(inbox.next() == "WATCHDOG=1")
            server.signal(15)
            var last = inbox.next()
            while last == "WATCHDOG=1" { last = inbox.next() }
            #expect(last == "STOPPING=1")
            #expect(try await server.end() == 0)
        }

        @Test("every log line is JSON, and a request's numbers are numbers")
        func log() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home", ["LOG_LEVEL": "trace"])
            let answer = try await HTTPClient.shared.get(url: "\(server.url)/healthz").get()
            let id = try #require(answer.headers.first(name: "X-Request-Id"))
            #expect(try await server.stop() == 0)
            let lines = try server.program.errors.split(separator: "\n").map { try JSON(decoding: Array($0.utf8)) }
            let line = try #require(lines.first { $0["request_id"]?.string == id })
            #expect(line["message"]?.string == "request")
            #expect(line["level"]?.string == "info")
            #expect(line["route"]?.string == "/healthz")
            #expect(line["status"]?.number?.integer() == 200)
            #expect(line["bytes"]?.number?.integer() == 3)
            #expect(line["ms"]?.number != nil)
            #expect(line["address"]?.string == "127.0.0.1")
            for line in lines {
                #expect(line["at"]?.string?.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) == true)
                #expect(line["level"]?.string != nil && line["message"]?.string != nil)
            }
        }

        @Test("a health check finds a server by plain HTTP and by TLS, and reports a missing one")
        func health() async throws {
            let folder = try TemporaryFolder()
            let made = try Certificate(in: folder.path, name: "localhost")
            let (certificate, key) = (made.certificate, made.key)
            for isSecure in [false, true] {
                let port = try FreePort.any()
                let home = "\(folder.path)/\(isSecure)"
                var settings: [String: String] = [:]
                if isSecure {
                    settings = [
                        "PUBLIC_URL": "https://localhost:\(port)", "TLS_CERTIFICATE": certificate, "TLS_KEY": key,
                    ]
                }
                let server = try await RunningServer(home: home, port: port, settings)
                let environment = Dictionary(
                    uniqueKeysWithValues: (settings.map { ("FUEKID_\($0.key)", $0.value) })
                        + [("FUEKID_LISTEN", "127.0.0.1:\(port)"), ("FUEKID_HOME", home)])
                #expect(try Program.run(Self.fuekid, ["health"], environment: environment).output == "alive\n")
                let ready = try Program.run(Self.fuekid, ["health", "--ready"], environment: environment)
                #expect(ready.output == "ready\n", "\(ready.errors)")
                #expect(try await server.stop() == 0)
                let none = try Program.run(Self.fuekid, ["health"], environment: environment)
                #expect(none.status == 69)
                #expect(none.errors == "fuekid: 127.0.0.1:\(port): no server answers there\n")
            }
        }

        @Test("while the server runs, an operator views, locks and unlocks an account, and removes its passkey")
        func accounts() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let server = try await RunningServer(home: home, RunningServer.unlimited)
            let device = Device(at: server.url, with: try Passkey())
            let tokens = try await device.signUp()
            let account = try #require(tokens.json["account_id"]?.string)
            let refresh = try #require(tokens.refreshToken)
            // An id may begin with a dash.
            func run(_ words: [String], _ ids: [String]) throws -> Program.Outcome {
                try Program.run(Self.fuekid, words + ["--home", home, "--"] + ids)
            }
            let shown = try run(["account", "show"], [account])
            let expected = """
                account \(account)
                created [..]Z, last used [..]Z
                10 recovery codes left
                1 passkey:
                  [..]  created [..]Z  last used never  of one device  attestation none
                1 device:
                  [..]  created [..]Z  last seen [..]Z
                1 living session:
                  [..]  device [..]  created [..]Z  last used [..]Z  urn:fueki:aal2
                last events:
                [...]
                """
            #expect(
                CommandScript.matches(shown.output, expected.split(separator: "\n").map(String.init)),
                "\(shown.output)\(shown.errors)")
            #expect(!shown.output.contains("Ada"))
            #expect(try run(["account", "show", "--names"], [account]).output.contains("name “Ada”"))
            let json = try JSON(decoding: Array(try run(["account", "show", "--json"], [account]).output.utf8))
            let passkey = try #require(json["passkeys"]?.array?.first?["passkey_id"]?.string)
            #expect(json["account"]?["account_id"]?.string == account)

            #expect(
                try run(["account", "lock", "--reason", "a letter"], [account]).output == "locked; 1 session ended\n")
            let refused = try await device.refresh(refresh)
            #expect(refused.status == 400)
            #expect(refused.code == "account_locked")
            #expect(try await device.session(try #require(tokens.accessToken)).status == 401)
            #expect(try run(["account", "show"], [account]).output.contains("Z: a letter\n"))
            #expect(try run(["account", "unlock"], [account]).output == "unlocked\n")
            let again = try await device.signIn()

            let kept = try run(["passkey", "remove"], [account, passkey])
            #expect(kept.status == 64)
            #expect(
                kept.errors.contains("the account's last passkey, with 10 unused recovery codes left; nothing was done")
            )
            #expect(try await device.refresh(try #require(again.refreshToken)).status == 200)
            #expect(
                try run(["passkey", "remove", "--force"], [account, passkey]).output
                    == "removed; 1 session ended; 0 passkeys and 10 unused recovery codes are left\n")
            #expect(try await server.stop() == 0)
        }

        @Test(
            "on a terminal an erasure asks, and only yes is an answer",
            .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
        func erasure() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let server = try await RunningServer(home: home, RunningServer.unlimited)
            let tokens = try await Device(at: server.url, with: try Passkey()).signUp()
            let account = try #require(tokens.json["account_id"]?.string)
            #expect(try await server.stop() == 0)
            let command = [Self.fuekid, "account", "erase", "--home", home, "--", account]
            #expect(try Program.run(command[0], Array(command.dropFirst())).status == 64)
            let no = try Terminal.run(command, answers: [("Type yes: ", "y")])
            #expect(no.exit == 64 && no.screen.contains("nothing was done"), "\(no.screen)")
            let yes = try Terminal.run(command, answers: [("Type yes: ", "yes")])
            #expect(yes.exit == 0 && yes.screen.contains("erased; backups"), "\(yes.screen)")
            #expect(try Program.run(command[0], Array(command.dropFirst())).status == 66)
            #expect(try Program.output(Self.fuekid, ["account", "list", "--home", home]) == "no accounts\n")
        }
    }
}

extension RunningServer {
    /// Starts a server that notifies a service manager, and waits until it is ready.
    static func notifying(_ socket: String, home: String, watchdogMicroseconds: Int) async throws -> Companion {
        let program = try Companion(
            "\(FuekiCommand.binaries)/fuekid", ["--role", "auth", "--home", home],
            environment: [
                "FUEKID_LISTEN": "127.0.0.1:\(try FreePort.any())", "FUEKID_LOG_LEVEL": "notice",
                "NOTIFY_SOCKET": socket, "WATCHDOG_USEC": "\(watchdogMicroseconds)",
            ])
        _ = try await program.line(with: "fuekid is ready")
        return program
    }
}
