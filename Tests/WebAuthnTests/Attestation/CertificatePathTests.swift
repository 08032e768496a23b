internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import Foundation
internal import SwiftASN1
internal import TestSupport
internal import Testing
@_spi(FixedExpiryValidationTime) internal import X509

@testable internal import WebAuthn

@Suite("Certificate paths")
struct CertificatePathTests {
    private static let now = MintedRegistration.now
    private let leafKey = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)

    private static func anchor(
        _ chain: [Certificate], _ anchors: [TrustAnchor], handling: Set<ASN1ObjectIdentifier> = [], at time: Int64 = now
    ) throws(ChainFault) -> TrustAnchor {
        try CertificatePath(certificates: chain).anchor(among: anchors, handling: handling, at: time)
    }

    /// The judgement of swift-certificates' verifier on the same path.
    private static func peerAccepts(_ chain: [Certificate], _ anchors: [TrustAnchor]) async -> Bool {
        guard let leaf = chain.first else { return false }
        let date = Date(timeIntervalSince1970: Double(now) / 1_000)
        var verifier = Verifier(rootCertificates: CertificateStore(anchors.map(\.certificate))) {
            RFC5280Policy(fixedExpiryValidationTime: date)
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore(chain.dropFirst()))
        if case .validCertificate = result { return true }
        return false
    }

    @Test("a path of any length leads to the root, whether the root is in it or not")
    func lengths() async throws {
        let root = try MintedAuthority()
        let first = try root.authority(named: "First")
        let second = try first.authority(named: "Second")
        let anchor = try root.anchor
        let leaf = try MintedAuthority.leaf()
        for chain in [
            [try root.issue(leaf, for: leafKey)],
            [try first.issue(leaf, for: leafKey), first.certificate],
            [try second.issue(leaf, for: leafKey), second.certificate, first.certificate],
            [try second.issue(leaf, for: leafKey), second.certificate, first.certificate, root.certificate],
        ] {
            #expect(try Self.anchor(chain, [anchor]) == anchor)
            #expect(await Self.peerAccepts(chain, [anchor]))
        }
    }

    @Test("a certificate that is an anchor itself needs no root: the attesting one, or one above it")
    func itself() throws {
        let root = try MintedAuthority()
        let between = try root.authority()
        let chain = [try between.issue(try MintedAuthority.leaf(), for: leafKey), between.certificate]
        let leaf = try #require(TrustAnchor(der: try chain[0].der))
        #expect(try Self.anchor(chain, [leaf]) == leaf)
        #expect(try Self.anchor(chain, [try between.anchor]) == between.anchor)
        // Certificates after an anchor are ignored.
        let stranger = try MintedAuthority(named: "Stranger").certificate
        #expect(try Self.anchor(chain + [stranger], [try between.anchor]) == between.anchor)
        #expect(throws: ChainFault.signature(position: 1)) { try Self.anchor(chain + [stranger], []) }
    }

    @Test("a wrong root is refused: another name, or the same name and another key")
    func wrongRoot() async throws {
        let root = try MintedAuthority()
        let chain = [try root.issue(try MintedAuthority.leaf(), for: leafKey)]
        for other in [try MintedAuthority(named: "Other").anchor, try MintedAuthority().anchor] {
            #expect(throws: ChainFault.noAnchor) { try Self.anchor(chain, [other]) }
            #expect(await !Self.peerAccepts(chain, [other]))
        }
        #expect(throws: ChainFault.noAnchor) { try Self.anchor(chain, []) }
        // Of several, the right one is found.
        let anchors = [try MintedAuthority().anchor, try root.anchor]
        #expect(try Self.anchor(chain, anchors) == root.anchor)
    }

    @Test("each certificate has to be valid at that time, including both ends")
    func validity() async throws {
        let root = try MintedAuthority()
        let leaf = try MintedAuthority.leaf()
        let expired = try root.issue(leaf.with { $0.until = MintedAuthority.date(2026, 11, 21) }, for: leafKey)
        let future = try root.issue(leaf.with { $0.from = MintedAuthority.date(2026, 11, 23) }, for: leafKey)
        for certificate in [expired, future] {
            #expect(throws: ChainFault.validity(position: 0)) { try Self.anchor([certificate], [try root.anchor]) }
            #expect(await !Self.peerAccepts([certificate], [try root.anchor]))
        }
        let between = try root.authority(
            .init(until: MintedAuthority.date(2026, 1), extensions: try MintedAuthority.authority()))
        #expect(throws: ChainFault.validity(position: 1)) {
            try Self.anchor([try between.issue(leaf, for: leafKey), between.certificate], [try root.anchor])
        }
        let old = try MintedAuthority(
            .init(until: MintedAuthority.date(2026, 1), extensions: try MintedAuthority.authority()))
        #expect(throws: ChainFault.noAnchor) {
            try Self.anchor([try old.issue(leaf, for: leafKey)], [try old.anchor])
        }
        let day = try root.issue(
            leaf.with {
                ($0.from, $0.until) = (MintedAuthority.date(2026, 11, 22), MintedAuthority.date(2026, 11, 23))
            },
            for: leafKey)
        for time in [Self.now, Self.now + 86_400_000] {
            #expect(try Self.anchor([day], [try root.anchor], at: time) == root.anchor)
        }
        for time in [Self.now - 1, Self.now + 86_400_001] {
            #expect(throws: ChainFault.validity(position: 0)) {
                try Self.anchor([day], [try root.anchor], at: time)
            }
        }
    }

    @Test("an issuer has to be an authority, for certificates, and for paths of this length")
    func authorities() async throws {
        let root = try MintedAuthority()
        let leaf = try MintedAuthority.leaf()
        let extensions: [[Certificate.Extension]] = [
            [], try MintedAuthority.leaf().extensions,
            try MintedAuthority.authority(usage: KeyUsage(digitalSignature: true)),
        ]
        for extensions in extensions {
            let between = try root.authority(.init(extensions: extensions))
            let chain = [try between.issue(leaf, for: leafKey), between.certificate]
            #expect(throws: ChainFault.notAnAuthority(position: 1)) { try Self.anchor(chain, [try root.anchor]) }
            // An anchor may not issue more than this either.
            #expect(throws: (any Error).self) { try Self.anchor(Array(chain.prefix(1)), [try between.anchor]) }
        }
        let short = try root.authority(
            named: "Short", .init(extensions: try MintedAuthority.authority(maximum: 0)))
        #expect(
            try Self.anchor([try short.issue(leaf, for: leafKey), short.certificate], [try root.anchor]) == root.anchor)
        let below = try short.authority(named: "Below")
        let long = [try below.issue(leaf, for: leafKey), below.certificate, short.certificate]
        #expect(throws: ChainFault.notAnAuthority(position: 2)) { try Self.anchor(long, [try root.anchor]) }
        #expect(await !Self.peerAccepts(long, [try root.anchor]))
        // The same of an anchor.
        #expect(throws: ChainFault.noAnchor) { try Self.anchor(Array(long.prefix(2)), [try short.anchor]) }
    }

    @Test("a root of X.509 version 1 is an authority only as an anchor, not inside a path")
    func firstVersion() throws {
        let root = try MintedAuthority(.init(version: .v1, extensions: []))
        let chain = [try root.issue(try MintedAuthority.leaf(), for: leafKey)]
        #expect(try Self.anchor(chain, [try root.anchor]) == root.anchor)
        #expect(throws: ChainFault.notAnAuthority(position: 1)) {
            try Self.anchor(chain + [root.certificate], [try MintedAuthority(named: "Other").anchor])
        }
    }

    @Test("each certificate has to be signed by the next one, with its key and name")
    func signatures() async throws {
        let root = try MintedAuthority()
        let leaf = try MintedAuthority.leaf()
        let (between, twin) = (try root.authority(), try root.authority())
        let chain = [try between.issue(leaf, for: leafKey), twin.certificate]
        #expect(throws: ChainFault.signature(position: 0)) { try Self.anchor(chain, [try root.anchor]) }
        #expect(await !Self.peerAccepts(chain, [try root.anchor]))
        let renamed = try root.authority(named: "Renamed")
        #expect(throws: ChainFault.signature(position: 0)) {
            try Self.anchor([try between.issue(leaf, for: leafKey), renamed.certificate], [try root.anchor])
        }
        // The right key under another name.
        let twinKey = try root.authority(named: "Renamed", key: between.key)
        #expect(throws: ChainFault.signature(position: 0)) {
            try Self.anchor([try between.issue(leaf, for: leafKey), twinKey.certificate], [try root.anchor])
        }
        // Out of order.
        let deep = try between.authority(named: "Deep")
        #expect(throws: ChainFault.signature(position: 0)) {
            try Self.anchor(
                [try deep.issue(leaf, for: leafKey), between.certificate, deep.certificate], [try root.anchor])
        }
    }

    @Test("signatures use SHA-256 or better")
    func hashes() throws {
        let root = try MintedAuthority(key: .init(try _RSA.Signing.PrivateKey(keySize: .bits2048)))
        let leaf = try MintedAuthority.leaf()
        for algorithm in [.sha256WithRSAEncryption, .sha384WithRSAEncryption, .sha512WithRSAEncryption]
            as [Certificate.SignatureAlgorithm]
        {
            let certificate = try root.issue(leaf.with { $0.signature = algorithm }, for: leafKey)
            #expect(try Self.anchor([certificate], [try root.anchor]) == root.anchor)
        }
        let old = try root.issue(leaf.with { $0.signature = .sha1WithRSAEncryption }, for: leafKey)
        #expect(throws: ChainFault.noAnchor) { try Self.anchor([old], [try root.anchor]) }
        #expect(throws: ChainFault.signature(position: 0)) {
            try Self.anchor([old, root.certificate], [try root.anchor])
        }
    }

    @Test("critical extensions have to be known or read by the caller; name constraints never are")
    func extensions() async throws {
        let root = try MintedAuthority()
        let unknown = MintedAuthority.extension_([1, 3, 6, 1, 4, 1, 99999, 1], [5, 0], critical: true)
        let harmless = MintedAuthority.extension_([1, 3, 6, 1, 4, 1, 99999, 1], [5, 0])
        let chain = [try root.issue(try MintedAuthority.leaf([unknown]), for: leafKey)]
        #expect(throws: ChainFault.criticalExtension(position: 0)) { try Self.anchor(chain, [try root.anchor]) }
        #expect(await !Self.peerAccepts(chain, [try root.anchor]))
        #expect(try Self.anchor(chain, [try root.anchor], handling: [unknown.oid]) == root.anchor)
        let other = [try root.issue(try MintedAuthority.leaf([harmless]), for: leafKey)]
        #expect(try Self.anchor(other, [try root.anchor]) == root.anchor)
        for more in [unknown, try .init(NameConstraints(excludedDNSDomains: ["example"]), critical: false)] {
            let between = try root.authority(.init(extensions: try MintedAuthority.authority() + [more]))
            #expect(throws: ChainFault.criticalExtension(position: 1)) {
                try Self.anchor(
                    [try between.issue(try MintedAuthority.leaf(), for: leafKey), between.certificate],
                    [try root.anchor], handling: [unknown.oid])
            }
        }
        // Policies: any is accepted.
        let policies = MintedAuthority.extension_([2, 5, 29, 32], hex("300630040602 2a03"), critical: true)
        #expect(
            try Self.anchor([try root.issue(try MintedAuthority.leaf([policies]), for: leafKey)], [try root.anchor])
                == root.anchor)
    }

    @Test("a key that may only sign certificates cannot attest; one without stated usage may")
    func keyUsage() throws {
        let root = try MintedAuthority()
        let wrong = try MintedAuthority.leaf().with {
            $0.extensions[1] = try .init(KeyUsage(keyCertSign: true), critical: true)
        }
        #expect(throws: ChainFault.keyUsage) {
            try Self.anchor([try root.issue(wrong, for: leafKey)], [try root.anchor])
        }
        let silent = try MintedAuthority.leaf().with { $0.extensions.removeLast() }
        #expect(try Self.anchor([try root.issue(silent, for: leafKey)], [try root.anchor]) == root.anchor)
    }

    @Test("anchors are read from DER and from PEM only")
    func anchors() throws {
        let root = try MintedAuthority().certificate
        let anchor = try #require(TrustAnchor(der: try root.der))
        let pem = try root.serializeAsPEM().pemString
        #expect(TrustAnchor(pem: pem) == anchor)
        #expect(TrustAnchor(pem: pem.replacing("CERTIFICATE", with: "PUBLIC KEY")) == nil)
        #expect(TrustAnchor(pem: "") == nil)
        #expect(TrustAnchor(der: try root.der + [0]) == nil)
        #expect(TrustAnchor(der: []) == nil)
        #expect(TrustAnchor(der: Array(repeating: 0x30, count: WebAuthnLimits.certificateBytes + 1)) == nil)
    }
}
