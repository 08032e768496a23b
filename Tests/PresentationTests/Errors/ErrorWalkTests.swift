import Amounts
import Bitcoin
import Custody
import Encoding
import ErrorTestSupport
import Ethereum
import Foundation
import Logging
import Payments
import RedactedLogging
import Redaction
import Secrets
import SecureStorage
import Synchronization
import TestSupport
import Testing
import Texts
import Wallet

@testable import ErrorTexts
@testable import Presentation
@testable import Terminal

@Suite("Every case of every error")
struct ErrorWalkTests {
    /// Types that are texts of their own, and types that are not read.
    private static let terms = ReflectedError.Terms(
        texts: [
            "DisplayText.SanitizedText", "Bitcoin.OutPoint", "Bitcoin.TransactionID", "Ethereum.EthereumAddress",
            "Bitcoin.Address<Bitcoin.Checked>",
        ],
        closed: [
            // The review of an intent has tests of its own, and shows all of it on purpose.
            "Wallet.Intent",
            // The policy's decisions are tested where the policy is.
            "Wallet.Effect",
            // The hash of a public key.
            "PinnedHTTP.Pin",
            // A number, in the library of big numbers.
            "Amounts.UInt256",
            // They hold values of the closed types only, or of types that no error contains.
            "Wallet.Decision.Finding.effect", "Payments.UnsentTransaction.contacts",
        ])

    /// The errors that no command can have.
    private static let declared = Result {
        try DeclaredTypes(
            targets: DeclaredTypes.targets(without: [
                // The programs, and the server's libraries, whose errors have a walk of their own.
                "fueki", "fuekid", "AuthOperations", "AuthServer", "AuthSettings", "ServerAudit", "ServerHTTP",
                "AuthStore", "AuthAPI", "SQLStore", "Tokens", "WebAuthn",
            ]))
    }
    private static let walk = Result { ErrorWalk(try ErrorSamples.all(), terms) }

    /// The errors that are texts themselves, or only contain another one.
    private static let containers: Set<String> = [
        "Texts.Failure", "RedactedLogging.RedactedError", "Payments.PaymentStop",
    ]

    @Test("every case of every error, and of every enumeration in one, has a sample")
    func complete() throws {
        let walk = try Self.walk.get()
        expectNone(
            walk.missing(of: try Self.declared.get()).filter { name in
                !Self.containers.contains { name == $0 || name.hasPrefix("\($0).") }
            },
            "these have no sample in ErrorSamples")
        expectNone(walk.neverFilled, "these have a value in no sample")
    }

    @Test("every text in a sample is planted")
    func planted() throws {
        expectNone(
            try Self.walk.get().unmarked(Planted.mark, except: Self.terms.texts), "these texts are not planted")
    }

    @Test("no text about an error shows a value of it that is not in the table of shown values")
    func leaks() throws {
        let findings = try Self.walk.get().findings(shown: ShownValues.all, surfaces: surfaces)
        expectNone(findings.leaks, "these values are shown")
        expectNone(findings.unused, "these entries of ShownValues are not needed")
    }

    @Test("a text is one or two short sentences, and has no name of a type or case in it")
    func plain() throws {
        let rules = TextRules(try Self.declared.get())
        var broken: Set<String> = []
        let explained = try Self.walk.get().samples.flatMap { ErrorSamples.failures(of: $0.error) }
        for failure in try explained + ErrorSamples.general() {
            for text in [failure.message] + (failure.hint.map { [$0] } ?? []) {
                for rule in rules.broken(by: text, ignoring: Planted.mark) { broken.insert("\(rule): \(text)") }
            }
        }
        expectNone(broken, "these texts break a rule")
    }

    @Test("the word for scripts is in snake case, and has one exit code")
    func codes() throws {
        var exitCodes: [String: Set<Int32>] = [:]
        for failure in try Self.walk.get().samples.flatMap({ ErrorSamples.failures(of: $0.error) }) {
            exitCodes[failure.name, default: []].insert(failure.code.rawValue)
        }
        expectNone(
            exitCodes.keys.filter { $0.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil }, "not in snake case")
        expectNone(exitCodes.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value)" }, "several exit codes")
    }

    @Test("each exit code of a failure is one that the manual promises")
    func promisedCodes() throws {
        let manual = try String(contentsOfFile: "\(Repository.path)/docs/man/fueki.1", encoding: .utf8)
        let section = try #require(
            manual.components(separatedBy: ".SH EXIT STATUS").last?.components(separatedBy: ".fi").first)
        let promised = Set(section.split(separator: "\n").compactMap { Int32($0.prefix(2).drop { $0 == " " }) })
        #expect(promised.contains(0) && promised.contains(69))
        let failures = try Self.walk.get().samples.flatMap { ErrorSamples.failures(of: $0.error) }
        expectNone(
            failures.filter { !promised.contains($0.code.rawValue) }.map { "\($0.code.rawValue): \($0.message)" },
            "these exit codes are not in the manual")
    }

    @Test("a store or chip whose answer is not well formed answers wrongly: the exit code is 69")
    func malformedAnswer() {
        for backend in [StoreBackend.secretService, .tpm, .kernelKeyring] {
            #expect(BackendFault.malformedAnswer.failure(of: backend).code == .unavailable)
        }
    }

    private func expectNone(
        _ found: some Sequence<String>, _ complaint: String, at place: SourceLocation = #_sourceLocation
    ) {
        let lines = found.sorted()
        #expect(lines.isEmpty, "\(complaint):\n\(lines.joined(separator: "\n"))", sourceLocation: place)
    }

    // MARK: - The texts about an error

    /// Returns all texts that a person, a developer or a reader of the log may see.
    private func surfaces(of error: any Error) -> [ErrorWalk.Surface] {
        ErrorSamples.failures(of: error).flatMap { failure -> [ErrorWalk.Surface] in
            [
                .init(.person, "message", failure.message), .init(.person, "hint", failure.hint ?? ""),
                .init(.person, "text", failure.text(columns: 80)), .init(.person, "code", failure.name),
                .init(.person, "JSON", Output.json(of: failure)),
            ]
        } + [
            .init(.developer, "description", "\(error)"),
            .init(.developer, "reflection", String(reflecting: error)),
            .init(.developer, "localised description", error.localizedDescription),
            .init(.log, "log", Self.logged(error)),
        ]
    }

    /// Returns what the log of a program writes about the error.
    private static func logged(_ error: any Error) -> String {
        let lines = Lines()
        let logger = Logger(label: "test") { _ in
            RedactedLogHandler(
                Recorder(lines: lines), redactor: Redactor(LiveSecrets()),
                names: Pseudonyms(key: SecretBytes(count: 32, from: SystemRandom())))
        }
        logger.error("a step failed", error: error, metadata: ["error": "\(error)"])
        return lines.all.withLock { $0.joined(separator: "\n") }
    }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct Recorder: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level = .trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }
            let line = "\(event.message) \(values) \(event.error.map { String(reflecting: $0) } ?? "")"
            lines.all.withLock { $0.append(line) }
        }
    }
}
