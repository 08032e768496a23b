internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import ErrorTestSupport
internal import Foundation
internal import SecureStorage
internal import ServerHTTP
internal import Testing

@testable internal import AuthOperations
@testable internal import AuthServer
@testable internal import SQLStore

@Suite("Every case of every error of the server")
struct ServerErrorWalkTests {
    private static let terms = ReflectedError.Terms(
        texts: [],
        closed: [
            // A certificate that the operator trusts: public, and in no error of a client.
            "WebAuthn.TrustAnchor"
        ])

    private static let declared = Result {
        try DeclaredTypes(targets: [
            "AuthOperations", "AuthServer", "AuthSettings", "ServerAudit", "ServerHTTP", "AuthStore", "AuthAPI",
            "SQLStore", "Tokens", "WebAuthn",
        ])
    }
    private static let walk = ErrorWalk(ServerErrorSamples.all, terms)

    /// The cases that contain a value of a closed type.
    private static let closed: Set<String> = ["WebAuthn.AttestationTrust.anchored"]

    /// The errors of a client of the server, which the server does not throw.
    private static let ofClients: Set<String> = [
        "AuthAPI.MalformedAnswer", "AuthAPI.ErrorAnswer.problem", "AuthAPI.ErrorAnswer.other",
    ]

    /// The values that may be shown, and why.
    private static let shown: [ErrorWalk.Shown] =
        [
            "ServerHTTP.CertificateFault.unreadable.path",
            "AuthSettings.StartupError.attestationFile",
            "AuthSettings.StartupError.pageLogo.0", "AuthSettings.StartupError.olderMetadata.path",
            "AuthSettings.StartupError.vaultIsMissing", "AuthSettings.StartupError.noStore",
            "AuthSettings.StartupError.auditLog.folder", "AuthSettings.StartupError.witnessedLogs.0",
            "AuthSettings.StartupError.fileExists",
        ].map { .init($0, to: .person, "the operator named the file") }
        + [
            "AuthSettings.ConfigurationError.setting", "AuthSettings.ConfigurationError.reason",
            "AuthSettings.StartupError.pageLogo.1", "AuthSettings.StartupError.witnessedLogs.1",
        ].map { .init($0, to: .person, "the rule that a setting breaks, without its value") }
        + [
            .init(
                "SQLStore.StoreError.notReached", to: .person,
                "the operator looks for the database: libpq names its host, and never a password"),
            .init("SQLStore.StoreError.failed.code", to: .person, "the database's own code"),
            .init("SQLStore.StoreError.migrationWasChanged", to: .person, "the name of a migration of this program"),
            .init("SQLStore.StoreError.unknownMigration", to: .person, "the name of a migration of this program"),
        ]
        + ["name", "message", "hint"].map {
            .init("AuthOperations.OperationFailure.\($0)", to: .person, "it is the text for the operator")
        }
        + [
            .init("AuthAPI.Problem.limit", to: .developer, "the kind of a limit; the answer does not have it"),
            .init("WebAuthn.MetadataStatus.rawValue", to: .developer, "a word of FIDO's list of models"),
        ]

    @Test("every case of every error, and of every enumeration in one, has a sample")
    func complete() throws {
        expectNone(
            Set(Self.walk.missing(of: try Self.declared.get())).subtracting(Self.closed).subtracting(Self.ofClients),
            "these have no sample in ServerErrorSamples")
        expectNone(Self.walk.neverFilled, "these have a value in no sample")
        expectNone(
            Self.walk.unmarked(ServerErrorSamples.mark, except: []).subtracting(["SQLStore.StoreError.failed.code"]),
            "these texts are not planted")
    }

    @Test("no text about an error shows a value of it that is not in the table of shown values")
    func leaks() {
        let findings = Self.walk.findings(shown: Self.shown, surfaces: surfaces)
        expectNone(findings.leaks, "these values are shown")
        expectNone(findings.unused, "these entries are not needed")
    }

