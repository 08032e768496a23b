internal import AuthAPI
internal import Encoding
internal import TestSupport
internal import Testing
internal import WebAuthn

@testable internal import AuthServer

/// What the operator says about makers and models, from files.
@Suite("Attestation files")
struct AttestationFilesTests {
    @Test("a file that is missing, or is none, is named")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("nothing of use", to: "text")
        let half = try folder.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", to: "half")
        for path in ["\(folder.path)/none", text, half] {
            for settings in [
                ServerConfiguration.AttestationSettings(
                    isRequired: false, anchorPaths: [path], metadataPath: nil, metadataRootPath: nil),
                ServerConfiguration.AttestationSettings(
                    isRequired: false, anchorPaths: [], metadataPath: text, metadataRootPath: path),
            ] {
                #expect(throws: StartupError.attestationFile(path)) {
                    try AttestationFiles.policy(settings, at: now)
                }
            }
        }
    }

    private struct Question: Encodable {
        struct Entry: Encodable {
            let aaguid: String
            let statuses: [[String?]]
        }
        let algorithm = "ES256"
        let host = MetadataBLOB.service
        let number = 91
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

    private static let revoked = "f24a8e70-d0d3-f82c-2937-32523cc4de5a"

    @Test(
        "a model that the metadata call compromised is refused; another root's metadata keep the server from starting",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func metadata() async throws {
        let entry = Question.Entry(aaguid: Self.revoked, statuses: [["REVOKED", "2025-01-01"]])
        let answer: Answer = try Python.ask("mint_metadata.py", Question(entries: [entry]))
        let folder = try TemporaryFolder()
        let pem = { (der: String) in
            let text = Array(Base64.encode(try Hex.decode(der)))
            // RFC 7468 section 2: lines of 64 characters.
            let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
            return "-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n"
        }
        let file = try folder.write(answer.file, to: "blob.jwt")
        let root = try folder.write(pem(answer.root), to: "root.pem")
        let vendor = try folder.write(pem(answer.vendor), to: "vendor.pem")
        let model = try AAGUID(Self.revoked)
        // The minted certificates are of 2026 and 2027.
        let start = Timestamp(seconds: 1_795_262_400)
        try await TestServer.with(
            changing: {
                $0.attestation.metadataPath = file
                $0.attestation.metadataRootPath = root
            }, at: start
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
                }, at: start
            ) { _ in }
        }
    }
}
