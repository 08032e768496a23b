internal import AsyncHTTPClient
internal import AuditLog
internal import Encoding
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Secrets
internal import ServerHTTP
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Time

extension ServerTests {
    @Suite("The audit log and the witness", .serialized)
    struct Audit {
        private static let fueki = "\(FuekiCommand.binaries)/fueki"
        private static let fuekid = "\(FuekiCommand.binaries)/fuekid"
        /// Whether the command is built: not by `FUEKI_PART=server`.
        private static let hasFueki = FileManager.default.isExecutableFile(atPath: fueki)

        /// Makes the reader's keys as an operator does, and returns the settings of the server.
        private static func settings(in folder: String) throws -> [String: String] {
            let made = try Program.output(fuekid, ["audit", "key", "\(folder)/owner.key", "--json"])
            let reader = try #require(try JSON(decoding: Array(made.utf8))["reader"]?.string)
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/owner.key")[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
            return ["AUDIT_READER": reader, "AUDIT_CHECKPOINT_FOLDER": "\(folder)/checkpoints"]
        }

        /// Returns the log's public key, as `fuekid check` shows it.
        private static func logKey(_ home: String, _ settings: [String: String]) throws -> String {
            let checked = try check(home, settings)
            let text = try #require(
                checked["findings"]?.array?.first { $0["about"]?.string == "audit" }?["text"]?.string)
            return try #require(text.components(separatedBy: "Its key is ").last)
        }

        private static func environment(_ settings: [String: String]) -> [String: String] {
            Dictionary(uniqueKeysWithValues: settings.map { ("FUEKID_\($0.key)", $0.value) })
        }

        private static func check(_ home: String, _ settings: [String: String]) throws -> JSON {
            let outcome = try Program.run(
                fuekid, ["check", "--home", home, "--json"], environment: environment(settings))
            try #require(outcome.isSuccess, "\(outcome.errors)")
            return try JSON(decoding: Array(outcome.output.utf8))
        }

        /// Reads the log with the library.
        private static func events(_ home: String, _ folder: String) throws -> [ServerEvent] {
            let digits = try String(contentsOfFile: "\(folder)/owner.key", encoding: .utf8)
            var bytes = try Hex.decode(String(digits.dropLast()))
            let key = try ReaderKey(SecretBytes(moving: &bytes))
            let reader = try LogReader(at: "\(home)/audit")
            let events = Mutex<[ServerEvent]>([])
            let report = try LogVerification.report(
                on: reader, identity: reader.identity, checkpoints: [], key: key
            ) { _, record in
                if case .server(let event) = record.event { events.withLock { $0.append(event) } }
            }
            #expect(report.isSound, "\(report.findings)")
            return events.withLock { $0 }
        }

        @Test(
            "a sign-up and a sign-in are verified and shown by fueki, with the checkpoint that the server signed at its end",
            .enabled(if: hasFueki))
        func verified() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let settings = try Self.settings(in: folder.path)
            let server = try await RunningServer(home: home, settings)
            let device = Device(at: server.url, with: try Passkey())
            _ = try await device.signUp()
            _ = try await device.signIn()
            let published = try await HTTPClient.shared.get(url: "\(server.url)/audit/checkpoint").get()
            #expect(published.status == .ok)
            #expect(try await server.stop() == 0)

