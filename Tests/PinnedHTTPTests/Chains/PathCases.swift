import SwiftASN1
import X509

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

/// The rows about hosts and wildcards, purposes, times, path lengths, kinds of keys, and paths.
enum PathCases {
    static let all: [ChainCase] =
        hosts + times + authorities + pathLengths + purposes + extensions + features + keys + paths

    // MARK: - Hosts

    private static let hosts: [ChainCase] =
        [
            ("a.example.com", "a.example.com", nil), ("A.Example.COM", "a.example.com", nil),
            ("a.example.com", "A.EXAMPLE.com", nil), ("a.example.com", "a.example.com.", nil),
            ("a.example.com", "b.example.com", .otherNames), ("a.example.com", "example.com", .otherNames),
            ("a.example.com", "b.a.example.com", .otherNames), ("a.example.com.", "a.example.com", .otherNames),
            ("*.example.com", "a.example.com", nil), ("*.example.com", "example.com", .otherNames),
            ("*.example.com", "b.a.example.com", .otherNames), ("*.a.example.com", "b.a.example.com", nil),
            ("*.com", "example.com", .otherNames), ("*", "localhost", .otherNames), ("*", "a.example.com", .otherNames),
            ("a*.example.com", "a.example.com", .otherNames), ("*a.example.com", "a.example.com", .otherNames),
            ("*.*.com", "a.example.com", .otherNames), ("a.*.com", "a.example.com", .otherNames),
            ("**.example.com", "a.example.com", .otherNames), (".example.com", "a.example.com", .otherNames),
            ("localhost", "localhost", nil), ("under_score.example.com", "under_score.example.com", nil),
            ("xn--bcher-kva.example", "xn--bcher-kva.example", nil),
            ("*.example", "xn--bcher-kva.example", .otherNames),
            ("127.0.0.1", "127.0.0.1", .otherNames), ("a.example.com", "a b", .otherNames), ("", "", .otherNames),
        ].map { (pattern: String, host: String, expected: ChainFlaw?) in
            ChainCase("the name '\(pattern)'", host: host, expected, ChainCase.tower(dns(pattern)))
        }
        + [
            ChainCase("an address of IPv4", host: "10.0.0.1", nil, ChainCase.tower(address(10, 0, 0, 1))),
            ChainCase("another address", host: "10.0.0.2", .otherNames, ChainCase.tower(address(10, 0, 0, 1))),
            ChainCase("an address of IPv6", host: "[::1]", nil, ChainCase.tower(loopback6())),
            ChainCase(
                "an address of five bytes", host: "10.0.0.1", .otherNames, ChainCase.tower(address(10, 0, 0, 1, 0))),
            ChainCase("an address for a name", .otherNames, ChainCase.tower(address(10, 0, 0, 1))),
            ChainCase("the second of two names", nil, ChainCase.tower(dns("b.example.com", "a.example.com"))),
            ChainCase("a URI", .otherNames, ChainCase.tower(uri("https://a.example.com/"))),
            ChainCase("no names", .noNames, ChainCase.tower([])),
            ChainCase(
                "a common name", host: "a.example.com", .noNames,
                ChainCase.tower(
                    [], server: { $0.subject = try Mint.name([(.RDNAttributeType.commonName, "a.example.com")]) }
                )),
        ]

    // MARK: - Times

    /// Each certificate of the tower is valid for a day around the others' time, in turn.
    private static let times: [ChainCase] =
        ["root", "upper", "lower", "server"].flatMap { place -> [ChainCase] in
            let short: @Sendable (inout Mint.Template) -> Void = {
                $0.from = Mint.now - 10
                $0.until = Mint.now + 10
            }
            let keep: @Sendable (inout Mint.Template) -> Void = { _ in }
            let tower = ChainCase.tower(
                root: place == "root" ? short : keep, upper: place == "upper" ? short : keep,
                lower: place == "lower" ? short : keep, server: place == "server" ? short : keep)
            return [
                (Mint.now - 11, .validity), (Mint.now - 10, nil), (Mint.now + 10, nil), (Mint.now + 11, .validity),
            ].map { (time: UInt64, flaw: ChainFlaw?) in
                ChainCase("the \(place)'s validity at \(Int64(time) - Int64(Mint.now)) s", at: time, flaw, tower)
            }
        } + [
            ChainCase("the first second of all time", at: 0, .validity, ChainCase.tower()),
            ChainCase("the last second of all time", at: .max, .validity, ChainCase.tower()),
            ChainCase(
                "a validity that ends before it begins", .validity,
                ChainCase.tower(server: { $0.from = $0.until + 1 })),
        ]

