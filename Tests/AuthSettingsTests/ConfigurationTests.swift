internal import AuthAPI
internal import Encoding
internal import ServerHTTP
internal import Testing
internal import Time

@testable internal import AuthSettings

@Suite("Configuration")
struct ConfigurationTests {
    /// A setting: the settings that it needs, a valid value in the file and in the environment, and some invalid
    /// values.
    struct Setting: Sendable, CustomTestStringConvertible {
        let name: String
        var given: [String: String] = [:]
        let json: JSON
        let text: String
        var wrong: [JSON] = []
        var wrongTexts: [String] = []
        /// Checks that the value has arrived in the configuration.
        let isRead: @Sendable (ServerConfiguration) -> Bool

        var testDescription: String { name }
    }

    private static let secure = ["FUEKID_PUBLIC_URL": "https://auth.example.com"]
    private static let hash = String(repeating: "ab", count: 32)

    private static func number(
        _ name: String, _ value: Int64, outside: [Int64], given: [String: String] = [:],
        _ isRead: @escaping @Sendable (ServerConfiguration) -> Bool
    ) -> Setting {
        Setting(
            name: name, given: given, json: JSON(value), text: "\(value)",
            wrong: outside.map { JSON($0) } + ["1", true, .null, [], .number(half)],
            wrongTexts: outside.map { "\($0)" } + ["", " 1", "1 ", "one", "1.5", "0x1", "99999999999999999999"],
            isRead: isRead)
    }

    private static var half: JSON.Number {
        guard let number = try? JSON.Number("1.5") else { preconditionFailure("a number") }
        return number
    }

    private static func bucket(
        _ name: String, _ path: @escaping @Sendable (ServerConfiguration) -> ServerConfiguration.LimitSettings.Bucket
    ) -> [Setting] {
        [
            number("limits.\(name)_burst", 7, outside: [0, -1, 1_000_000_001]) { path($0).burst == 7 },
            number("limits.\(name)_per_minute", 9, outside: [0, -1, 1_000_000_001]) { path($0).perMinute == 9 },
        ]
    }

