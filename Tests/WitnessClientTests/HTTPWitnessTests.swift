import AuditLog
import Encoding
import PinnedHTTP
import Secrets
import Synchronization
import TestSupport
import Testing
import Time
import WitnessClient

/// A server with a witness in this process, after C2SP tlog-witness.
private final class WitnessServer: HTTPTransport {
    private let witness: Witness
    private let seen = Mutex<[HTTPRequest]>([])
    /// What the server answers in place of the witness.
    let scripted: HTTPResponse?

    var requests: [HTTPRequest] { seen.withLock(\.self) }

    init(_ witness: Witness, scripted: HTTPResponse? = nil) {
        (self.witness, self.scripted) = (witness, scripted)
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        if let scripted { return scripted }
        guard let body = try? WitnessRequest(decoding: request.body) else { return HTTPResponse(status: 400, body: []) }
        switch await witness.answer(to: body) {
        case .success(let signature): return HTTPResponse(status: 200, body: Array(signature.line.utf8))
        case .failure(.otherSize(let size)): return HTTPResponse(status: 409, body: Array("\(size)\n".utf8))
        case .failure(let refusal): return HTTPResponse(status: refusal.status, body: [])
        }
    }
}

@Suite("A witness over HTTP")
struct HTTPWitnessTests {
    /// A log in a folder, and a witness of it.
    private struct Site: ~Copyable {
        let folder: TemporaryFolder
        let setup: AuditLogSetup
        let witness: Witness
        let key: NoteKey

        static let now: @Sendable () -> Timestamp = { Timestamp(seconds: 1_700_000_000) }

        init() throws {
            let folder = try TemporaryFolder()
            let random = SystemRandom()
            let signer = try Ed25519Signer(name: "device.example", seed: SecretBytes(count: 32, from: random))
            let log = folder.path + "/log"
            let setup = try AuditLogSetup(
                folder: log, reader: try ReaderKey(SecretBytes(count: 32, from: random)).publicKey,
                secrets: try EpochSecretFile(at: folder.path + "/keys/secret", apartFrom: log), signer: signer,
                checkpoints: try CheckpointFolder(at: folder.path + "/kept", apartFrom: log),
                epochLength: .init(entries: 100, seconds: 1_000), random: random,
                now: { ClockReading(wall: Self.now(), uptime: .zero) })
            let cosigner = try Ed25519Signer(
                name: "witness.example", kind: .cosignature, seed: SecretBytes(count: 32, from: random))
            witness = try Witness(
                signer: cosigner, logs: [signer.key],
                store: try CheckpointFolder(at: folder.path + "/witnessed", apartFrom: log), now: Self.now)
            key = cosigner.key
            self.setup = setup
            self.folder = folder
        }

        borrowing func link(_ server: WitnessServer, path: String = "/audit") throws -> HTTPWitness {
            guard let origin = Origin(host: "witness.example") else { throw HTTPWitness.Fault.path }
            return try HTTPWitness(at: origin, path: path, key: key, over: server)
        }
    }

    @Test("a checkpoint is cosigned, again and as the log grows")
    func cosigned() async throws {
        let site = try Site()
        let server = WitnessServer(site.witness)
        let log = try await AuditLog.create(site.setup)
        for _ in 0..<3 {
            try await log.append(.log(.spaceRestored))
            let note = try await log.checkpoint(witnessedBy: try site.link(server))
            #expect(note.cosignatureTimes(by: site.key) == [1_700_000_000])
        }
        #expect(server.requests.allSatisfy { $0.target == "/audit/add-checkpoint" && $0.method == .post })
        try await log.close()
    }

