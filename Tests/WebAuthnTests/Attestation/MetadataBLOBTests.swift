internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import Foundation
internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("FIDO metadata")
struct MetadataBLOBTests {
    private static let now = MintedRegistration.now
    private static let aaguid = "00112233-4455-6677-8899-aabbccddeeff"

    /// A metadata service of the tests: its root, its certificate and its key.
    private struct Service {
        let root: MintedAuthority
        let key: Certificate.PrivateKey
        let sign: ([UInt8]) throws -> [UInt8]
        var algorithm: String
        var certificates: [Certificate]

        init(
            rsa: Bool = false, host: String = MetadataBLOB.service,
            _ change: (inout MintedAuthority.Template) throws -> Void = { _ in }
        ) throws {
            root = try MintedAuthority()
            if rsa {
                let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
                self.key = .init(key)
                algorithm = "RS256"
                sign = { bytes in
                    Array(
                        try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
                }
            } else {
                let key = P256.Signing.PrivateKey()
                self.key = .init(key)
                algorithm = "ES256"
                sign = { Array(try key.signature(for: $0).rawRepresentation) }
            }
            var leaf = try MintedAuthority.leaf([
                try .init(SubjectAlternativeNames([.dnsName(host)]), critical: false)
            ])
            try change(&leaf)
            let between = try root.authority()
            certificates = [try between.issue(leaf, for: key.publicKey), between.certificate]
        }

        func header(_ more: String = "") throws -> String {
            let chain = try certificates.map { "\"\(Base64.encode(try $0.der))\"" }.joined(separator: ",")
            return #"{"alg":"\#(algorithm)","typ":"JWT","x5c":[\#(chain)]\#(more)}"#
        }

        func file(_ payload: String = MetadataBLOBTests.payload(), header: String? = nil) throws -> [UInt8] {
            let head = Base64URL.encode(Array(try (header ?? self.header()).utf8))
            let signed = head + "." + Base64URL.encode(Array(payload.utf8))
            return Array((signed + "." + Base64URL.encode(try sign(Array(signed.utf8)))).utf8)
        }

        func read(
            _ file: [UInt8], atLeast number: Int64 = 0, roots: [TrustAnchor]? = nil, at time: Int64 = now
        ) throws -> MetadataBLOB {
            try MetadataBLOB(
                verifying: file, roots: try roots ?? [try root.anchor], signer: MetadataBLOB.service,
                atLeast: number, at: time)
        }
    }

    private static func payload(
        number: String = "42", nextUpdate: String = "\"2026-12-01\"", entries: String = "[]"
    ) -> String {
        #"{"legalHeader":"…","no":\#(number),"nextUpdate":\#(nextUpdate),"entries":\#(entries)}"#
    }

