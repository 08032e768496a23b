import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("Pin policies")
struct PinPolicyTests {
    private static func pin(_ byte: UInt8) -> String {
        Pin(bytes: Array(repeating: byte, count: 32))?.description ?? ""
    }

    private static let entry = #"{"host":"api.example.org","pins":["\#(pin(1))"],"backups":["\#(pin(2))"]}"#

    private static func file(_ hosts: String, serial: String = "3", format: String = "1", more: String = "") -> String {
        #"{"format":\#(format),"serial":\#(serial),"unpinned":"refuse","hosts":[\#(hosts)]\#(more)}"#
    }

    private func read(_ text: String) throws(PinPolicy.Fault) -> PinPolicy { try PinPolicy(decoding: Array(text.utf8)) }

    @Test("a policy is read with all of its members")
    func whole() throws {
        let policy = try read(
            Self.file(
                Self.entry + """
                    ,{"host":"example.net","pins":["\(Self.pin(3))","\(Self.pin(4))"],"backups":["\(Self.pin(5))"],
                    "subdomains":true,"except":["cdn.example.net"],"expires":"2027-06-30T00:00:00Z",
                    "afterExpiry":"connect","mode":"report-only","tls12":true}
                    """))
        #expect(policy.serial == 3)
        #expect(policy.unpinned == .refuse)
        let first = try #require(policy.entry(for: "api.example.org"))
        #expect(try first == HostPins(host: "api.example.org", pins: [.invented(1)], backups: [.invented(2)]))
        #expect(first.afterExpiry == .refuse)
        #expect(first.mode == .enforce)
        #expect(
            try policy.entry(for: "a.example.net")
                == HostPins(
                    host: "example.net", pins: [.invented(3), .invented(4)], backups: [.invented(5)],
                    includesSubdomains: true, exclusions: ["cdn.example.net"], expires: 1_814_313_600,
                    afterExpiry: .connect, mode: .reportOnly, allowsTLS12: true))
    }

    @Test("a host without a backup pin, or with a pin twice, is refused")
    func backups() {
        let faults: [(String, HostPins.Fault)] = [
            (#""pins":["\#(Self.pin(1))"],"backups":[]"#, .noBackup),
            (#""pins":["\#(Self.pin(1))","\#(Self.pin(2))"],"backups":[]"#, .noBackup),
            (#""pins":[],"backups":["\#(Self.pin(1))"]"#, .noPins),
            (#""pins":["\#(Self.pin(1))"],"backups":["\#(Self.pin(1))"]"#, .repeatedPin),
            (#""pins":["\#(Self.pin(1))","\#(Self.pin(1))"],"backups":["\#(Self.pin(2))"]"#, .repeatedPin),
        ]
        for (members, fault) in faults {
            #expect(throws: PinPolicy.Fault.host(index: 1, fault)) {
                try read(Self.file(Self.entry + #",{"host":"a.test",\#(members)}"#))
            }
        }
    }

    @Test(
        "members that are missing, unknown or of another type are refused, and named",
        arguments: [
            (file(entry, format: "2"), PinPolicy.Fault.format),
            (file(entry, format: "1.0"), .member("format")),
            (file(entry, serial: "-1"), .member("serial")), (file(entry, serial: #""3""#), .member("serial")),
            (file(entry, more: #","note":"x""#), .unknownMember),
            (file(#"{"host":"a.test"}"#), .member("pins")),
            (file(#"{"host":"a.test","pins":["\#(pin(1))"]}"#), .member("backups")),
            (file(#"{"host":"a.test","pins":["sha256/x"],"backups":["\#(pin(1))"]}"#), .member("pins")),
            (file(#"{"host":"a.test","pins":["sha1/\#(pin(1))"],"backups":["\#(pin(1))"]}"#), .member("pins")),
            (file(entry.replacing("}", with: #","expires":"2027-06-30"}"#)), .member("expires")),
            (file(entry.replacing("}", with: #","afterExpiry":"open"}"#)), .member("afterExpiry")),
            (file(entry.replacing("}", with: #","mode":"off"}"#)), .member("mode")),
            (file(entry.replacing("}", with: #","tls12":1}"#)), .member("tls12")),
            (file(entry.replacing("}", with: #","subdomains":"yes"}"#)), .member("subdomains")),
            (file(entry.replacing("}", with: #","except":"x"}"#)), .member("except")),
            (file(entry.replacing("}", with: #","pin":[]}"#)), .unknownMember),
            (file(entry + "," + entry), .repeatedHost), (file(#""x""#), .member("hosts")),
            (file(entry).replacing("refuse", with: "maybe"), .member("unpinned")), ("[]", .member("policy")),
            (#"{"format":1,"format":1}"#, .notJSON), ("", .notJSON),
        ])
    func malformed(_ text: String, _ fault: PinPolicy.Fault) { #expect(throws: fault) { try read(text) } }

    @Test("hosts and exclusions that cannot match are refused")
    func hosts() throws {
        let pins = try [Pin.invented(1)]
        let backups = try [Pin.invented(2)]
        for host in [
            "API.example.org", "api.example.org.", "*.example.org", "https://a.test", "a.test:443", "[::1]", "",
            "2001:db8:0::1", "2001:DB8::1", "127.1",
        ] {
            #expect(throws: HostPins.Fault.host) { try HostPins(host: host, pins: pins, backups: backups) }
        }
        #expect(throws: HostPins.Fault.host) {
            try HostPins(host: "127.0.0.1", pins: pins, backups: backups, includesSubdomains: true)
        }
        for exclusion in ["example.org", "other.test", "notexample.org", "CDN.example.org"] {
            #expect(throws: HostPins.Fault.exclusion) {
                try HostPins(
                    host: "example.org", pins: pins, backups: backups, includesSubdomains: true, exclusions: [exclusion]
                )
            }
        }
        #expect(throws: HostPins.Fault.exclusion) {
            try HostPins(host: "example.org", pins: pins, backups: backups, exclusions: ["a.example.org"])
        }
        let many = try (0..<21).map { try Pin.invented($0) }
        #expect(throws: HostPins.Fault.tooMany) {
            try HostPins(host: "example.org", pins: many, backups: [.invented(99)])
        }
    }

    @Test("an entry is for its host, and for the names below it only if it says so; the longest name wins")
    func subdomains() throws {
        func entry(_ host: String, _ byte: UInt8, subdomains: Bool, except: [String] = []) throws -> HostPins {
            try HostPins(
                host: host, pins: [.invented(byte)], backups: [.invented(0xBB)], includesSubdomains: subdomains,
                exclusions: except)
        }
        let policy = try PinPolicy(
            serial: 1, unpinned: .allow,
            hosts: [
                entry("example.org", 1, subdomains: true, except: ["open.example.org", "x.api.example.org"]),
                entry("api.example.org", 2, subdomains: false), entry("example.net", 3, subdomains: false),
                entry("deep.api.example.org", 4, subdomains: true),
            ])
        let expected: [(String, UInt8?)] = [
            ("example.org", 1), ("a.example.org", 1), ("a.b.example.org", 1), ("api.example.org", 2),
            ("v2.api.example.org", 1), ("x.api.example.org", nil), ("deep.api.example.org", 4),
            ("a.deep.api.example.org", 4), ("open.example.org", nil), ("a.open.example.org", nil),
            ("reopen.example.org", 1), ("notexample.org", nil), ("example.org.evil.test", nil), ("org", nil),
            ("example.net", 3), ("a.example.net", nil),
        ]
        for (host, byte) in expected {
            #expect(try policy.entry(for: host)?.pins.first == byte.map { try Pin.invented($0) }, "\(host)")
        }
    }

    @Test("no mutation of a policy makes its decoder fail otherwise")
    func mutations() {
        let seeds = [Self.file(Self.entry), Self.file(Self.entry.replacing("}", with: #","tls12":true}"#))]
        Fuzz.mutations(of: seeds.map { Array($0.utf8) }, iterations: 5_000) { _ = try? PinPolicy(decoding: $0) }
    }

    @Test("a file beyond the limits is refused")
    func large() throws {
        let spaces = String(repeating: " ", count: HTTPLimits.policyBytes)
        #expect(throws: PinPolicy.Fault.notJSON) { try read(Self.file(Self.entry) + spaces) }
        let hosts = (0...HTTPLimits.policyHosts).map { number in
            Self.entry.replacing("api", with: "a\(number)")
        }
        #expect(throws: PinPolicy.Fault.tooManyHosts) { try read(Self.file(hosts.joined(separator: ","))) }
        #expect(try read(Self.file(hosts.dropLast().joined(separator: ","))).hosts.count == HTTPLimits.policyHosts)
    }
}

@Suite("The expiry of pins")
struct PinExpiryTests {
    private let expires = TestTime.start
    private let day = TestTime.day

    private func decision(
        _ after: HostPins.AfterExpiry, clock: UInt64, authenticated: UInt64
    ) throws -> PinDecision {
        PinDecision(
            for: "localhost", by: try .pinning(to: [.invented(1)], expires: expires, after: after), clock: clock,
            authenticated: authenticated)
    }

    private func entry(_ after: HostPins.AfterExpiry) throws -> HostPins {
        try PinPolicy.pinning(to: [.invented(1)], expires: expires, after: after).hosts[0]
    }

    @Test("pins are enforced up to their last second")
    func before() throws {
        for after in [HostPins.AfterExpiry.refuse, .connect] {
            #expect(
                try decision(after, clock: expires - 1, authenticated: expires - day) == .pinned(entry(after)))
        }
    }

    @Test("pins that fail closed refuse from then on, whatever the clock says")
    func closed() throws {
        let refused = PinDecision.refused(.pinsExpired)
        #expect(try decision(.refuse, clock: expires, authenticated: expires - day) == refused)
        #expect(try decision(.refuse, clock: expires + 10_000 * day, authenticated: 0) == refused)
        // The clock was set back after a pinned server had named a later time.
        #expect(try decision(.refuse, clock: expires - 10 * day, authenticated: expires) == refused)
    }

    @Test("pins that fail open end if the clock is near the latest authenticated time, or that time is past the expiry")
    func open() throws {
        let lapsed = PinDecision.lapsed(try entry(.connect))
        let pinned = PinDecision.pinned(try entry(.connect))
        #expect(try decision(.connect, clock: expires, authenticated: expires - 7 * day) == lapsed)
        #expect(try decision(.connect, clock: expires + 1_000 * day, authenticated: expires) == lapsed)
        #expect(try decision(.connect, clock: expires - 9 * day, authenticated: expires) == lapsed)
        // okhttp#3010: the clock alone, far ahead, ends nothing.
        #expect(try decision(.connect, clock: expires, authenticated: expires - 7 * day - 1) == pinned)
        #expect(try decision(.connect, clock: expires + 10_000 * day, authenticated: expires - 8 * day) == pinned)
        #expect(try decision(.connect, clock: .max, authenticated: 0) == pinned)
    }

    @Test("an entry that only reports refuses nothing after its expiry either")
    func reportOnly() throws {
        let policy = try PinPolicy.pinning(to: [.invented(1)], expires: expires, mode: .reportOnly)
        let decision = PinDecision(for: "localhost", by: policy, clock: .max, authenticated: 0)
        #expect(decision == .lapsed(policy.hosts[0]))
    }

    @Test("the authenticated time advances with the earlier of the clock and a pinned server, and never goes back")
    func time() {
        let time = PinTime(latest: 1_000)
        time.observe(server: 5_000, clock: 2_000)
        #expect(time.latest == 2_000)
        time.observe(server: 3_000, clock: .max)
        #expect(time.latest == 3_000)
        time.observe(server: 0, clock: 0)
        #expect(time.latest == 3_000)
    }

    @Test(
        "only a server whose pinned key was verified advances the time, and only as far as the clock",
        .timeLimit(.minutes(20)))
    func learned() async throws {
        let world = try TestWorld.shared.get()
        // 2100-01-01, and the answer's own time.
        for (date, latest) in [
            ("Fri, 01 Jan 2100 00:00:00 GMT", TestTime.start), ("Thu, 01 Jan 1970 00:00:09 GMT", 9),
        ] {
            let answer = "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"
            let server = try world.server(answer: answer)
            let time = PinTime(latest: 5)
            let unpinned = client(roots: try world.roots(), time: time)
            _ = try await unpinned.send(request(server.port))
            #expect(time.latest == 5)
            let reporting = client(
                try .pinning(to: [.invented(1)], mode: .reportOnly), roots: try world.roots(), time: time)
            _ = try await reporting.send(request(server.port))
            #expect(time.latest == 5)
            let pinned = client(try .pinning(to: [.of(world.root)]), roots: try world.roots(), time: time)
            _ = try await pinned.send(request(server.port))
            #expect(time.latest == latest)
        }
    }
}

@Suite("Signed pin policies")
struct SignedPinPolicyTests {
    private let signer: PolicySigner
    private let current: PinPolicy

    init() throws {
        signer = try PolicySigner()
        current = try .pinning(to: [.invented(1)], serial: 5)
    }

    private func policy(_ serial: UInt64) -> String {
        #"{"format":1,"serial":\#(serial),"unpinned":"refuse","hosts":[]}"#
    }

    @Test("a policy with a higher number and the signature of one of the app's keys replaces the present one")
    func accepted() throws {
        let other = try PolicySigner()
        let pins = LivePins(current, updatedBy: [other.key, signer.key], time: PinTime(latest: 0))
        try pins.update(signer.sign(policy(6)))
        #expect(pins.current.serial == 6)
        #expect(pins.current.unpinned == .refuse)
    }

    @Test("an older policy and the same one are refused, though they are signed")
    func rollback() throws {
        let pins = LivePins(current, updatedBy: [signer.key], time: PinTime(latest: 0))
        for serial: UInt64 in [0, 4, 5] {
            #expect(throws: SignedPinPolicy.Fault.rollback(current: 5)) {
                try pins.update(signer.sign(policy(serial)))
            }
        }
        try pins.update(signer.sign(policy(.max)))
        #expect(throws: SignedPinPolicy.Fault.rollback(current: .max)) { try pins.update(signer.sign(policy(6))) }
    }

    @Test("a signature by another key, over other bytes, or for another purpose is refused, before the policy is read")
    func signature() throws {
        let pins = LivePins(current, updatedBy: [signer.key], time: PinTime(latest: 0))
        let signed = try signer.sign(policy(6))
        let stranger = try PolicySigner().sign(policy(6))
        let changed = SignedPinPolicy(policy: Array(policy(7).utf8), signature: signed.signature)
        let garbage = SignedPinPolicy(policy: Array("garbage".utf8), signature: signed.signature)
        let bare = SignedPinPolicy(policy: signed.policy, signature: try signer.bareSignature(of: signed.policy))
        for wrong in [stranger, changed, garbage, bare] {
            #expect(throws: SignedPinPolicy.Fault.signature) { try pins.update(wrong) }
        }
        for index in signed.signature.indices {
            var signature = signed.signature
            signature[index] ^= 1
            #expect(throws: SignedPinPolicy.Fault.signature) {
                try pins.update(SignedPinPolicy(policy: signed.policy, signature: signature))
            }
        }
        #expect(pins.current == current)
        let closed = LivePins(current, updatedBy: [], time: PinTime(latest: 0))
        #expect(throws: SignedPinPolicy.Fault.signature) { try closed.update(signed) }
    }

    @Test("a signed policy that is invalid is refused, and the present one stays")
    func invalid() throws {
        let pins = LivePins(current, updatedBy: [signer.key], time: PinTime(latest: 0))
        #expect(throws: SignedPinPolicy.Fault.policy(.notJSON)) { try pins.update(signer.sign("{")) }
        #expect(pins.current == current)
    }

    @Test("the file is read as it was written, and other forms of it are refused")
    func file() throws {
        let signed = try signer.sign(policy(6))
        #expect(try SignedPinPolicy(decoding: signed.encoded) == signed)
        let text = String(decoding: signed.encoded, as: UTF8.self)
        let wrong = [
            "", "{}", "[]", text.replacing("policy", with: "Policy"),
            text.replacing("}", with: #","key":"x"}"#), #"{"policy":"","signature":"AAAA"}"#,
            text.replacing("signature\":\"", with: "signature\":\"A"),
        ]
        for text in wrong {
            #expect(throws: SignedPinPolicy.Fault.malformed, "\(text)") {
                try SignedPinPolicy(decoding: Array(text.utf8))
            }
        }
        Fuzz.mutations(of: [signed.encoded], iterations: 2_000) { _ = try? SignedPinPolicy(decoding: $0) }
    }

    @Test("OpenSSL's signature of the bytes is accepted", .timeLimit(.minutes(20)))
    func openSSL() throws {
        let folder = try TemporaryFolder()
        let text = policy(6)
        let message = SignedPinPolicy.bytesToSign(of: Array(text.utf8))
        try folder.write(String(decoding: message, as: UTF8.self), to: "message")
        let script = """
            cd '\(folder.path)' && openssl genpkey -algorithm ed25519 -out key \
            && openssl pkeyutl -sign -inkey key -rawin -in message -out signature \
            && openssl pkey -in key -pubout -outform der | tail -c 32 | od -An -tx1 -v | tr -d ' \\n' && echo \
            && od -An -tx1 -v signature | tr -d ' \\n'
            """
        let lines = try Program.output("/bin/sh", ["-c", script]).split(separator: "\n")
        #expect(lines.count == 2)
        let key = try PinPolicyKey(bytes: hex(String(lines[0]))).required
        let signed = SignedPinPolicy(policy: Array(text.utf8), signature: hex(String(lines[1])))
        #expect(try signed.verified(by: [key], replacing: current).serial == 6)
    }
}
