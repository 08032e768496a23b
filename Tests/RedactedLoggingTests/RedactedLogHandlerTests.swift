import Logging
import RedactedLogging
import Redaction
import Secrets
import Synchronization
import Testing

@Suite("Redacted logs")
struct RedactedLogHandlerTests {
    /// What was written.
    final class Lines: Sendable {
        private let all = Mutex<[String]>([])

        var text: String { all.withLock { $0.joined(separator: "\n") } }

        func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    struct Recorder: LogHandler {
        let lines: Lines
        var logLevel: Logger.Level = .trace
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = [metadata, metadataProvider?.get() ?? [:], event.metadata ?? [:]]
                .flatMap { $0.map { "\($0.key)=\($0.value)" }.sorted() }
            lines.add("\(event.message) \(all.joined(separator: " ")) \(event.error.map { "\($0)" } ?? "")")
        }
    }

    private static let secret = "an API secret of 24 bytes"

    private func written(
        shownKeys: Set<String> = [], provider: Logger.MetadataProvider? = nil, _ log: (inout Logger) -> Void
    ) throws -> String {
        var bytes = Array(Self.secret.utf8)
        let secrets = LiveSecrets()
        let registered = try secrets.register(SecretBytes(moving: &bytes))
        let lines = Lines()
        var logger = Logger(label: "test") { _ in
            var handler = RedactedLogHandler(
                Recorder(lines: lines), redactor: Redactor(secrets),
                names: Pseudonyms(key: SecretBytes(count: 32, from: SystemRandom())), shownKeys: shownKeys)
            handler.metadataProvider = provider
            return handler
        }
        log(&logger)
        _ = consume registered
        return lines.text
    }

    @Test("a value that is not marked is not shown, in whatever it lies")
    func denied() throws {
        let text = try written { logger in
            logger[metadataKey: "own"] = "value"
            logger.info("a", metadata: ["b": "value", "c": ["d": ["value"]], "e": .stringConvertible(7)])
        }
        #expect(text == "a own=[not shown] b=[not shown] c=[\"d\": [\"[not shown]\"]] e=[not shown] ")
    }

    @Test("a marked value, and one of a named key, are shown and redacted; an identifier has a name")
    func shown() throws {
        let text = try written(shownKeys: ["file"]) { logger in
            logger.info(
                "a", metadata: ["b": .shown("x \(Self.secret)"), "file": "auth.json", "id": .identifier("Grace")])
            logger.info("b", metadata: ["b": .attributed("x", attributes: [LogSensitivity.secret])])
        }
        #expect(text.hasPrefix("a b=x [redacted: secret] file=auth.json id=id-"))
        #expect(!text.contains("Grace"))
        #expect(text.hasSuffix("b b=[not shown] "))
    }

    @Test("a secret in a message, a key, a provider's value or an error is not written")
    func everywhere() throws {
        struct Rejected: Error { let request: String, cause: any Error }
        struct Cause: Error { let body: String }
        let provider = Logger.MetadataProvider { ["p": .shown(Self.secret)] }
        let text = try written(provider: provider) { logger in
            let error = Rejected(request: Self.secret, cause: Cause(body: Self.secret))
            logger.error("sent \(Self.secret)", error: error, metadata: [Self.secret: .shown(1)])
        }
        #expect(!text.contains(Self.secret.prefix(8)))
        #expect(text.contains("sent [redacted: secret] p=[redacted: secret] [redacted: secret]=1"))
        #expect(text.hasSuffix("Rejected"))
    }
}