    static let settings: [Setting] =
        [
            Setting(
                name: "public_url", json: "http://localhost:9000", text: "http://localhost:9000",
                wrong: [1, [], .null],
                wrongTexts: [
                    "", "localhost", "http://example.com", "https://", "https://Auth.example.com", "https://a.example/",
                    "https://a.example/path", "https://u@a.example", "https://a.example:443", "https://a.example:0",
                    "https://a.example:99999", "https://a.example:", "ftp://a.example", "https://a.example?x",
                ], isRead: { $0.publicURL.description == "http://localhost:9000" }),
            Setting(
                name: "listen", json: "127.0.0.1:9000", text: "127.0.0.1:9000", wrong: [1],
                wrongTexts: [
                    "", "9000", ":9000", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "127.0.0.1:0", "::1:90",
                    "0.0.0.0:8420",
                ],
                isRead: { $0.listen == ListenAddress("127.0.0.1:9000") }),
            Setting(
                name: "tls.certificate", given: secure.merging(["FUEKID_TLS_KEY": "/k"]) { $1 }, json: "/c", text: "/c",
                wrong: [1], isRead: { $0.transport == .tls(certificatePath: "/c", keyPath: "/k") }),
            Setting(
                name: "tls.key", given: secure.merging(["FUEKID_TLS_CERTIFICATE": "/c"]) { $1 }, json: "/k", text: "/k",
                wrong: [1], isRead: { $0.transport == .tls(certificatePath: "/c", keyPath: "/k") }),
            Setting(
                name: "proxy.addresses", given: secure, json: ["192.0.2.1", "2001:DB8::1"],
                text: "192.0.2.1, 2001:DB8::1",
                wrong: ["192.0.2.1", [1], ["proxy.example"]],
                wrongTexts: ["haproxy", "192.0.2.0/24", "192.0.2", "192.0.2.1:80", "[::1]", "*", "192.0.2.1,x"],
                isRead: { $0.transport == .behindProxy(addresses: ["192.0.2.1", "2001:db8::1"]) }),
            Setting(
                name: "relying_party.id",
                given: ["FUEKID_PUBLIC_URL": "https://auth.example.com", "FUEKID_PROXY_ADDRESSES": "192.0.2.1"],
                json: "example.com", text: "example.com", wrong: [1],
                wrongTexts: [
                    "", "other.example", "xample.com", "https://example.com", "auth.example.com.",
                    "sub.auth.example.com",
                ],
                isRead: { $0.relyingParty.id == "example.com" }),
            Setting(
                name: "relying_party.name", json: "Bank", text: "Bank",
                wrong: [1, [], "", .string(String(repeating: "a", count: 65)), "a\u{0}b", "a\u{202e}b"],
                wrongTexts: [
                    "", " ", " Bank", "Bank ", "Ba\tnk", "Ba\nnk", "a\u{200b}b", "a\u{2066}b", "a\u{feff}b",
                    "a\u{2028}b",
                    String(repeating: "é", count: 65), "e" + String(repeating: "\u{301}", count: 1_024),
                ],
                isRead: { $0.relyingParty.name == "Bank" }),
            Setting(
                name: "relying_party.origins", json: ["https://other.example"], text: "https://other.example",
                wrong: ["https://other.example", [1], ["other.example"]],
                wrongTexts: ["other.example", "https://other.example/", "http://other.example", "https://a.example,x"],
                isRead: { $0.relyingParty.origins == ["http://localhost:8420", "https://other.example"] }),
            Setting(
                name: "page.accent", json: "#0a64c8", text: "#0a64c8", wrong: [1, ["#0a64c8"]],
                wrongTexts: [
                    "", "0a64c8", "#0a64c", "#0a64c80", "#+a64c8", "#0a64cg", "green", " #0a64c8", "#0A64C8\u{301}",
                ],
                isRead: { $0.page.accent?.description == "#0a64c8" }),
            Setting(
                name: "page.logo", json: "/logo.svg", text: "/logo.svg", wrong: [1, []], wrongTexts: [""],
                isRead: { $0.page.logoPath == "/logo.svg" }),
            Setting(
                name: "store.sqlite", json: "a.sqlite", text: "a.sqlite", wrong: [1],
                isRead: { $0.store == .sqlite(path: "a.sqlite") }),
            Setting(
                name: "store.postgresql", json: "host=/run", text: "host=/run", wrong: [1],
                isRead: { $0.store == .postgreSQL(connection: "host=/run", connections: 8) }),
            number(
                "store.postgresql_connections", 3, outside: [0, 101], given: ["FUEKID_STORE_POSTGRESQL": "host=/run"]
            ) { $0.store == .postgreSQL(connection: "host=/run", connections: 3) },
            number("session.idle_hours", 24, outside: [0, -1, 721]) { $0.sessions.idle == .hours(24) },
            number("session.lifetime_hours", 200, outside: [0, 721]) { $0.sessions.lifetime == .hours(200) },
            number("session.retry_seconds", 0, outside: [-1, 301]) { $0.sessions.retryWindow == .zero },
            number("session.access_token_seconds", 60, outside: [59, 901]) { $0.sessions.accessToken == .seconds(60) },
            number("session.step_up_seconds", 30, outside: [29, 3601]) { $0.sessions.stepUpAge == .seconds(30) },
            number("limits.connections", 7, outside: [0, -1, 1_000_001]) { $0.connections.total == 7 },
            number("limits.address_connections", 7, outside: [0, -1, 1_000_001]) { $0.connections.ofAddress == 7 },
            Setting(
                name: "attestation.required", given: ["FUEKID_ATTESTATION_ANCHORS": "tpm=/a.pem"], json: true,
                text: "true",
                wrong: ["true", 1, .null], wrongTexts: ["", "1", "yes", "TRUE"], isRead: { $0.attestation.isRequired }),
            Setting(
                name: "attestation.anchors", json: ["packed=/a.pem", "android-key=/b=.pem"],
                text: "packed=/a.pem,android-key=/b=.pem",
                wrong: [
                    "packed=/a.pem", [1], ["/a.pem"], ["packed="], ["=/a.pem"], ["none=/a.pem"], ["Packed=/a.pem"],
                ],
                wrongTexts: ["/a.pem", "packed=/a.pem,/b.pem", "packed", "unknown=/a.pem"],
                isRead: {
                    $0.attestation.anchors == [
                        .init(format: .packed, path: "/a.pem"), .init(format: .androidKey, path: "/b=.pem"),
                    ]
                }),
            Setting(
                name: "attestation.android_revocation", json: "/status.json", text: "/status.json", wrong: [1],
                isRead: { $0.attestation.androidRevocationPath == "/status.json" }),
            Setting(
                name: "attestation.metadata", given: ["FUEKID_ATTESTATION_METADATA_ROOT": "/root.pem"], json: "/blob",
                text: "/blob", wrong: [1],
                isRead: { $0.attestation.metadataPath == "/blob" }),
            Setting(
                name: "attestation.metadata_root", given: ["FUEKID_ATTESTATION_METADATA": "/blob"], json: "/root.pem",
                text: "/root.pem", wrong: [1],
                isRead: { $0.attestation.metadataRootPath == "/root.pem" }),
            Setting(
                name: "attestation.insecure_sha1_of_tpms", json: true, text: "true", wrong: ["true", 1],
                wrongTexts: ["", "yes"], isRead: \.attestation.allowsInsecureSHA1OfTPMs),
            Setting(
                name: "attestation.android_software_keys", json: true, text: "true", wrong: ["true", 1],
                wrongTexts: ["", "yes"], isRead: \.attestation.allowsAndroidSoftwareKeys),
            Setting(
                name: "audit.reader", json: .string(hash), text: hash, wrong: [1, "ab", [.string("ab")]],
                wrongTexts: ["", "ab", hash + "ab", "zz"],
                isRead: { $0.audit.reader == [UInt8](repeating: 0xab, count: 32) }),
            Setting(
                name: "audit.name", json: "a.example/log", text: "a.example/log", wrong: [1, ""],
                wrongTexts: ["", "a log", "a+log", String(repeating: "a", count: 256)],
                isRead: { $0.audit.name == "a.example/log" }),
            Setting(
                name: "audit.folder", json: "/a", text: "/a", wrong: [1, ""], wrongTexts: [""],
                isRead: { $0.audit.folder == "/a" }),
            Setting(
                name: "audit.secret_folder", json: "/a", text: "/a", wrong: [1, ""], wrongTexts: [""],
                isRead: { $0.audit.secretFolder == "/a" }),
            Setting(
                name: "audit.checkpoint_folder", json: "/a", text: "/a", wrong: [1, ""], wrongTexts: [""],
                isRead: { $0.audit.checkpointFolder == "/a" }),
            Setting(
                name: "audit.replace_lost_secret", json: true, text: "true", wrong: ["true", 1],
                wrongTexts: ["", "yes"], isRead: \.audit.replacesLostSecret),
            Setting(
                name: "witnessed_logs", json: "/logs", text: "/logs", wrong: [1, ""], wrongTexts: [""],
                isRead: { $0.witness.logsPath == "/logs" }),
            Setting(
                name: "witness.name", json: "w.example", text: "w.example", wrong: [1, ""],
                wrongTexts: ["", "a b", "a+b"], isRead: { $0.witness.name == "w.example" }),
            Setting(
                name: "witness.folder", json: "/a", text: "/a", wrong: [1, ""], wrongTexts: [""],
                isRead: { $0.witness.folder == "/a" }),
            Setting(
                name: "log.addresses", json: "none", text: "none", wrong: [1, ["none"]],
                wrongTexts: ["", "None", "all", "half"], isRead: { $0.logAddresses == .none }),
            Setting(
                name: "metrics.addresses", json: ["192.0.2.1"], text: "192.0.2.1", wrong: ["192.0.2.1"],
                wrongTexts: ["x", "192.0.2.0/24"], isRead: { $0.metricsAddresses == ["192.0.2.1"] }),
            Setting(
                name: "passkeys.may_become_synchronised", json: true, text: "true", wrong: ["true", 0],
                wrongTexts: ["", "on"], isRead: \.allowsNewBackupEligibility),
            Setting(
                name: "sign_up", json: "invitation", text: "invitation", wrong: ["Open", 1, true],
                wrongTexts: ["", "no", "OPEN", " open"], isRead: { $0.signUp == .invitation }),
            Setting(
                name: "introspection_clients", json: [.string("api:\(hash)")], text: "api:\(hash)",
                wrong: [.string("api:\(hash)"), [1]],
                wrongTexts: [
                    "api", "api:", ":\(hash)", "api:\(hash)ab", "api:\(hash):x", "api:zz", "a:\(hash),a:\(hash)",
                ],
                isRead: {
                    $0.introspectionClients == [
                        ServerConfiguration.IntrospectionClient(
                            name: "api", secretHash: [UInt8](repeating: 0xab, count: 32))
                    ]
                }),
        ] + bucket("address", \.limits.address) + bucket("account", \.limits.account)
        + bucket("device", \.limits.device) + bucket("recovery", \.limits.recovery)
        + bucket("network", \.limits.network) + bucket("all_recoveries", \.limits.allRecoveries)
        + bucket("all_sign_ups", \.limits.allSignUps)