    // MARK: - Authorities

    private static let authorities: [ChainCase] = [
        ChainCase("the tower", nil, ChainCase.tower()),
        ChainCase(
            "an issuer that is not an authority", .notAuthority,
            ChainCase.tower(lower: {
                $0.authority = .notCertificateAuthority
            })),
        ChainCase("an issuer without basic constraints", .notAuthority, ChainCase.tower(upper: { $0.authority = nil })),
        ChainCase("a root that is not an authority", .notAuthority, ChainCase.tower(root: { $0.authority = nil })),
        ChainCase(
            "an issuer whose key signs data", .issuerUsage,
            ChainCase.tower(lower: {
                $0.usage = KeyUsage(digitalSignature: true)
            })),
        ChainCase(
            "an issuer whose key signs revocations", .issuerUsage,
            ChainCase.tower(upper: {
                $0.usage = KeyUsage(cRLSign: true)
            })),
        ChainCase(
            "a root whose key signs data", .issuerUsage,
            ChainCase.tower(root: {
                $0.usage = KeyUsage(digitalSignature: true)
            })),
        ChainCase("an issuer without key usage", nil, ChainCase.tower(lower: { $0.usage = nil })),
        ChainCase(
            "a server that is an authority, too", nil,
            ChainCase.tower(server: {
                $0.authority = .isCertificateAuthority(maxPathLength: nil)
            })),
        ChainCase(
            "an issuer of version 1", .version,
            ChainCase.tower(lower: {
                ($0.version, $0.authority, $0.usage) = (.v1, nil, nil)
            })),
        ChainCase(
            "a root of version 1", nil,
            ChainCase.tower(root: {
                ($0.version, $0.authority, $0.usage) = (.v1, nil, nil)
            })),
        ChainCase("a root of version 1 with extensions", .version, ChainCase.tower(root: { $0.version = .v1 })),
        ChainCase("a server of version 1", .version, ChainCase.tower(server: { $0.version = .v1 })),
        ChainCase("a server's certificate that issued another", .notAuthority) {
            let root = try Mint.root()
            let first = try Mint.server(dns("b.example.com"), by: root) { $0.subject = directory("Server") }
            return .init([try Mint.server(dns("a.example.com"), by: first), first], trusting: root)
        },
        ChainCase("a server that is trusted itself, and an authority", nil) {
            let own = try Mint.root("Own") { $0.names = dns("a.example.com") }
            return .init([own], trusting: own)
        },
        ChainCase("a server that is trusted itself, and not an authority", .notAuthority) {
            let own = try Mint.root("Own") {
                ($0.names, $0.authority) = (dns("a.example.com"), .notCertificateAuthority)
            }
            return .init([own], trusting: own)
        },
        ChainCase("a self-signed server that nobody trusts", .noPath) {
            .init([try Mint.root("Own") { $0.names = dns("a.example.com") }], trusting: try Mint.root())
        },
        ChainCase("a signature by another key of the issuer's name", .noPath) {
            let (root, impostor) = (try Mint.root(), try Mint.root { $0.key = try Mint.key("Impostor") })
            return .init([try Mint.server(dns("a.example.com"), by: impostor)], trusting: root)
        },
        ChainCase("no certificate", .noCertificate) { .init([], trusting: try Mint.root()) },
    ]

    // MARK: - Path lengths

