internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import StoreTestSupport
internal import TestSupport
internal import Testing
internal import Time
internal import WebAuthn

@testable internal import AuthServer
@testable internal import AuthServerTestSupport
@testable internal import AuthSettings
@testable internal import SQLStore

/// FIDO's files about models.
@Suite("Metadata files")
struct MetadataFilesTests {
    private struct Question: Encodable {
        struct Entry: Encodable {
            let aaguid: String
            let statuses: [[String?]]
        }
        let algorithm = "ES256"
        let host = MetadataBLOB.service
        var number = 91
        let entries: [Entry]
        let nextUpdate = "2030-01-01"

        enum CodingKeys: String, CodingKey {
            case algorithm, host, number, entries
            case nextUpdate = "next_update"
        }
    }

    private struct Answer: Decodable {
        let file: String
        let root: String
        let vendor: String
    }

    /// The minted certificates are of 2026 and 2027.
    private static let start = Timestamp(seconds: 1_795_262_400)

    private static func pem(_ der: String) throws -> String {
        let text = Array(Base64.encode(try Hex.decode(der)))
        // RFC 7468 section 2: lines of 64 characters.
        let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
        return "-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n"
    }

    private static let revoked = "f24a8e70-d0d3-f82c-2937-32523cc4de5a"

    @Test(
        "a model that the metadata call compromised is refused; another root's metadata keep the server from starting",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func metadata() async throws {
        let entry = Question.Entry(aaguid: Self.revoked, statuses: [["REVOKED", "2025-01-01"]])
        let answer: Answer = try Python.ask("mint_metadata.py", Question(entries: [entry]))
        let folder = try TemporaryFolder()
        let file = try folder.write(answer.file, to: "blob.jwt")
        let root = try folder.write(try Self.pem(answer.root), to: "root.pem")
        let vendor = try folder.write(try Self.pem(answer.vendor), to: "vendor.pem")
        let model = try AAGUID(Self.revoked)
        try await TestServer.with(
            changing: {
                $0.attestation.metadataPath = file
                $0.attestation.metadataRootPath = root
            }, at: Self.start
        ) { server in
            let (phone, keys) = (server.device(), server.authenticator())
            keys.behaviour.model = model
            let made = try keys.register(await phone.signUpOptions())
            try await server.refuses(Problem(.attestationRefused)) {
                try await phone.register(made, accountName: "Ada")
            }
            try await phone.signUp(with: server.authenticator())
        }
        await #expect(throws: StartupError.attestationFile(file)) {
            try await TestServer.with(
                changing: {
                    $0.attestation.metadataPath = file
                    $0.attestation.metadataRootPath = vendor
                }, at: Self.start
            ) { _ in }
        }
    }

    /// Metadata with a number, and the settings that name their files.
    private func minted(
        _ number: Int, in folder: borrowing TemporaryFolder
    ) throws -> ServerConfiguration.AttestationSettings {
        let answer: Answer = try Python.ask("mint_metadata.py", Question(number: number, entries: []))
        return ServerConfiguration.AttestationSettings(
            isRequired: false, anchors: [],
            metadataPath: try folder.write(answer.file, to: "blob-\(number)"),
            metadataRootPath: try folder.write(try Self.pem(answer.root), to: "root-\(number)"))
    }

    @Test(
        "metadata that are older than some that were read before keep the server from starting",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)),
        arguments: StoreUnderTest.expected)
    func rollback(_ store: StoreUnderTest) async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try minted(90, in: folder), try minted(91, in: folder))
        try await store.withEmpty { database in
            @Sendable func start(_ settings: ServerConfiguration.AttestationSettings) async throws {
                var configuration = try TestServer.configuration()
                configuration.attestation = settings
                _ = try await AuthServer(
                    configuration, sealer: sealer, database: database, clock: { Self.start },
                    random: SeededRandom(seed: 1), logger: RecordingLog().logger)
            }
            try await start(old)
            try await start(new)
            let refusal = StartupError.olderMetadata(path: old.metadataPath ?? "", number: 90, seen: 91)
            await #expect(throws: refusal) { try await start(old) }
            try await start(new)
            let highest = try await database.read { try MetadataNumbers.highest(of: MetadataBLOB.service, in: $0) }
            #expect(highest == 91)
        }
    }
}
