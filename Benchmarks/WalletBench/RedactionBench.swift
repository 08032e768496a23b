internal import Curves
internal import Redaction
internal import Secrets

/// The redaction benchmark: a log of one MiB, redacted while 100 secrets are live.
final class RedactionBench: Sendable {
    private static let size = 1 << 20
    private static let liveSecrets = 100

    private let log: String
    private let bytes: [UInt8]
    private let redactor: Redactor
    private let registered: [Held<LiveSecret>]

    init() throws {
        let secrets = LiveSecrets()
        registered = try (0..<Self.liveSecrets).map { _ in
            Held(try secrets.register(SecretBytes(count: 32, from: SystemRandom())))
        }
        redactor = Redactor(secrets)
        var (text, number) = ("", 0)
        while text.utf8.count < Self.size {
            number += 1
            text += """
                {"at":"2026-11-25T12:00:\(number % 60)Z","level":"info","message":"request","route":"/api/auth/session",\
                "status":200,"us":\(number * 37 % 9_000),"id":"7f3a\(number)c2"}
                12-17 19:31:36.263 1795 1825 I PowerManager_screenOn: DisplayPower state changed to \(number) (reason 2)

                """
        }
        log = String(text.prefix(Self.size))
        bytes = Array(log.utf8)
    }

    func redact() { _ = redactor.redacted(log) }

    func hash() { _ = SHA256.hash(bytes) }
}
