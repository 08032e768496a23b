import SwiftASN1
import X509

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

/// The rows about the names that an authority may issue.
enum NameConstraintCases {
    /// A row: an authority's constraints, a certificate's names, and the verdict.
    private struct Row: Sendable {
        let permitted: [GeneralName]
        let excluded: [GeneralName]
        let names: [GeneralName]
        let host: String
        let expected: ChainFlaw?
    }

    static let all: [ChainCase] =
        (domains + wildcards + addresses + mailboxes + uris + others).flatMap(places) + directories + paths

    /// An authority at any place above the server constrains it: the root, and both authorities below.
    private static func places(_ row: Row) -> [ChainCase] {
        let change: @Sendable (inout Mint.Template) -> Void = {
            ($0.permitted, $0.excluded) = (row.permitted, row.excluded)
        }
        let keep: @Sendable (inout Mint.Template) -> Void = { _ in }
        return ["root", "upper", "lower"].map { place in
            ChainCase(
                "the \(place) permits \(row.permitted), excludes \(row.excluded), names \(row.names)", host: row.host,
                row.expected,
                ChainCase.tower(
                    row.names, root: place == "root" ? change : keep, upper: place == "upper" ? change : keep,
                    lower: place == "lower" ? change : keep))
        }
    }

    private static func permit(
        _ permitted: [GeneralName], _ names: [GeneralName], host: String = "a.example.com", _ expected: ChainFlaw?
    ) -> Row { Row(permitted: permitted, excluded: [], names: names, host: host, expected: expected) }

    private static func exclude(
        _ excluded: [GeneralName], _ names: [GeneralName], host: String = "a.example.com", _ expected: ChainFlaw?
    ) -> Row { Row(permitted: [], excluded: excluded, names: names, host: host, expected: expected) }

    // MARK: - Names of hosts

    private static let domains: [Row] = [
        permit(dns("example.com"), dns("a.example.com"), nil),
        permit(dns("a.example.com"), dns("a.example.com"), nil),
        permit(dns("EXAMPLE.com"), dns("A.example.COM"), nil),
        permit(dns("com"), dns("a.example.com"), nil),
        permit(dns(""), dns("a.example.com"), nil),
        permit(dns("example.com."), dns("a.example.com"), nil),
        permit(dns("example.com"), dns("a.b.example.com"), host: "a.b.example.com", nil),
        permit(dns("example.com"), dns("example.com"), host: "example.com", nil),
        permit(dns("example.com"), dns("aexample.com"), host: "aexample.com", .notPermittedName),
        permit(dns("example.com"), dns("example.com.test"), host: "example.com.test", .notPermittedName),
        permit(dns("example.org"), dns("a.example.com"), .notPermittedName),
        permit(dns("b.a.example.com"), dns("a.example.com"), .notPermittedName),
        permit(dns("example.org", "example.com"), dns("a.example.com"), nil),
        permit(dns("example.com"), dns("a.example.com", "b.example.org"), .notPermittedName),
        permit(dns(".example.com"), dns("a.example.com"), nil),
        permit(dns(".example.com"), dns("example.com"), host: "example.com", .notPermittedName),
        permit(dns(".example.com"), dns("aexample.com"), host: "aexample.com", .notPermittedName),
        permit(dns("a_b.example.com"), dns("c.a_b.example.com"), host: "c.a_b.example.com", nil),
        exclude(dns("example.com"), dns("a.example.com"), .excludedName),
        exclude(dns("EXAMPLE.com"), dns("a.example.com"), .excludedName),
        exclude(dns("a.example.com"), dns("a.example.com"), .excludedName),
        exclude(dns("com"), dns("a.example.com"), .excludedName),
        exclude(dns(""), dns("a.example.com"), .excludedName),
        exclude(dns("example.com."), dns("a.example.com"), .excludedName),
        exclude(dns("b.example.com"), dns("a.example.com"), nil),
        exclude(dns("example.org"), dns("a.example.com"), nil),
        exclude(dns("xample.com"), dns("a.example.com"), nil),
        exclude(dns("example.org"), dns("a.example.com", "b.example.org"), .excludedName),
        exclude(dns(".example.com"), dns("a.example.com"), .excludedName),
        exclude(dns(".a.example.com"), dns("a.example.com"), nil),
        Row(
            permitted: dns("example.com"), excluded: dns("b.example.com"), names: dns("a.example.com"),
            host: "a.example.com", expected: nil),
        Row(
            permitted: dns("b.example.com"), excluded: dns("example.com"), names: dns("b.example.com"),
            host: "b.example.com", expected: .excludedName),
        // What cannot be read is not guessed.
        exclude(dns("*.example.org"), dns("a.example.com"), .incomparableName),
        exclude(dns("example..org"), dns("a.example.com"), .incomparableName),
        exclude(dns("https://example.org"), dns("a.example.com"), .incomparableName),
        exclude(dns("10.0.0.1"), dns("a.example.com"), .incomparableName),
        permit(dns("*.example.com"), dns("a.example.com"), .incomparableName),
        permit(dns("*.example.com", "example.com"), dns("a.example.com"), nil),
        permit(dns("example.com"), dns("a.example.com", "b.example.com."), .incomparableName),
        permit(dns("example.com"), dns("a.example.com", "a*.example.com"), .incomparableName),
        exclude(dns("example.org"), dns("a.example.com", "b .example.org"), .incomparableName),
        exclude(dns("example.org"), dns("a.example.com", ""), .incomparableName),
        // Constraints of another form say nothing.
        permit(mail("example.org") + uri("example.org"), dns("a.example.com"), nil),
        exclude(mail("@@") + uri("*"), dns("a.example.com"), nil),
        permit(address(10, 0, 0, 0, 255, 0, 0, 0), dns("a.example.com"), nil),
    ]