    private static let pathLengths: [ChainCase] =
        [
            (root: Int?.none, upper: Int?.none, lower: Int?.none, ChainFlaw?.none),
            (2, 1, 0, nil), (2, nil, nil, nil), (1, nil, nil, .pathLength), (0, nil, nil, .pathLength),
            (nil, 1, nil, nil), (nil, 0, nil, .pathLength), (nil, nil, 0, nil), (nil, 5, 0, nil),
            (0, 5, 5, .pathLength),
        ].map { root, upper, lower, expected in
            let set: @Sendable (Int?) -> @Sendable (inout Mint.Template) -> Void = { length in
                { $0.authority = .isCertificateAuthority(maxPathLength: length) }
            }
            return ChainCase(
                "path lengths \([root, upper, lower].map { $0.map(String.init) ?? "any" })", expected,
                ChainCase.tower(root: set(root), upper: set(upper), lower: set(lower)))
        } + [
            ChainCase("a self-issued authority below a path length of 0", nil) {
                let root = try Mint.root { $0.authority = .isCertificateAuthority(maxPathLength: 0) }
                let renewed = try Mint.authority("Root", by: root) { $0.key = try Mint.key("Renewed") }
                return .init([try Mint.server(dns("a.example.com"), by: renewed), renewed], trusting: root)
            },
            ChainCase("another authority below a path length of 0", .pathLength) {
                let root = try Mint.root { $0.authority = .isCertificateAuthority(maxPathLength: 0) }
                let lower = try Mint.authority("Lower", by: root)
                return .init([try Mint.server(dns("a.example.com"), by: lower), lower], trusting: root)
            },
            ChainCase("a server that is an authority below a path length of 0", nil) {
                let root = try Mint.root { $0.authority = .isCertificateAuthority(maxPathLength: 0) }
                let server = try Mint.server(dns("a.example.com"), by: root) {
                    $0.authority = .isCertificateAuthority(maxPathLength: nil)
                }
                return .init([server], trusting: root)
            },
        ]

    // MARK: - Purposes

    private static let purposes: [ChainCase] = [
        ChainCase("a server without purposes", nil, ChainCase.tower(server: { $0.purposes = nil })),
        ChainCase(
            "a server for servers and clients", nil,
            ChainCase.tower(server: {
                $0.purposes = [.clientAuth, .serverAuth]
            })),
        ChainCase("a server for clients", .purpose, ChainCase.tower(server: { $0.purposes = [.clientAuth] })),
        ChainCase("a server for any purpose", .purpose, ChainCase.tower(server: { $0.purposes = [.any] })),
        ChainCase("an authority for servers", nil, ChainCase.tower(upper: { $0.purposes = [.serverAuth] })),
        ChainCase(
            "authorities for any purpose", nil,
            ChainCase.tower(
                upper: { $0.purposes = [.any] }, lower: { $0.purposes = [.any, .clientAuth] })),
        ChainCase("an authority for clients", .purpose, ChainCase.tower(upper: { $0.purposes = [.clientAuth] })),
        ChainCase(
            "an authority for proofs by OCSP", .purpose, ChainCase.tower(lower: { $0.purposes = [.ocspSigning] })),
        ChainCase("a root for clients", nil, ChainCase.tower(root: { $0.purposes = [.clientAuth] })),
    ]

    // MARK: - Extensions