    @Test("a file signed by the service is read, with ES256 and with RS256")
    func verified() throws {
        for rsa in [false, true] {
            let service = try Service(rsa: rsa)
            let blob = try service.read(try service.file(Self.payload(entries: #"[{"aaguid":"\#(Self.aaguid)"}]"#)))
            #expect(blob.number == 42)
            #expect(blob.nextUpdate == 1_796_083_200_000)
            #expect(blob.entries.count == 1)
            #expect(blob.entry(for: try AAGUID(Self.aaguid)) != nil)
            #expect(blob.entry(for: .zero) == nil)
            // A file saved by a text editor.
            #expect(try service.read(try service.file() + [0x0a]).number == 42)
        }
    }

    @Test("the signature has to be by the first certificate's key over this header and this payload")
    func signature() throws {
        let service = try Service()
        let file = try service.file()
        let dots = file.indices.filter { file[$0] == UInt8(ascii: ".") }
        // A letter of the signature, of the payload, and of the header's end.
        for position in [dots[1] + 10, dots[1] - 10] {
            var wrong = file
            wrong[position] = wrong[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: MetadataFlaw.badSignature) { try service.read(wrong) }
        }
        let stranger = try Service()
        let other = Array(try #require(try stranger.file().split(separator: UInt8(ascii: ".")).last))
        #expect(throws: MetadataFlaw.badSignature) { try service.read(file[...dots[1]] + other) }
        #expect(throws: MetadataFlaw.badSignature) { try service.read(Array(file[...dots[1]])) }
        let header = try service.header(#","more":1"#)
        let moved = Base64URL.encode(Array(header.utf8)) + String(decoding: file[dots[0]...], as: UTF8.self)
        #expect(throws: MetadataFlaw.badSignature) { try service.read(Array(moved.utf8)) }
    }

    @Test("only ES256 and RS256 are accepted, and the key has to match")
    func algorithms() throws {
        for name in ["none", "HS256", "ES384", "PS256", "es256", "RS256"] {
            var service = try Service()
            service.algorithm = name
            #expect(throws: MetadataFlaw.unsupportedAlgorithm) { try service.read(try service.file()) }
        }
        var rsa = try Service(rsa: true)
        rsa.algorithm = "ES256"
        #expect(throws: MetadataFlaw.unsupportedAlgorithm) { try rsa.read(try rsa.file()) }
    }

    @Test("the certificates have to lead to the root at that time")
    func untrusted() throws {
        let service = try Service()
        let file = try service.file()
        #expect(throws: MetadataFlaw.untrusted(.noAnchor)) {
            try service.read(file, roots: [try MintedAuthority().anchor])
        }
        #expect(throws: MetadataFlaw.untrusted(.noAnchor)) { try service.read(file, roots: []) }
        let expired = try Service { $0.until = MintedAuthority.date(2026, 11, 21) }
        #expect(throws: MetadataFlaw.untrusted(.validity(position: 0))) { try expired.read(try expired.file()) }
        var lonely = service
        lonely.certificates.removeLast()
        #expect(throws: MetadataFlaw.untrusted(.noAnchor)) { try lonely.read(try lonely.file()) }
    }

    @Test("the certificate has to be the service's, and not another customer's of the same root")
    func signer() throws {
        for host in ["mds.fidoalliance.org.example", "fidoalliance.org", "*.fidoalliance.org"] {
            let other = try Service(host: host)
            #expect(throws: MetadataFlaw.wrongSigner) { try other.read(try other.file()) }
        }
        let nameless = try Service { $0.extensions.removeLast() }
        #expect(throws: MetadataFlaw.wrongSigner) { try nameless.read(try nameless.file()) }
        let shouting = try Service(host: "MDS.FIDOAlliance.org")
        #expect(try shouting.read(try shouting.file()).number == 42)
    }

    @Test("an older file is refused, and the same one is accepted")
    func rollback() throws {
        let service = try Service()
        let file = try service.file()
        for number in [0, 41, 42] as [Int64] { #expect(try service.read(file, atLeast: number).number == 42) }
        #expect(throws: MetadataFlaw.rolledBack(from: 43)) { try service.read(file, atLeast: 43) }
    }

    @Test("a file is out of date after the day of the next one, and is read nevertheless")
    func outOfDate() throws {
        let service = try Service()
        let blob = try service.read(try service.file(Self.payload(nextUpdate: "\"2026-11-21\"")))
        #expect(!blob.isOutOfDate(at: Self.now - 1))
        #expect(blob.isOutOfDate(at: Self.now))
    }

    @Test("other files are refused")
    func malformed() throws {
        let service = try Service()
        let good = String(decoding: try service.file(), as: UTF8.self)
        let files: [String] = [
            "", ".", "..", good + ".", good + "=", " " + good, good + "\n\n", "e30." + good,
            String(good.drop { $0 != "." }), "!" + good,
        ]
        for file in files { #expect(throws: MetadataFlaw.malformed) { try service.read(Array(file.utf8)) } }
        let tooLong = [UInt8](repeating: 0x41, count: WebAuthnLimits.metadataBytes + 1)
        #expect(throws: MetadataFlaw.malformed) { try service.read(tooLong) }
        for header in [
            "[]", #"{"alg":"ES256"}"#, #"{"alg":"ES256","x5c":[]}"#, #"{"alg":"ES256","x5c":["AAAA"]}"#,
            #"{"alg":"ES256","x5c":[1]}"#, #"{"x5c":[]}"#, #"{"alg":"ES256","x5u":"https://example.com"}"#,
            try service.header(#","crit":["b64"],"b64":false"#), try service.header(#","alg":"ES256""#),
        ] {
            #expect(throws: MetadataFlaw.malformed) { try service.read(try service.file(header: header)) }
        }
    }

    @Test(
        "payloads of another form are refused, though they are signed",
        arguments: [
            "", "[]", payload(number: "-1"), payload(number: "\"42\""), payload(number: "4.2"),
            payload(nextUpdate: "20261201"), payload(nextUpdate: "\"2026-13-01\""),
            payload(nextUpdate: "\"2026-02-29\""), payload(nextUpdate: "\"01-12-2026\""), payload(entries: "{}"),
            payload(entries: "[1]"), payload(entries: #"[{"aaguid":"00112233"}]"#),
            payload(entries: #"[{"aaguid":7}]"#),
            payload(entries: #"[{"aaguid":"\#(aaguid)"},{"aaguid":"\#(aaguid)"}]"#),
            payload(entries: #"[{"attestationCertificateKeyIdentifiers":["00"]}]"#),
            payload(entries: #"[{"attestationCertificateKeyIdentifiers":"00"}]"#),
            payload(entries: #"[{"statusReports":[{"effectiveDate":"2026-01-01"}]}]"#),
            payload(entries: #"[{"statusReports":[{"status":"REVOKED","effectiveDate":"soon"}]}]"#),
            payload(entries: #"[{"statusReports":{"status":"REVOKED"}}]"#),
        ])
    func malformedPayload(_ payload: String) throws {
        let service = try Service()
        #expect(throws: MetadataFlaw.malformed) { try service.read(try service.file(payload)) }
    }

    @Test("an entry is read: names, readable anchors, reports in their order")
    func entry() throws {
        let root = try MintedAuthority().certificate
        let text = Base64.encode(try root.der)
        let broken = text.prefix(40) + "\\r\\n " + text.dropFirst(40)
        let blob = try MetadataBLOB(
            payload: Array(
                Self.payload(
                    entries: #"""
                        [{"aaid":"1234#5678","attestationCertificateKeyIdentifiers":["\#(String(repeating: "7c", count: 20))"]},
                         {"aaguid":"\#(Self.aaguid)","timeOfLastStatusChange":"2026-01-01",
                          "metadataStatement":{"description":"A key","attestationRootCertificates":["\#(broken)","AAAA","no"]},
                          "statusReports":[{"status":"FIDO_CERTIFIED_L1","effectiveDate":"2020-02-29","url":"…"},
                                           {"status":"REVOKED"},
                                           {"status":"ATTESTATION_KEY_COMPROMISE","certificate":"\#(text)"},
                                           {"status":"USER_VERIFICATION_BYPASS","certificate":"AAAA"}]}]
                        """#
                ).utf8))
        #expect(blob.entries.map(\.description) == ["", "A key"])
        #expect(blob.entries[0].keyIdentifiers == [[UInt8](repeating: 0x7c, count: 20)])
        #expect(blob.entries[0].aaguid == nil)
        let entry = try #require(blob.entry(for: try AAGUID(Self.aaguid)))
        #expect(entry.anchors.map(\.certificate) == [root])
        #expect(
            entry.reports == [
                .init(
                    status: MetadataStatus(rawValue: "FIDO_CERTIFIED_L1"), effective: 1_582_934_400_000,
                    certificate: nil),
                .init(status: .revoked, effective: nil, certificate: nil),
                .init(status: .attestationKeyCompromise, effective: nil, certificate: try root.der),
                // An unreadable value restricts nothing.
                .init(status: .userVerificationBypass, effective: nil, certificate: nil),
            ])
    }

    @Test("days are counted by the calendar")
    func dates() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate]
        for days in stride(from: 0, to: 2_932_896, by: 37) {
            let text = formatter.string(from: Date(timeIntervalSince1970: Double(days) * 86_400))
            #expect(MetadataDate.start(of: text) == Int64(days) * 86_400_000)
        }
        #expect(MetadataDate.start(of: "2026-11-22") == Self.now)
        for wrong in [
            "1969-12-31", "2100-02-29", "2026-00-01", "2026-01-00", "2026-04-31", "2026-1-1", "2026-01-01T",
            "+026-01-01",
            "2026/01/01", "20260101", "",
        ] {
            #expect(MetadataDate.start(of: wrong) == nil)
        }
    }

    @Test("any payload, header and file is read or refused")
    func fuzz() throws {
        let service = try Service()
        let rich = Self.payload(
            entries: #"""
                [{"aaguid":"\#(Self.aaguid)","metadataStatement":{"attestationRootCertificates":["AAAA"]},
                "statusReports":[{"status":"REVOKED","effectiveDate":"2026-01-01","certificate":"AAAA"}]},
                {"attestationCertificateKeyIdentifiers":["\#(String(repeating: "7c", count: 20))"]}]
                """#)
        Fuzz.mutations(of: [Array(Self.payload().utf8), Array(rich.utf8)], iterations: 10_000) { bytes in
            _ = try? MetadataBLOB(payload: bytes)
        }
        let file = try service.file(rich)
        let anchor = try service.root.anchor
        Fuzz.mutations(of: [file], iterations: 500) { bytes in
            let blob = try? MetadataBLOB(
                verifying: bytes, roots: [anchor], signer: MetadataBLOB.service, atLeast: 0, at: Self.now)
            // An accepted file is unchanged.
            if blob != nil, bytes != file, bytes != file + [0x0a] { throw Finding() }
        }
    }

    private struct Finding: Error {}
}