    // MARK: - Wildcards

    private static let wildcards: [Row] = [
        // The wildcard can stand for the excluded name: it is refused for every host.
        exclude(dns("b.example.com"), dns("*.example.com"), host: "b.example.com", .excludedName),
        exclude(dns("b.example.com"), dns("*.example.com"), host: "a.example.com", .excludedName),
        exclude(dns("B.EXAMPLE.com"), dns("*.Example.com"), host: "b.example.com", .excludedName),
        exclude(dns("b.example.com."), dns("*.example.com"), host: "b.example.com", .excludedName),
        exclude(dns("example.com"), dns("*.example.com"), .excludedName),
        exclude(dns(".example.com"), dns("*.example.com"), .excludedName),
        exclude(dns("com"), dns("*.example.com"), .excludedName),
        exclude(dns(""), dns("*.example.com"), .excludedName),
        exclude(dns("b.example.com"), dns("a.example.com", "*.example.com"), .excludedName),
        // It stands for one label, and for no other domain.
        exclude(dns("c.b.example.com"), dns("*.example.com"), host: "b.example.com", nil),
        exclude(dns(".b.example.com"), dns("*.example.com"), host: "b.example.com", nil),
        exclude(dns("b.example.org"), dns("*.example.com"), nil),
        exclude(dns("org"), dns("*.example.com"), nil),
        exclude(dns("b.example.com"), dns("*.a.example.com"), host: "b.a.example.com", nil),
        Row(
            permitted: dns("example.com"), excluded: dns("b.example.com"), names: dns("*.example.com"),
            host: "b.example.com", expected: .excludedName),
        // All names for which it can stand have to be permitted.
        permit(dns("example.com"), dns("*.example.com"), nil),
        permit(dns(".example.com"), dns("*.example.com"), nil),
        permit(dns("com"), dns("*.example.com"), nil),
        permit(dns("a.example.com"), dns("*.example.com"), .notPermittedName),
        permit(dns(".a.example.com"), dns("*.example.com"), .notPermittedName),
        permit(dns("a.example.com", "b.example.com"), dns("*.example.com"), .notPermittedName),
        permit(dns("example.org"), dns("*.example.com"), .notPermittedName),
    ]

