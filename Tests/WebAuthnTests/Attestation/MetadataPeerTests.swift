internal import TestSupport
internal import Testing

@testable internal import WebAuthn

/// Metadata made by Python, with independent implementations of X.509 and of JWS.
@Suite(
    "FIDO metadata by another hand", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct MetadataPeerTests {
    private struct Question: Encodable {
        struct Entry: Encodable {
            let aaguid: String
            let statuses: [[String?]]
        }
        let algorithm: String
        let host: String
        let number = 91
        let nextUpdate = "2026-12-01"
        let entries: [Entry]

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

    private static let good = "b93fd961-f2e6-462f-b122-82002247de78"
    private static let revoked = "f24a8e70-d0d3-f82c-2937-32523cc4de5a"

    private static func mint(_ algorithm: String, host: String = MetadataBLOB.service) throws -> Answer {
        try Python.ask(
            "mint_metadata.py",
            Question(
                algorithm: algorithm, host: host,
                entries: [
                    .init(aaguid: good, statuses: [["FIDO_CERTIFIED_L2", "2025-01-01"]]),
                    .init(aaguid: revoked, statuses: [["FIDO_CERTIFIED_L1", nil], ["REVOKED", "2026-11-22"]]),
                ]))
    }

    @Test("is read as written, and its reports count", arguments: ["ES256", "RS256"])
    func reads(_ algorithm: String) throws {
        let answer = try Self.mint(algorithm)
        let root = try #require(TrustAnchor(der: hex(answer.root)))
        let file = Array(answer.file.utf8)
        let blob = try MetadataBLOB(
            verifying: file, roots: [root], signer: MetadataBLOB.service, atLeast: 91, at: MintedRegistration.now)
        #expect(blob.number == 91)
        let entry = try #require(blob.entry(for: try AAGUID(Self.good)))
        #expect(entry.description == "Minted by Python: é")
        #expect(try entry.anchors == [#require(TrustAnchor(der: hex(answer.vendor)))])
        let policy = AttestationPolicy(
            formats: [.none], levels: [.none], metadata: .init(blob, isRequired: true))
        for (model, decision) in [
            (Self.good, .accepted(.none)), (Self.revoked, .refused(.status(.revoked))),
        ] as [(String, AttestationPolicy.Decision)] {
            let attestation = Attestation(format: .none, kind: .none, aaguid: try AAGUID(model))
            #expect(policy.decision(on: attestation, at: MintedRegistration.now) == decision)
        }
        let vendor = try #require(TrustAnchor(der: hex(answer.vendor)))
        #expect(throws: MetadataFlaw.untrusted(.noAnchor)) {
            try MetadataBLOB(
                verifying: file, roots: [vendor], signer: MetadataBLOB.service, atLeast: 0, at: MintedRegistration.now)
        }
    }

    @Test("is refused from another host")
    func wrongSigner() throws {
        let answer = try Self.mint("RS256", host: "example.org")
        let root = try #require(TrustAnchor(der: hex(answer.root)))
        #expect(throws: MetadataFlaw.wrongSigner) {
            try MetadataBLOB(
                verifying: Array(answer.file.utf8), roots: [root], signer: MetadataBLOB.service, atLeast: 0,
                at: MintedRegistration.now)
        }
    }
}