            let key = try Self.logKey(home, settings.merging(["LISTEN": "127.0.0.1:\(server.port)"]) { $1 })
            let last = try Program.run(
                Self.fuekid, ["audit", "checkpoint", "--home", home],
                environment: Self.environment(settings.merging(["LISTEN": "127.0.0.1:\(server.port)"]) { $1 }))
            try folder.write(last.output, to: "last")
            try folder.write(published.body.map { String(buffer: $0) } ?? "", to: "published")
            let verified = try Program.run(
                Self.fueki,
                [
                    "audit", "verify", "\(home)/audit", "--log-key", key, "--checkpoint", "\(folder.path)/last",
                    "--checkpoint", "\(folder.path)/published", "--reader-key", "\(folder.path)/owner.key",
                ])
            #expect(verified.isSuccess, "\(verified.errors)")
            #expect(verified.output.contains("compared with checkpoints: 2"))
            let shown = try Program.output(
                Self.fueki,
                [
                    "audit", "show", "\(home)/audit", "--reader-key", "\(folder.path)/owner.key", "--all", "--json",
                ])
            let words = try shown.split(separator: "\n").map { try JSON(decoding: Array($0.utf8))["event"]?.string }
            #expect(
                words == [
                    "epoch_began", "configured", "device_added", "account_created", "passkey_added", "signed_in",
                    "closed",
                ])
            // What was cut off afterwards is found.
            let path = "\(home)/audit/entries-000000000000000"
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try bytes.dropLast(60).write(to: URL(fileURLWithPath: path))
            let cut = try Program.run(
                Self.fueki,
                ["audit", "verify", "\(home)/audit", "--log-key", key, "--checkpoint", "\(folder.path)/last"])
            #expect(cut.status == 2)
        }

        private final class Count: Sendable {
            private let count = Mutex(0)
            var value: Int { count.withLock { $0 } }
            func add() { count.withLock { $0 += 1 } }
        }

        @Test("killed at any moment, the server loses no event of an acknowledged change")
        func kills() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let settings = try Self.settings(in: folder.path).merging(RunningServer.unlimited) { own, _ in own }
            var server = try await RunningServer(home: home, settings)
            let port = server.port
            let acknowledged = Count()
            for round in 1...4 {
                let url = server.url
                let load = Task {
                    while !Task.isCancelled {
                        guard (try? await Device(at: url, with: try Passkey()).signUp()) != nil else { return }
                        acknowledged.add()
                    }
                }
                let target = round * 3
                try await Patience.wait(for: "sign-ups") { acknowledged.value >= target }
                try await server.kill()
                load.cancel()
                await load.value
                server = try await RunningServer(home: home, port: port, settings)
            }
            #expect(try await server.metric("fuekid_audit_waiting") == 0)
            #expect(try await server.stop() == 0)
            let events = try Self.events(home, folder.path)
            let created = Set(events.filter { $0.kind == .accountCreated }.map(\.id))
            #expect(created.count >= acknowledged.value)
            #expect(Set(events.filter { $0.kind == .accountCreated }.compactMap(\.account)).count == created.count)
            #expect(events.filter { $0.kind == .configured }.count == 5)
        }

        @Test("a log that was removed while the server was down keeps it from starting, and the command says why")
        func removed() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let settings = try Self.settings(in: folder.path)
            let server = try await RunningServer(home: home, settings)
            _ = try await Device(at: server.url, with: try Passkey()).signUp()
            #expect(try await server.stop() == 0)
            try FileManager.default.removeItem(atPath: "\(home)/audit")
            try FileManager.default.removeItem(atPath: "\(folder.path)/checkpoints")
            let refused = try RunningServer.start(home: home, port: server.port, settings)
            #expect(try await refused.end() == 65)
            #expect(refused.errors.contains("\(home)/audit: the audit log is missing, was cut, or was changed"))
            #expect(refused.errors.contains("another audit.name"))
            let checked = try Program.run(
                Self.fuekid, ["check", "--home", home],
                environment: Self.environment(settings.merging(["LISTEN": "127.0.0.1:\(server.port)"]) { $1 }))
            #expect(checked.status == 65)
            // A new log has another name.
            let again = try await RunningServer(
                home: home, settings.merging(["AUDIT_NAME": "login.example.org/second"]) { $1 })
            #expect(try await again.stop() == 0)
        }

        @Test("without a reader the start and the check say in one line that there is no audit log")
        func off() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let server = try await RunningServer(home: home)
            #expect(try await server.stop() == 0)
            #expect(server.program.errors.components(separatedBy: "no audit log").count == 2)
            #expect(!FileManager.default.fileExists(atPath: "\(home)/audit"))
            let findings = try Self.check(home, [:])["findings"]?.array?.filter { $0["about"]?.string == "audit" }
            #expect(findings?.count == 1)
            #expect(findings?.first?["text"]?.string?.hasPrefix("off: ") == true)
        }

        @Test("two servers on one folder do not write one log")
        func inUse() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            var settings = try Self.settings(in: folder.path)
            settings["AUDIT_NAME"] = "login.example.org/audit"
            let server = try await RunningServer(home: home, settings)
            let second = try RunningServer.start(home: home, port: try FreePort.any(), settings)
            #expect(try await second.end() == 75)
            #expect(second.errors.contains("another process has the audit log open"))
            #expect(try await server.stop() == 0)
        }

        /// A connection to the witness of a server.
        private struct Link: WitnessLink {
            let key: NoteKey
            let url: String

            func answer(to request: WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal> {
                var message = HTTPClientRequest(url: "\(url)/audit/add-checkpoint")
                message.method = .POST
                message.body = .bytes(request.encoded)
                let response = try await HTTPClient.shared.execute(message, timeout: .minutes(10))
                let text = String(buffer: try await response.body.collect(upTo: 1 << 16))
                switch response.status.code {
                case 200:
                    // The lines belong below the note.
                    let note = try SignedNote(decoding: request.checkpoint.encoded + Array(text.utf8))
                    return .success(Array(note.signatures.dropFirst(request.checkpoint.signatures.count)))
                case 409: return .failure(.otherSize(try #require(UInt64(text.dropLast()))))
                case 422: return .failure(.inconsistent)
                case 404: return .failure(.unknownLog)
                default: return .failure(.notStored)
                }
            }
        }

        /// The ports of a device's log, in memory.
        private final class Ports: CheckpointStore, EpochSecretStore {
            private let state = Mutex((notes: [SignedNote](), secret: [UInt8]()))

            func last(of origin: String) async throws -> SignedNote? { state.withLock { $0.notes.last } }
            func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws {
                state.withLock { $0.notes.append(note) }
            }

            func load() async throws -> SecretBytes? {
                var bytes = state.withLock { $0.secret }
                return bytes.isEmpty ? nil : SecretBytes(moving: &bytes)
            }

            func replace(with secret: borrowing SecretBytes) async throws {
                let bytes = secret.withUnsafeBytes { Array($0) }
                state.withLock { $0.secret = bytes }
            }
        }

        @Test(
            "a device's log has its checkpoints cosigned by the server, over HTTP and over a restart; one set back is found"
        )
        func witness() async throws {
            let folder = try TemporaryFolder()
            let home = "\(folder.path)/home"
            let signer = try Ed25519Signer(
                name: "phone.example/log", seed: SecretBytes(count: 32, from: SystemRandom()))
            let ports = Ports()
            // The server's cosignatures have this machine's time, and the log takes only those of a day around its own.
            let setup = try AuditLogSetup(
                folder: "\(folder.path)/log", reader: [UInt8](repeating: 9, count: 32), secrets: ports, signer: signer,
                checkpoints: ports, epochLength: .init(entries: 1_000, seconds: 1_000), random: SystemRandom(),
                now: ClockReading.now)
            let log = try await AuditLog.create(setup)
            try folder.write("\(signer.key.text)\n", to: "logs")
            let settings = ["WITNESSED_LOGS": "\(folder.path)/logs"]
            var server = try await RunningServer(home: home, settings)
            let port = server.port
            let answer = try await HTTPClient.shared.get(url: "\(server.url)/audit/witness-key").get()
            let key = try NoteKey(parsing: String((answer.body.map { String(buffer: $0) } ?? "").dropLast()))
            let link = Link(key: key, url: server.url)
            func event(_ number: UInt8) throws -> AuditEvent {
                .other(try OtherEvent(code: 0x8000, version: 1, payload: [number]))
            }
            for number: UInt8 in 0..<3 {
                try await log.append(event(number))
                let note = try await log.checkpoint(witnessedBy: link)
                #expect(note.cosignatureTimes(by: key)?.count == 1)
            }
            try await server.kill()
            server = try await RunningServer(home: home, port: port, settings)
            try await log.append(event(9))
            let note = try await log.checkpoint(witnessedBy: link)
            #expect(note.cosignatureTimes(by: key)?.count == 1)
            // Another log with the same key, as of a device that was set back.
            let other = try AuditLogSetup(
                folder: "\(folder.path)/other", reader: [UInt8](repeating: 9, count: 32), secrets: Ports(),
                signer: signer, checkpoints: Ports(), epochLength: .init(entries: 1_000, seconds: 1_000),
                random: SystemRandom(), now: ClockReading.now)
            let back = try await AuditLog.create(other)
            try await back.append(event(1))
            let error = await #expect(throws: AuditLogError.self) { try await back.checkpoint(witnessedBy: link) }
            #expect(error == .rolledBack(size: 2, expected: 8))
            for number: UInt8 in 0..<20 { try await back.append(event(number)) }
            await #expect(throws: AuditLogError.forked(size: 8)) { try await back.checkpoint(witnessedBy: link) }
            #expect(try await server.stop() == 0)
        }

        @Test(
            "a wallet's log is cosigned by the server; a wallet that was set back with all of its machine is found",
            .enabled(if: hasFueki))
        func wallet() async throws {
            let folder = try TemporaryFolder()
            try folder.write("correct horse battery staple\n", to: "passphrase")
            let root = folder.path
            func fueki(_ arguments: String...) throws -> Program.Outcome {
                try Program.run(
                    Self.fueki, arguments + ["--passphrase-file", "passphrase"],
                    environment: ["FUEKI_HOME": "\(root)/wallets"], in: root)
            }
            let made = try fueki(
                "wallet", "create", "w", "--network", "regtest", "--backup-dir", "backup", "--recovery-dir", "recovery")
            #expect(made.isSuccess, "\(made.errors)")
            let report = try fueki("audit", "verify", "w", "--json")
            let logKey = try #require(try JSON(decoding: Array(report.output.utf8))["log_key"]?.string)
            try folder.write("\(logKey)\n", to: "logs")
            let server = try await RunningServer(
                home: "\(folder.path)/home", ["WITNESSED_LOGS": "\(folder.path)/logs"])
            let answer = try await HTTPClient.shared.get(url: "\(server.url)/audit/witness-key").get()
            let key = String((answer.body.map { String(buffer: $0) } ?? "").dropLast())
            try FileManager.default.copyItem(atPath: "\(folder.path)/wallets", toPath: "\(folder.path)/before")

            #expect(try fueki("sign-message", "w", "--text", "hello", "--yes").isSuccess)
            let witnessed = try fueki("audit", "witness", "w", "--url", "\(server.url)/audit", "--key", key)
            #expect(witnessed.isSuccess, "\(witnessed.errors)")
            #expect(witnessed.output.hasPrefix("cosigned by "), "\(witnessed.output)")
            let verified = try fueki("audit", "verify", "w")
            #expect(verified.isSuccess && verified.output.contains("compared with checkpoints: 3"))

            try FileManager.default.removeItem(atPath: "\(folder.path)/wallets")
            try FileManager.default.moveItem(atPath: "\(folder.path)/before", toPath: "\(folder.path)/wallets")
            // On the machine everything fits.
            #expect(try fueki("audit", "verify", "w").isSuccess)
            let back = try fueki("audit", "witness", "w", "--url", "\(server.url)/audit", "--key", key)
            #expect(back.status == 2, "\(back.errors)")
            #expect(back.errors.contains("it was set back"), "\(back.errors)")
            #expect(try await server.stop() == 0)
        }
    }
}
