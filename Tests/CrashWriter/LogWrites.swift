internal import AuditLog
internal import Secrets
internal import Time

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Appends events to an audit log, signs a checkpoint after every third, and reports each durable event:
/// `acknowledged N`. The log is made if it is missing.
struct LogWrites {
    static let usage = "log FOLDER COUNT"

    private let folder: String
    private let count: Int

    init?(_ arguments: [String]) {
        guard arguments.count == 2, let count = Int(arguments[1]) else { return nil }
        (folder, self.count) = (arguments[0], count)
    }

    func run() async -> Int32 {
        do {
            let log = try await open()
            say("opened")
            for number in 1...count {
                let wallet = try AuditIdentifier(Array("\(number)".utf8))
                _ = try await log.admit(.wallet(WalletEvent(.signing, .admitted, wallet: wallet, subject: nil)))
                say("acknowledged \(number)")
                if number.isMultiple(of: 3) {
                    _ = try await log.checkpoint()
                    say("signed \(number)")
                }
            }
            try await log.close()
            say("closed")
            return 0
        } catch {
            say("refused \(error)")
            return 1
        }
    }

    private func open() async throws(AuditLogError) -> AuditLog {
        let path = folder + "/log"
        let setup = try AuditLogSetup(
            folder: path, reader: try ReaderKey(Self.secret(2)).publicKey,
            secrets: try EpochSecretFile(at: folder + "/keys/secret", apartFrom: path),
            signer: try Ed25519Signer(name: "crash.example/log", seed: Self.secret(1)),
            checkpoints: try CheckpointFolder(at: folder + "/kept", apartFrom: path),
            epochLength: .init(entries: 4, seconds: 1 << 20), random: SystemRandom(), now: ClockReading.now)
        do { return try await AuditLog.open(setup) } catch .notFound { return try await AuditLog.create(setup) }
    }

    private static func secret(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { memory in for index in memory.indices { memory[index] = byte } }
    }
}