    @Test("a client's problem has the title of its code, and nothing of the error")
    func problems() {
        for error in ServerErrorSamples.all {
            let problem = ProblemMapping.problem(of: error)
            let members = problem.json.object?.members.map(\.name) ?? []
            #expect(
                Set(members).isSubset(of: ["type", "title", "status", "code", "error", "retry_after", "max_age"]))
            #expect(problem.json["title"]?.string == problem.code.title)
        }
        // A failing disk may recover.
        for code in ["SQLite 10", "SQLite 266", "SQLite 6922", "PostgreSQL 58030"] {
            #expect(ProblemMapping.problem(of: StoreError.failed(code: code)) == Problem(.unavailable, retryAfter: 1))
        }
        for code in ["SQLite 1", "SQLite 2561", "SQLite", "GRDB", "PostgreSQL 42601"] {
            #expect(ProblemMapping.problem(of: StoreError.failed(code: code)) == Problem(.internalError))
        }
        // The log does not name the database's host.
        #expect(ProblemMapping.reason(of: StoreError.notReached("zqhost")) == "notReached")
    }

    @Test("a text is one or two short sentences, and has no name of a type or case in it")
    func plain() throws {
        let rules = TextRules(try Self.declared.get())
        var broken: Set<String> = []
        for code in ProblemCode.allCases {
            for rule in rules.broken(by: code.title, ignoring: ServerErrorSamples.mark, isWhole: true) {
                broken.insert("\(rule): \(code.title)")
            }
        }
        for failure in failures() {
            // An unforeseen error has only its type to report.
            for text in [failure.message] + (failure.name == "internal" ? [] : failure.hint.map { [$0] } ?? []) {
                for rule in rules.broken(by: text, ignoring: ServerErrorSamples.mark) {
                    broken.insert("\(rule): \(text)")
                }
            }
        }
        expectNone(broken, "these texts break a rule")
    }

    @Test("the word for scripts is in snake case, has one exit code, and is in docs/formats/json.md")
    func codes() throws {
        var kinds: [String: Set<OperationFailure.Kind>] = [:]
        for failure in failures() where failure.name != "zq_name" {
            kinds[failure.name, default: []].insert(failure.kind)
        }
        expectNone((kinds.keys + codeWords).filter { $0.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil }, "words")
        expectNone(kinds.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value)" }, "several kinds")
        #expect(Set(codeWords).count == codeWords.count)
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/formats/json.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)
        expectNone(kinds.keys.filter { !text.contains("`\($0)`") }, "docs/formats/json.md lacks")
    }

    private var codeWords: [String] { ProblemCode.allCases.map(\.rawValue) }

    // MARK: - The texts about an error

    private static let home = ServerHome(path: "/var/lib/fuekid")
    private static let locations: [StoreLocation] = [
        .sqlite(path: "auth.sqlite"), .postgreSQL(connection: "host=zqdatabase password=zqpassword", connections: 4),
    ]

    /// Returns the failures of an operator's command for all samples, and for the files' errors.
    private func failures() -> [OperationFailure] {
        (ServerErrorSamples.all + ServerErrorSamples.storageErrors + ServerErrorSamples.fileErrors).flatMap(failures)
            + ServerErrorSamples.storeErrors.map { OperationFailure($0, file: "/backup.sqlite") }
    }

    private func failures(of error: any Error) -> [OperationFailure] {
        Self.locations.map { OperationFailure(error, home: Self.home, store: $0) }
    }

    private func surfaces(of error: any Error) -> [ErrorWalk.Surface] {
        let failures = failures(of: error) + ((error as? StoreError).map { [OperationFailure($0, file: "/b")] } ?? [])
        for failure in failures {
            #expect(!failure.message.contains("zqpassword") && failure.hint?.contains("zqpassword") != true)
        }
        let problem = ProblemMapping.problem(of: error)
        return failures.flatMap { failure -> [ErrorWalk.Surface] in
            [
                .init(.person, "message", failure.message), .init(.person, "hint", failure.hint ?? ""),
                .init(.person, "code", failure.name),
            ]
        } + [
            // A client is not the operator: it may see no value at all, as in the log.
            .init(.log, "problem", String(decoding: problem.json.encoded, as: UTF8.self)),
            .init(.developer, "reason in the log", ProblemMapping.reason(of: error)),
            .init(.developer, "description", "\(error)"), .init(.developer, "reflection", String(reflecting: error)),
            .init(.developer, "localised description", error.localizedDescription),
        ]
    }

    private func expectNone(
        _ found: some Sequence<String>, _ complaint: String, at place: SourceLocation = #_sourceLocation
    ) {
        let lines = found.sorted()
        #expect(lines.isEmpty, "\(complaint):\n\(lines.joined(separator: "\n"))", sourceLocation: place)
    }
}