    @Test("these tests cover every setting")
    func complete() {
        #expect(Set(Self.settings.map(\.name)) == ConfigurationSource.names)
        #expect(Self.settings.count == ConfigurationSource.names.count)
    }

    @Test("every setting is read from the file and from the environment, and named if it is wrong", arguments: settings)
    func setting(_ setting: Setting) throws {
        let variable = "FUEKID_" + setting.name.replacing(".", with: "_").uppercased()
        let file = { (value: JSON) -> [UInt8] in
            setting.name.split(separator: ".").reversed().reduce(value) { inner, name in
                JSON.object(with: [String(name): inner])
            }.encoded
        }
        let load = { (file: [UInt8]?, environment: [String: String]) throws -> ServerConfiguration in
            try ServerConfiguration(
                ConfigurationSource(file: file, environment: setting.given.merging(environment) { $1 }))
        }
        #expect(setting.isRead(try load(file(setting.json), [:])))
        #expect(setting.isRead(try load(nil, [variable: setting.text])))
        // The environment takes precedence.
        if let wrong = setting.wrong.first { #expect(setting.isRead(try load(file(wrong), [variable: setting.text]))) }
        for value in setting.wrong {
            let error = #expect(throws: ConfigurationError.self, "\(value.text)") { try load(file(value), [:]) }
            #expect(error?.setting == setting.name, "\(value.text)")
        }
        for text in setting.wrongTexts {
            let error = #expect(throws: ConfigurationError.self, "\(text)") { try load(nil, [variable: text]) }
            #expect(error?.setting == setting.name, "\(text)")
        }
    }

    @Test(
        "what does not go together is named",
        arguments: [
            (["FUEKID_PUBLIC_URL": "https://a.example"], "tls"),
            (["FUEKID_PUBLIC_URL": "https://a.example", "FUEKID_TLS_KEY": "/k"], "tls"),
            (["FUEKID_PUBLIC_URL": "https://a.example", "FUEKID_TLS_CERTIFICATE": "/c"], "tls"),
            (["FUEKID_TLS_CERTIFICATE": "/c", "FUEKID_TLS_KEY": "/k"], "public_url"),
            (["FUEKID_PROXY_ADDRESSES": "192.0.2.1"], "public_url"),
            (
                [
                    "FUEKID_PUBLIC_URL": "https://a.example", "FUEKID_PROXY_ADDRESSES": "192.0.2.1",
                    "FUEKID_TLS_CERTIFICATE": "/c", "FUEKID_TLS_KEY": "/k",
                ], "proxy.addresses"
            ),
            (["FUEKID_LISTEN": "192.0.2.1:8420"], "listen"),
            (["FUEKID_STORE_SQLITE": "a", "FUEKID_STORE_POSTGRESQL": "host=/run"], "store"),
            (["FUEKID_SESSION_IDLE_HOURS": "48", "FUEKID_SESSION_LIFETIME_HOURS": "47"], "session.idle_hours"),
            (["FUEKID_ATTESTATION_REQUIRED": "true"], "attestation.required"),
            (["FUEKID_ATTESTATION_METADATA": "/blob"], "attestation.metadata"),
            (["FUEKID_ATTESTATION_METADATA_ROOT": "/root.pem"], "attestation.metadata_root"),
            (["FUEKID_SESION_IDLE_HOURS": "1"], "FUEKID_SESION_IDLE_HOURS"),
        ])
    func together(_ environment: [String: String], _ setting: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try ServerConfiguration(ConfigurationSource(file: nil, environment: environment))
        }
        #expect(error?.setting == setting)
    }