    @Test("a log that is shorter than the witness's last checkpoint is set back")
    func setBack() async throws {
        let site = try Site()
        let log = try await AuditLog.create(site.setup)
        try await log.append(.log(.spaceRestored))
        try await log.close()
        let ahead = WitnessServer(site.witness, scripted: HTTPResponse(status: 409, body: Array("9999\n".utf8)))
        let again = try await AuditLog.open(site.setup)
        let size = await again.size
        await #expect(throws: AuditLogError.rolledBack(size: size, expected: 9_999)) {
            try await again.checkpoint(witnessedBy: try site.link(ahead))
        }
    }

    @Test(
        "an answer that the protocol does not have is no cosignature, and no refusal",
        arguments: [
            (200, ""), (200, "\n"), (200, "\u{2014} witness.example AAAA"), (200, "nothing\n"), (409, ""),
            (409, "-1\n"),
            (409, "01\n"), (409, "99999999999999999999\n"), (302, ""), (503, ""), (201, "x"),
        ])
    func malformed(_ status: Int, _ body: String) async throws {
        #expect(throws: (any Error).self) { try WitnessRequest.answer(status: status, body: Array(body.utf8)) }
        let site = try Site()
        let log = try await AuditLog.create(site.setup)
        let server = WitnessServer(site.witness, scripted: HTTPResponse(status: status, body: Array(body.utf8)))
        await #expect(throws: AuditLogError.badWitnessAnswer(.malformed)) {
            try await log.checkpoint(witnessedBy: try site.link(server))
        }
    }

    @Test("a cosignature by another key does not count", arguments: [200])
    func otherKey(_ status: Int) async throws {
        let site = try Site()
        let other = try Site()
        let log = try await AuditLog.create(site.setup)
        let note = try await log.checkpoint(witnessedBy: try site.link(WitnessServer(site.witness)))
        let lines = note.signatures.suffix(1).map(\.line).joined()
        let replayed = WitnessServer(other.witness, scripted: HTTPResponse(status: status, body: Array(lines.utf8)))
        await #expect(throws: AuditLogError.badWitnessAnswer(.cosignature)) {
            try await log.checkpoint(witnessedBy: try other.link(replayed))
        }
    }

    @Test(
        "each refusal of the protocol is reported",
        arguments: [
            WitnessRefusal.malformed, .notSigned, .unknownLog, .notStored,
        ])
    func refusals(_ refusal: WitnessRefusal) async throws {
        #expect(try WitnessRequest.answer(status: refusal.status, body: []) == .failure(refusal))
    }

    @Test("a witness that cannot be reached has not answered")
    func silent() async throws {
        struct Unreachable: HTTPTransport {
            func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
                throw HTTPFailure(.notConnected, mayHaveArrived: false)
            }
        }
        let site = try Site()
        let log = try await AuditLog.create(site.setup)
        let origin = try #require(Origin(host: "witness.example"))
        let link = try HTTPWitness(at: origin, path: "/audit", key: site.key, over: Unreachable())
        await #expect(throws: AuditLogError.portFailed(.witness)) { try await log.checkpoint(witnessedBy: link) }
    }

    @Test("the address of a witness is that of a server, with a path or without")
    func address() throws {
        let site = try Site()
        let server = WitnessServer(site.witness)
        for address in ["https://witness.example", "https://witness.example:8443/audit/", "http://127.0.0.1:80"] {
            #expect(throws: Never.self) { try HTTPWitness(at: address, key: site.key, over: server) }
        }
        for address in [
            "", "witness.example", "ftp://witness.example", "https://", "https://a:65536", "https://u@a",
            "https://a/?b",
            "https://a/#b",
        ] {
            #expect(throws: HTTPWitness.Fault.address, "\(address)") {
                try HTTPWitness(at: address, key: site.key, over: server)
            }
        }
    }

    @Test("the key of a log is refused")
    func keyOfLog() throws {
        let site = try Site()
        let key = try NoteKey(name: site.key.name, kind: .signature, publicKey: site.key.publicKey)
        #expect(throws: HTTPWitness.Fault.keyOfLog) {
            try HTTPWitness(at: "https://witness.example", key: key, over: WitnessServer(site.witness))
        }
    }

    @Test("a path that no URL can have is refused")
    func path() throws {
        let site = try Site()
        #expect(throws: HTTPWitness.Fault.path) { try site.link(WitnessServer(site.witness), path: "a b") }
        #expect(throws: HTTPWitness.Fault.path) { try site.link(WitnessServer(site.witness), path: "/a#b") }
    }
}
