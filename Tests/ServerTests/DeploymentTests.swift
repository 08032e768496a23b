internal import Foundation
internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("The files for deployment", .serialized)
    struct Deployment {
        private static let folder = "\(Repository.path)/deploy"
        private static let unit = "\(folder)/systemd/fuekid.service"

        private static func read(_ path: String) throws -> String {
            try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        }

        // MARK: systemd

        @Test(
            "the unit is one that systemd takes, and gives the server little to do harm with",
            .enabled(if: Peer.systemd.isExpected, Comment(rawValue: Peer.systemd.absence)))
        func unit() throws {
            let analyze = try #require(Peer.path(of: "systemd-analyze"))
            // Ten times the exposure level.
            let security = try Program.run(
                analyze, ["security", "--offline=true", "--no-pager", "--threshold=15", Self.unit])
            #expect(security.isSuccess, "\(security.output.suffix(2_000))")
            // With the built program in place of the installed one.
            let folder = try TemporaryFolder()
            let text = try Self.read("systemd/fuekid.service").replacing(
                "ExecStart=/usr/bin/fuekid", with: "ExecStart=\(FuekiCommand.binaries)/fuekid")
            try folder.write(text, to: "fuekid.service")
            let verification = try Program.run(
                analyze, ["verify", "--man=no", "--recursive-errors=no", "\(folder.path)/fuekid.service"])
            #expect(verification.isSuccess && verification.errors == "", "\(verification.errors)")
        }

        @Test("the systemd unit uses existing commands")
        func unitCommands() throws {
            let text = try Self.read("systemd/fuekid.service")
            let start = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let folder = try TemporaryFolder()
            // The settings are missing: then it has understood the line.
            let line = start.dropFirst("ExecStart=/usr/bin/fuekid".count).replacing("%d", with: folder.path)
                .replacing("/etc/fuekid", with: folder.path).replacing("/var/lib/fuekid", with: folder.path)
            let outcome = try Program.run(
                "\(FuekiCommand.binaries)/fuekid", line.split(separator: " ").map(String.init))
            #expect(outcome.status == 78, "\(outcome.errors)")
        }

        @Test(
            "the server asks the kernel for nothing that the unit forbids",
            .enabled(if: Peer.systemd.isExpected, Comment(rawValue: Peer.systemd.absence)),
            .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)))
        func systemCalls() async throws {
            var allowed = try Self.allowedCalls()
            #expect(allowed.count > 200)
            // SQLite assigns its files to the owner of the database, but only as root, which the unit's user is not.
            if geteuid() == 0 { allowed.insert("fchown") }
            let folder = try TemporaryFolder()
            let port = try FreePort.any()
            let report = "\(folder.path)/calls"
            // The traced program is the child, so that signals reach it.
            let program = try Companion(
                "/usr/bin/strace",
                [
                    "-D", "-f", "-c", "-o", report, "\(FuekiCommand.binaries)/fuekid", "--role", "auth", "--home",
                    "\(folder.path)/home",
                ], environment: ["FUEKID_LISTEN": "127.0.0.1:\(port)"])
            _ = try await program.line(with: "fuekid is ready")
            let device = Device(at: "http://localhost:\(port)", with: try Passkey())
            let tokens = try await device.signUp()
            #expect(try await device.refresh(try #require(tokens.refreshToken)).status == 200)
            program.signal(15)
            #expect(try await program.end() == 0)
            var text = ""
            try await Patience.wait(for: "the report of strace") {
                text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
                return text.contains("total")
            }
            let calls = text.split(separator: "\n").dropFirst(2).compactMap { $0.split(separator: " ").last }
                .map(String.init).filter { $0 != "total" && !$0.hasPrefix("-") }
            #expect(calls.contains("epoll_wait") || calls.contains("epoll_pwait"), "\(text)")
            #expect(calls.filter { !allowed.contains($0) } == [])
        }

        /// The system calls that `SystemCallFilter=` of the unit allows.
        private static func allowedCalls() throws -> Set<String> {
            let analyze = try #require(Peer.path(of: "systemd-analyze"))
            func expand(_ name: Substring) throws -> Set<String> {
                guard name.hasPrefix("@") else { return [String(name)] }
                let listing = try Program.output(analyze, ["--no-pager", "syscall-filter", String(name)])
                let names = listing.split(separator: "\n").dropFirst()
                    .map { $0.drop(while: \.isWhitespace) }.filter { !$0.hasPrefix("#") }
                return try names.reduce(into: []) { $0.formUnion(try expand($1)) }
            }
            var allowed: Set<String> = []
            for line in try read("systemd/fuekid.service").split(separator: "\n")
            where line.hasPrefix("SystemCallFilter=") {
                let value = line.dropFirst("SystemCallFilter=".count)
                for name in value.drop(while: { $0 == "~" }).split(separator: " ") {
                    let calls = try expand(name)
                    if value.hasPrefix("~") { allowed.subtract(calls) } else { allowed.formUnion(calls) }
                }
            }
            return allowed
        }

        // MARK: The container

        @Test("the container runs one program, as a user other than root, with a health check that needs no shell")
        func container() throws {
            let lines = try Self.read("container/Containerfile").replacing("\\\n", with: " ").split(separator: "\n")
                .map(String.init).filter { !$0.hasPrefix("#") && !$0.isEmpty }
            let bases = lines.filter { $0.hasPrefix("FROM ") }
            #expect(bases.count == 2)
            for base in bases { #expect(base.contains(/:[0-9a-z.-]+/) && !base.contains("latest"), "\(base)") }
            let last = try #require(lines.lastIndex { $0.hasPrefix("FROM ") })
            let stage = Array(lines[last...])
            #expect(stage.filter { $0.hasPrefix("RUN ") }.count == 1)
            #expect(!stage.contains { $0.hasPrefix("ADD ") })
            #expect(stage.contains { $0.wholeMatch(of: /USER [1-9][0-9]*:[1-9][0-9]*/) != nil })
            #expect(stage.contains("VOLUME /var/lib/fuekid"))
            #expect(stage.contains("ENTRYPOINT [\"/usr/bin/fuekid\"]"))
            #expect(stage.contains("CMD [\"serve\", \"--role\", \"auth\"]"))
            let health = try #require(stage.first { $0.hasPrefix("HEALTHCHECK ") })
            #expect(health.hasSuffix("CMD [\"/usr/bin/fuekid\", \"health\"]"))
            // The system libraries that the program needs are installed.
            let libraries = try Program.output("/usr/bin/ldd", ["\(FuekiCommand.binaries)/fuekid"])
            for (library, package) in ["libpq": "libpq5", "libsodium": "libsodium23", "libsqlite3": "libsqlite3-0"] {
                #expect(libraries.contains(library))
                #expect(stage.contains { $0.hasPrefix("RUN ") && $0.contains(package) })
            }
        }

        // MARK: Proxies

        /// A proxy with an example in `deploy/proxy`.
        enum Proxy: String, CaseIterable, Sendable {
            case nginx, haproxy, caddy

            var peer: Peer {
                switch self {
                case .nginx: .nginx
                case .haproxy: .proxy
                case .caddy: .caddy
                }
            }

            var file: String {
                switch self {
                case .nginx: "nginx.conf"
                case .haproxy: "haproxy.cfg"
                case .caddy: "Caddyfile"
                }
            }

            var program: String? {
                switch self {
                case .nginx: Peer.systemPath(of: "nginx")
                case .haproxy: Peer.haproxy
                case .caddy: Peer.path(of: "caddy")
                }
            }

            /// The commands that check a file, and that run the proxy with it.
            func words(_ path: String, in folder: String) -> (check: [String], serve: [String]) {
                switch self {
                case .nginx:
                    let words = ["-e", "\(folder)/error.log", "-c", path]
                    return (["-t"] + words, words + ["-g", "daemon off;"])
                case .haproxy: return (["-c", "-f", path], ["-db", "-f", path])
                case .caddy:
                    let words = ["--adapter", "caddyfile", "--config", path]
                    return (["validate"] + words, ["run"] + words)
                }
            }

            /// The example with ports and files of a test.
            func example(_ text: String, server: UInt16, secure: UInt16, plain: UInt16, in folder: String) -> String {
                let text = text.replacing("/etc/fuekid/tls", with: folder)
                    .replacing("127.0.0.1:8420", with: "127.0.0.1:\(server)")
                switch self {
                case .nginx:
                    return text.replacing("listen 443 ssl", with: "listen 127.0.0.1:\(secure) ssl")
                        .replacing("listen 80", with: "listen 127.0.0.1:\(plain)")
                        .replacing("/run/nginx.pid", with: "\(folder)/nginx.pid")
                case .haproxy:
                    return text.replacing("bind :443", with: "bind 127.0.0.1:\(secure)")
                        .replacing("bind :80", with: "bind 127.0.0.1:\(plain)")
                case .caddy:
                    return text.replacing("admin off", with: "admin off\n\thttp_port \(plain)\n\thttps_port \(secure)")
                }
            }

            static var expected: [Proxy] { allCases.filter { $0.peer.isExpected } }
        }

        @Test(
            "through the example of a proxy, the server learns the client's address from the proxy alone",
            arguments: Proxy.expected)
        func proxy(_ proxy: Proxy) async throws {
            let folder = try TemporaryFolder()
            let (key, chain) = ("\(folder.path)/key.pem", "\(folder.path)/chain.pem")
            _ = try Program.output(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=auth.example.org", "-addext", "subjectAltName=DNS:auth.example.org", "-keyout", key,
                    "-out", chain,
                ])
            try folder.write(try folder.read("chain.pem") + folder.read("key.pem"), to: "fuekid.pem")
            let server = try await RunningServer(
                home: "\(folder.path)/home",
                ["PUBLIC_URL": "https://auth.example.org", "PROXY_ADDRESSES": "127.0.0.1", "LOG_LEVEL": "info"])
            let (secure, plain) = (try FreePort.any(), try FreePort.any())
            let example = proxy.example(
                try Self.read("proxy/\(proxy.file)"), server: server.port, secure: secure, plain: plain,
                in: folder.path)
            try folder.write(example, to: proxy.file)
            let program = try #require(proxy.program)
            let words = proxy.words("\(folder.path)/\(proxy.file)", in: folder.path)
            let home = ["HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
            let check = try Program.run(program, words.check, environment: home, in: folder.path)
            #expect(check.isSuccess, "\(check.output)\(check.errors)")

            let running = try Companion(program, words.serve, environment: home)
            func ask(_ words: String...) throws -> [String] {
                let outcome = try Program.run(
                    "\(Repository.path)/Tests/ServerTests/Scripts/through", ["\(secure)"] + words)
                #expect(outcome.isSuccess, "\(outcome.errors)\(running.errors)")
                return outcome.output.split(separator: " ").map { $0.trimmingCharacters(in: .newlines) }
            }
            // The proxy looks for the server first.
            var answer = try ask("GET", "/openapi.json")
            try await Patience.wait(for: "the proxy's server") {
                if answer.first != "200" { answer = try ask("GET", "/openapi.json") }
                return answer.first == "200"
            }
            let id = try #require(answer.last)
            #expect(id != "forged" && id != "None")
            var line: String?
            try await Patience.wait(for: "the request in the log") {
                line = server.program.errors.split(separator: "\n").map(String.init).first { $0.contains(id) }
                return line != nil
            }
            #expect(try #require(line).contains("\"address\":\"127.0.0.2\""), "\(line ?? "")")
            #expect(try #require(line).contains("\"route\":\"/openapi.json\""))
            #expect(!server.program.errors.contains("203.0.113.9"))
            #expect(try ask("GET", "/metrics").first == "404")
            // Caddy 2.6 answers 502; haproxy may have closed the connection before the body has been sent.
            let refusal = try #require(try ask("POST", "/api/auth/token/revoke", "200000").first)
            #expect(["413", "502", "closed"].contains(refusal), "\(refusal)")
            running.signal(15)
            try await running.end()
            #expect(try await server.stop() == 0)
        }
    }
}