    @Test("a file that is not a JSON object, or has an unknown name, is refused")
    func files() {
        for text in ["", "[]", "{", "{\"listen\":\"127.0.0.1:1\",\"listen\":\"127.0.0.1:2\"}", "null"] {
            #expect(throws: ConfigurationError.self) {
                try ConfigurationSource(file: Array(text.utf8), environment: [:])
            }
        }
        let unknown = ["{\"lisen\":1}", "{\"session\":{\"idle\":1}}", "{\"session\":1}", "{\"session.idle_hours\":{}}"]
        for text in unknown {
            #expect(throws: ConfigurationError.self, "\(text)") {
                try ServerConfiguration(ConfigurationSource(file: Array(text.utf8), environment: [:]))
            }
        }
        let large = Array("{\"relying_party\":{\"name\":\"\(String(repeating: "a", count: 64 << 10))\"}}".utf8)
        #expect(throws: ConfigurationError.self) { try ConfigurationSource(file: large, environment: [:]) }
    }

    @Test(
        "only localhost and addresses of this machine are loopback: a name that begins like one is resolved elsewhere",
        arguments: [
            ("localhost:1", true), ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", true),
            ("127.0.0.1.example:1", false), ("127.example:1", false), ("10.0.0.1:1", false), ("[::]:1", false),
        ])
    func loopback(text: String, isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    }

    @Test("the default settings are safe for one machine")
    func defaults() throws {
        let configuration = try ServerConfiguration(
            ConfigurationSource(
                file: nil, environment: ["PATH": "/bin", "FUEKID_HOME": "/x", "FUEKID_LOG_LEVEL": "info"]))
        #expect(configuration.listen.isLoopback)
        #expect(configuration.transport == .localhost)
        #expect(configuration.publicURL.description == "http://localhost:8420")
        #expect(configuration.relyingParty.id == "localhost")
        #expect(configuration.store == .sqlite(path: "auth.sqlite"))
        #expect(configuration.sessions.idle == .days(7))
        #expect(configuration.sessions.lifetime == .days(30))
        #expect(configuration.sessions.retryWindow == .seconds(60))
        #expect(configuration.sessions.accessToken == .minutes(15))
        #expect(configuration.sessions.stepUpAge == .minutes(5))
        #expect(!configuration.allowsNewBackupEligibility)
        #expect(!configuration.attestation.isRequired)
        #expect(!configuration.attestation.allowsInsecureSHA1OfTPMs)
        #expect(!configuration.attestation.allowsAndroidSoftwareKeys)
        #expect(configuration.introspectionClients.isEmpty)
        #expect(configuration.metricsAddresses.isEmpty)
    }

    @Test("if only the port is set, the public URL has that port", arguments: [(8421, ":8421"), (80, "")])
    func address(port: Int, ending: String) throws {
        let said = try ServerConfiguration(
            ConfigurationSource(file: nil, environment: ["FUEKID_LISTEN": "127.0.0.1:\(port)"]))
        #expect(said.publicURL.description == "http://localhost\(ending)")
    }

    @Test("the documented default of each setting is the actual default")
    func fallbacks() throws {
        let defaults = try ServerConfiguration(ConfigurationSource(file: nil, environment: [:]))
        for setting in ServerSetting.all where setting.name != "store.postgresql_connections" {
            guard let fallback = setting.fallback else { continue }
            let said = try ServerConfiguration(
                ConfigurationSource(file: nil, environment: [setting.variable: fallback]))
            #expect(said == defaults, "\(setting.name)")
        }
        let connections = try #require(ServerSetting.all.first { $0.name == "store.postgresql_connections" }?.fallback)
        let store = ["FUEKID_STORE_POSTGRESQL": "host=/run"]
        #expect(
            try ServerConfiguration(
                ConfigurationSource(
                    file: nil, environment: store.merging(["FUEKID_STORE_POSTGRESQL_CONNECTIONS": connections]) { $1 }))
                == ServerConfiguration(ConfigurationSource(file: nil, environment: store)))
    }
}