    private static let unknown: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 99_999, 1]

    private static let extensions: [ChainCase] =
        [true, false].flatMap { isCritical -> [ChainCase] in
            let change: @Sendable (inout Mint.Template) -> Void = {
                $0.more = [Mint.extension_(unknown, [0x05, 0x00], critical: isCritical)]
            }
            let (word, flaw) = (isCritical ? "critical" : "harmless", isCritical ? ChainFlaw.noPath : nil)
            return [
                ChainCase("an unknown \(word) extension of the server", flaw, ChainCase.tower(server: change)),
                ChainCase("an unknown \(word) extension of an authority", flaw, ChainCase.tower(upper: change)),
            ]
        } + [
            ChainCase(
                "unreadable purposes", .extensions,
                ChainCase.tower(server: {
                    $0.purposes = nil
                    $0.more = [Mint.extension_(.X509ExtensionID.extendedKeyUsage, [0x04, 0x00])]
                })),
            ChainCase(
                "unreadable basic constraints", .notAuthority,
                ChainCase.tower(lower: {
                    $0.authority = nil
                    $0.more = [Mint.extension_(.X509ExtensionID.basicConstraints, [0x04, 0x00], critical: true)]
                })),
            ChainCase(
                "an unreadable key usage", .issuerUsage,
                ChainCase.tower(lower: {
                    $0.usage = nil
                    $0.more = [Mint.extension_(.X509ExtensionID.keyUsage, [0x04, 0x00], critical: true)]
                })),
            ChainCase(
                "unreadable constraints", .extensions,
                ChainCase.tower(lower: {
                    $0.more = [Mint.extension_(.X509ExtensionID.nameConstraints, [0x04, 0x00], critical: true)]
                })),
            ChainCase(
                "constraints without any", .extensions,
                ChainCase.tower(lower: {
                    $0.more = [Mint.extension_(.X509ExtensionID.nameConstraints, [0x30, 0x00], critical: true)]
                })),
            ChainCase(
                "unreadable names", .noNames,
                ChainCase.tower(
                    [],
                    server: {
                        $0.more = [Mint.extension_(.X509ExtensionID.subjectAlternativeName, [0x04, 0x00])]
                    })),
        ]

    // MARK: - Proofs that a certificate is not revoked

    private static let features: [ChainCase] =
        [
            ([0x30, 0x03, 0x02, 0x01, 0x05], ChainFlaw.stapleRequired),
            ([0x30, 0x03, 0x02, 0x01, 0x11], .stapleRequired),
            ([0x30, 0x06, 0x02, 0x01, 0x17, 0x02, 0x01, 0x05], .stapleRequired), ([0x30, 0x03, 0x02, 0x01, 0x17], nil),
            ([0x30, 0x00], nil), ([0x02, 0x01, 0x05], .extensions), ([], .extensions),
        ].flatMap { (value: [UInt8], expected: ChainFlaw?) -> [ChainCase] in
            [true, false].map { isCritical in
                ChainCase(
                    "the \(isCritical ? "critical " : "")TLS features \(value)", expected,
                    ChainCase.tower(server: { $0.more = [tlsFeature(value, critical: isCritical)] }))
            }
        } + [
            ChainCase(
                "an authority that requires a staple", .stapleRequired,
                ChainCase.tower(lower: {
                    $0.more = [tlsFeature([0x30, 0x03, 0x02, 0x01, 0x05])]
                })),
            ChainCase(
                "a root that requires a staple", nil,
                ChainCase.tower(root: {
                    $0.more = [tlsFeature([0x30, 0x03, 0x02, 0x01, 0x05])]
                })),
        ]

    private static func tlsFeature(_ value: [UInt8], critical: Bool = false) -> Certificate.Extension {
        Mint.extension_([1, 3, 6, 1, 5, 5, 7, 1, 24], value, critical: critical)
    }

    // MARK: - Kinds of keys

    private static let keys: [ChainCase] =
        Mint.Kind.allCases.flatMap { kind in
            [
                ChainCase(
                    "a root with a key of \(kind)", nil, ChainCase.tower(root: { $0.key = try Mint.key("R", kind) })),
                ChainCase(
                    "an authority with a key of \(kind)", nil,
                    ChainCase.tower(lower: { $0.key = try Mint.key("L", kind) })),
                ChainCase(
                    "a server with a key of \(kind)", nil, ChainCase.tower(server: { $0.key = try Mint.key("S", kind) })
                ),
            ]
        } + [
            ChainCase("a signature with SHA-1", .weakSignature) {
                let root = try Mint.root { $0.key = try Mint.key("Root", .rsa) }
                let server = try Mint.server(dns("a.example.com"), by: root) { $0.signature = .sha1WithRSAEncryption }
                return .init([server], trusting: root)
            },
            ChainCase("a root's own signature with SHA-1", nil) {
                let root = try Mint.root {
                    ($0.key, $0.signature) = (try Mint.key("Root", .rsa), .sha1WithRSAEncryption)
                }
                return .init([try Mint.server(dns("a.example.com"), by: root)], trusting: root)
            },
        ]

    // MARK: - Paths

    private static let paths: [ChainCase] = [
        ChainCase("certificates in another order", nil) {
            let root = try Mint.root()
            let (upper, other) = (try Mint.authority("Upper", by: root), try Mint.root("Other"))
            let lower = try Mint.authority("Lower", by: upper)
            let server = try Mint.server(dns("a.example.com"), by: lower)
            return .init([server, other, upper, root, lower], trusting: root)
        },
        ChainCase("a missing intermediate", .noPath) {
            let root = try Mint.root()
            let upper = try Mint.authority("Upper", by: root)
            let lower = try Mint.authority("Lower", by: upper)
            return .init([try Mint.server(dns("a.example.com"), by: lower), lower], trusting: root)
        },
        ChainCase("an authority cross-signed by an expired and a valid root", nil) {
            let old = try Mint.root("Old") { $0.until = Mint.now - 1 }
            let new = try Mint.root("New")
            let byOld = try Mint.authority("Shared", by: old)
            let byNew = try Mint.authority("Shared", by: new)
            let server = try Mint.server(dns("a.example.com"), by: byOld)
            return .init([server, byOld, byNew], trusting: old, new)
        },
        ChainCase("an authority cross-signed by two roots, of which one forbids the name", nil) {
            let strict = try Mint.root("Strict") { $0.excluded = dns("example.com") }
            let lax = try Mint.root("Lax")
            let shared = [try Mint.authority("Shared", by: strict), try Mint.authority("Shared", by: lax)]
            let server = try Mint.server(dns("a.example.com"), by: shared[0])
            return .init([server] + shared, trusting: strict, lax)
        },
        ChainCase("two authorities that issue each other", .noPath) {
            let (first, second) = (try Mint.root("First"), try Mint.root("Second"))
            let loop = [try Mint.authority("First", by: second), try Mint.authority("Second", by: first)]
            return .init([try Mint.server(dns("a.example.com"), by: first)] + loop, trusting: try Mint.root())
        },
        ChainCase("two authorities that issue each other, one of them below a root", nil) {
            let (root, first, second) = (try Mint.root(), try Mint.root("First"), try Mint.root("Second"))
            let loop = [try Mint.authority("First", by: second), try Mint.authority("Second", by: first)]
            let exit = try Mint.authority("Second", by: root) { $0.names = dns("exit.example.com") }
            return .init([try Mint.server(dns("a.example.com"), by: first)] + loop + [exit], trusting: root)
        },
        ChainCase("35 authorities below a root", nil) { try line(35) },
        ChainCase("36 authorities below a root", .tooMany) { try line(36) },
        ChainCase("35 authorities that all issue each other", .noPath) {
            let first = try Mint.root("Maze")
            let maze = try (0..<35).map { number in
                try Mint.authority("Maze", by: first) { ($0.key, $0.names) = (first.key, dns("m\(number).example")) }
            }
            return .init([try Mint.server(dns("a.example.com"), by: first)] + maze, trusting: try Mint.root())
        },
        ChainCase(
            "an authority of more than 16 KiB", .tooMany,
            ChainCase.tower(lower: {
                $0.more = [Mint.extension_(unknown, [UInt8](repeating: 0, count: 17_000))]
            })),
    ]

    /// A server at the end of a line of authorities.
    private static func line(_ count: Int) throws -> ChainCase.Presented {
        let root = try Mint.root()
        var line = [root]
        for number in 1...count { line.append(try Mint.authority("Authority \(number)", by: line[number - 1])) }
        return .init([try Mint.server(dns("a.example.com"), by: line[count])] + line[1...].reversed(), trusting: root)
    }
}