    // MARK: - Addresses

    private static let addresses: [Row] = [
        permit(address(10, 0, 0, 0, 255, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", nil),
        permit(address(10, 9, 9, 9, 255, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", nil),
        permit(address(10, 1, 2, 3, 255, 255, 255, 255), address(10, 1, 2, 3), host: "10.1.2.3", nil),
        permit(address(10, 1, 2, 2, 255, 255, 255, 255), address(10, 1, 2, 3), host: "10.1.2.3", .notPermittedName),
        permit(address(11, 0, 0, 0, 255, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", .notPermittedName),
        permit(address(10, 128, 0, 0, 255, 128, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", .notPermittedName),
        permit(address(0, 0, 0, 0, 0, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", nil),
        exclude(address(10, 0, 0, 0, 255, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", .excludedName),
        exclude(address(10, 0, 0, 0, 255, 128, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", .excludedName),
        exclude(address(0, 0, 0, 0, 0, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", .excludedName),
        exclude(address(11, 0, 0, 0, 255, 0, 0, 0), address(10, 1, 2, 3), host: "10.1.2.3", nil),
        exclude(address(10, 0, 0, 0, 255, 0, 255, 0), address(11, 1, 2, 3), host: "11.1.2.3", .incomparableName),
        exclude(address(10, 0, 0, 0, 250, 0, 0, 0), address(11, 1, 2, 3), host: "11.1.2.3", .incomparableName),
        exclude(address(10, 0, 0, 0, 255), address(11, 1, 2, 3), host: "11.1.2.3", .incomparableName),
        permit(loopback6([UInt8](repeating: 255, count: 16)), loopback6(), host: "::1", nil),
        exclude(loopback6([UInt8](repeating: 255, count: 16)), loopback6(), host: "::1", .excludedName),
        permit(address(10, 0, 0, 0, 255, 0, 0, 0), loopback6(), host: "::1", .notPermittedName),
        exclude(address(0, 0, 0, 0, 0, 0, 0, 0), loopback6(), host: "::1", nil),
        exclude(address(10, 0, 0, 0, 255, 0, 0, 0), dns("a.example.com") + address(10, 0, 0, 1), .excludedName),
        exclude(address(11, 0, 0, 0, 255, 0, 0, 0), dns("a.example.com") + address(10, 0), .incomparableName),
        permit(dns("example.org"), address(10, 1, 2, 3), host: "10.1.2.3", nil),
    ]

    // MARK: - E-mail addresses and URIs

    private static let mailboxes: [Row] =
        [
            ("example.com", "u@example.com", ChainFlaw?.none, ChainFlaw?.some(.excludedName)),
            ("EXAMPLE.com", "u@example.COM", nil, .excludedName),
            ("example.com", "u@a.example.com", .notPermittedName, nil),
            (".example.com", "u@a.example.com", nil, .excludedName),
            (".example.com", "u@example.com", .notPermittedName, nil),
            ("u@example.com", "u@example.com", nil, .excludedName),
            ("u@example.com", "u@EXAMPLE.com", nil, .excludedName),
            ("u@example.com", "U@example.com", .notPermittedName, nil),
            ("u@example.com", "v@example.com", .notPermittedName, nil),
            ("u@example.com", "u@a.example.com", .notPermittedName, nil),
            ("example.com", "u", .incomparableName, .incomparableName),
            ("example.com", "u@v@example.com", .incomparableName, .incomparableName),
            ("example.com", "@example.com", .incomparableName, .incomparableName),
            ("@example.com", "u@example.com", .incomparableName, .incomparableName),
            ("*.example.com", "u@example.com", .incomparableName, .incomparableName),
        ].flatMap { (base: String, name: String, permitted: ChainFlaw?, excluded: ChainFlaw?) in
            [
                permit(mail(base), dns("a.example.com") + mail(name), permitted),
                exclude(mail(base), dns("a.example.com") + mail(name), excluded),
            ]
        } + [
            permit(mail("example.org"), dns("a.example.com"), nil),
            exclude(mail("example.com"), dns("a.example.com"), nil),
        ]

    private static let uris: [Row] = [
        ("h.example.com", "https://h.example.com/path?q#f", ChainFlaw?.none, ChainFlaw?.some(.excludedName)),
        ("h.example.com", "https://H.EXAMPLE.com:8443", nil, .excludedName),
        ("h.example.com", "https://u:p@h.example.com/", nil, .excludedName),
        ("h.example.com", "https://a.h.example.com/", .notPermittedName, nil),
        (".example.com", "https://h.example.com", nil, .excludedName),
        (".example.com", "https://example.com", .notPermittedName, nil),
        ("h.example.com", "https://h.example.com@example.org/", .notPermittedName, nil),
        ("example.org", "https://h.example.com@example.org/", nil, .excludedName),
        ("h.example.com", "https://example.org/h.example.com", .notPermittedName, nil),
        ("h.example.com", "https://example.org?@h.example.com", .notPermittedName, nil),
        ("h.example.com", "https://h.example.com\\@example.org", .notPermittedName, nil),
        ("h.example.com", "https://10.0.0.1/", .incomparableName, .incomparableName),
        ("h.example.com", "https://[::1]/", .incomparableName, .incomparableName),
        ("h.example.com", "urn:h.example.com", .incomparableName, .incomparableName),
        ("h.example.com", "h.example.com", .incomparableName, .incomparableName),
        ("h.example.com", "https:///path", .incomparableName, .incomparableName),
        ("https://h.example.com", "https://h.example.com", .incomparableName, .incomparableName),
    ].flatMap { (base: String, name: String, permitted: ChainFlaw?, excluded: ChainFlaw?) in
        [
            permit(uri(base), dns("a.example.com") + uri(name), permitted),
            exclude(uri(base), dns("a.example.com") + uri(name), excluded),
        ]
    }

    // MARK: - Forms that are not compared

    private static func other(_ last: UInt) -> [GeneralName] {
        [.otherName(.init(typeID: [1, 3, 6, 1, 4, 1, 311, 20, 2, last], value: nil))]
    }

    private static let others: [Row] = [
        permit(other(3), dns("a.example.com"), nil),
        exclude(other(3), dns("a.example.com"), nil),
        permit(other(3), dns("a.example.com") + other(3), .incomparableName),
        exclude(other(3), dns("a.example.com") + other(3), .incomparableName),
        exclude(other(3), dns("a.example.com") + other(4), nil),
        permit([.registeredID([1, 2, 3])], dns("a.example.com"), nil),
        exclude([.registeredID([1, 2, 3])], dns("a.example.com") + [.registeredID([1, 2, 4])], .incomparableName),
    ]

    // MARK: - Directory names

    private static func part(_ value: RelativeDistinguishedName.Attribute.Value) -> RelativeDistinguishedName {
        RelativeDistinguishedName([.init(type: .RDNAttributeType.organizationName, value: value)])
    }

    /// An organization in another type of string, by its universal tag.
    private static func encoded(_ tag: UInt8, _ bytes: [UInt8]) throws -> DistinguishedName {
        let node = try DER.parse([tag, UInt8(bytes.count)] + bytes)
        return DistinguishedName([part(.init(asn1Any: ASN1Any(derEncoded: node)))])
    }

    /// Rows of a constraint, a subject, and whether the subject is within.
    private static let names:
        [(String, @Sendable () throws -> DistinguishedName, @Sendable () throws -> DistinguishedName, Bool)] = [
            ("the same", { directory("Fueki") }, { directory("Fueki") }, true),
            ("one below", { directory("Fueki") }, { directory("Fueki", "Servers") }, true),
            ("another", { directory("Fueki") }, { directory("Other") }, false),
            ("a shorter one", { directory("Fueki", "Servers") }, { directory("Fueki") }, false),
            ("another unit", { directory("Fueki", "Servers") }, { directory("Fueki", "Clients") }, false),
            (
                "another order", { directory("Fueki", "Servers") },
                { DistinguishedName(directory("Fueki", "Servers").reversed()) }, false
            ),
            (
                "another attribute", { directory("Fueki") },
                { try Mint.name([(.RDNAttributeType.commonName, "Fueki")]) }, false
            ),
            ("another case", { directory("FUEKI") }, { directory("fueki") }, true),
            ("other spaces", { directory("Fueki  Inc") }, { directory(" Fueki Inc ") }, true),
            ("no space", { directory("Fueki Inc") }, { directory("FuekiInc") }, false),
            ("a soft hyphen", { directory("Fueki") }, { directory("Fue\u{AD}ki") }, true),
            ("a zero-width space", { directory("Fueki") }, { directory("Fue\u{200B}ki") }, true),
            ("wide letters", { directory("Fueki") }, { directory("Ｆueki") }, true),
            ("an umlaut of two characters", { directory("B\u{FC}cher") }, { directory("Bu\u{308}cher") }, true),
            ("another umlaut", { directory("B\u{FC}cher") }, { directory("Bucher") }, false),
            (
                "a PrintableString", { DistinguishedName([part(try .init(printableString: "Fueki"))]) },
                { directory("Fueki") }, true
            ),
            ("a TeletexString", { directory("Fueki") }, { try encoded(0x14, Array("Fueki".utf8)) }, true),
            ("a BMPString", { directory("Fe") }, { try encoded(0x1E, [0, 0x46, 0, 0x65]) }, true),
            ("a UniversalString", { directory("F") }, { try encoded(0x1C, [0, 0, 0, 0x46]) }, true),
            ("bits", { try encoded(0x03, [0, 1]) }, { try encoded(0x03, [0, 1]) }, true),
            ("other bits", { try encoded(0x03, [0, 1]) }, { try encoded(0x03, [0, 2]) }, false),
            ("all names", { DistinguishedName() }, { directory("Fueki") }, true),
            (
                "two attributes in one part",
                {
                    DistinguishedName([
                        RelativeDistinguishedName([
                            .init(type: .RDNAttributeType.organizationName, utf8String: "Fueki"),
                            .init(type: .RDNAttributeType.localityName, utf8String: "Tokyo"),
                        ])
                    ])
                }, { directory("Fueki") }, false
            ),
        ]

    private static let directories: [ChainCase] =
        names.flatMap { title, base, subject, isWithin -> [ChainCase] in
            [true, false].flatMap { isPermitted -> [ChainCase] in
                let constrain: @Sendable (inout Mint.Template) throws -> Void = {
                    let names = [GeneralName.directoryName(try base())]
                    if isPermitted { $0.permitted = names } else { $0.excluded = names }
                }
                let expected: ChainFlaw? =
                    isPermitted ? (isWithin ? nil : .notPermittedName) : (isWithin ? .excludedName : nil)
                let word = isPermitted ? "permitted" : "excluded"
                return [
                    ChainCase(
                        "a subject, with \(word): \(title)", expected,
                        ChainCase.tower(
                            lower: constrain, server: { $0.subject = try subject() })),
                    ChainCase(
                        "a directory name among the others, with \(word): \(title)", expected,
                        ChainCase.tower(
                            lower: constrain, server: { $0.names.append(.directoryName(try subject())) })),
                ]
            }
        } + [
            ChainCase(
                "a permitted directory name, without a subject", nil,
                ChainCase.tower(lower: {
                    $0.permitted = [.directoryName(directory("Fueki"))]
                })),
            ChainCase(
                "an authority outside of a permitted directory", .notPermittedName,
                ChainCase.tower(upper: {
                    $0.permitted = [.directoryName(directory("Fueki"))]
                })),
            ChainCase(
                "an authority within a permitted directory", nil,
                ChainCase.tower(
                    upper: { $0.permitted = [.directoryName(directory("Fueki"))] },
                    lower: { $0.subject = directory("Fueki", "Lower") })),
            ChainCase(
                "an e-mail address in an excluded host's subject", .excludedName,
                ChainCase.tower(
                    lower: { $0.excluded = mail("example.com") },
                    server: {
                        $0.subject = DistinguishedName([
                            RelativeDistinguishedName([
                                try .init(type: .RDNAttributeType.emailAddress, ia5String: "u@example.com")
                            ])
                        ])
                    })),
        ]

    // MARK: - Paths

    private static let paths: [ChainCase] = [
        ChainCase("a self-issued authority with a name that is not permitted", nil) {
            try rollover(named: "Root", dns("other.org"), server: "a.example.com")
        },
        ChainCase("another authority with a name that is not permitted", .notPermittedName) {
            try rollover(named: "Lower", dns("other.org"), server: "a.example.com")
        },
        ChainCase("a server below a self-issued authority", host: "a.example.org", .notPermittedName) {
            try rollover(named: "Root", [], server: "a.example.org")
        },
        ChainCase("a self-issued server", host: "a.example.org", .notPermittedName) {
            let root = try Mint.root { $0.permitted = dns("example.com") }
            let server = try Mint.server(dns("a.example.org"), by: root) { $0.subject = root.certificate.subject }
            return .init([server], trusting: root)
        },
        ChainCase("a server that is trusted itself, and excludes its own name", .excludedName) {
            let own = try Mint.root("Own") { ($0.names, $0.excluded) = (dns("a.example.com"), dns("example.com")) }
            return .init([own], trusting: own)
        },
        ChainCase(
            "two authorities that permit different names", .notPermittedName,
            ChainCase.tower(
                upper: { $0.permitted = dns("example.com") }, lower: { $0.permitted = dns("example.org") })),
        ChainCase(
            "an authority that permits more than the one above", .notPermittedName,
            ChainCase.tower(
                upper: { $0.permitted = dns("b.example.com") }, lower: { $0.permitted = dns("example.com") })),
        ChainCase(
            "constraints of a server's certificate", nil, ChainCase.tower(server: { $0.excluded = dns("example.com") })),
        ChainCase("100 names and 200 constraints", nil, flood(names: 100, constraints: 200)),
        ChainCase("700 names and 700 constraints", .tooManyNames, flood(names: 700, constraints: 700)),
        ChainCase(
            "a flood of constraints of another form", nil,
            ChainCase.tower(
                (0..<700).flatMap { dns("n\($0).y") } + dns("a.example.com"),
                lower: {
                    $0.excluded = (0..<700).flatMap { mail("n\($0).z") }
                })),
    ]

    /// A root that permits example.com, an authority with a name, and a server.
    private static func rollover(
        named name: String, _ names: [GeneralName], server: String
    ) throws -> ChainCase.Presented {
        let root = try Mint.root { $0.permitted = dns("example.com") }
        let lower = try Mint.authority(name, by: root) { ($0.key, $0.names) = (try Mint.key("New"), names) }
        return .init([try Mint.server(dns(server), by: lower), lower], trusting: root)
    }

    private static func flood(names: Int, constraints: Int) -> @Sendable () throws -> ChainCase.Presented {
        ChainCase.tower(
            (0..<names).flatMap { dns("n\($0).y") } + dns("a.example.com"),
            lower: { $0.excluded = (0..<constraints).flatMap { dns("n\($0).z") } })
    }
}
