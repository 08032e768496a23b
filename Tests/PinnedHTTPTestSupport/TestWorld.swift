import Foundation
import Secrets
import Synchronization
import TestSupport

@testable import PinnedHTTP

/// Two authorities that a client trusts, and servers' certificates of the first one, made by OpenSSL.
struct TestWorld: Sendable {
    typealias Issued = CertificateAuthority.Issued

    let authority: CertificateAuthority
    let root: Issued
    let intermediate: Issued
    let leaf: Issued
    /// A certificate for the same names with another key, of the same authority.
    let renewed: Issued
    /// An authority that the client trusts, too: that of an interception proxy.
    let otherRoot: Issued
    let intercepted: Issued

    /// The names of the servers' certificates.
    static let names = ["DNS:localhost", "DNS:api.example.test", "DNS:*.example.test", "IP:127.0.0.1"]

    static let shared: Result<TestWorld, any Error> = Result { try TestWorld() }

    private init() throws {
        authority = try CertificateAuthority()
        root = try authority.root("First Root")
        intermediate = try authority.intermediate("First Intermediate", by: root)
        leaf = try authority.server(Self.names, by: intermediate)
        renewed = try authority.server(Self.names, by: intermediate)
        otherRoot = try authority.root("Other Root")
        intercepted = try authority.server(Self.names, by: otherRoot)
    }

    /// The chain that the usual server presents.
    var chain: [Issued] { [leaf, intermediate] }

    /// Starts a server with TLS.
    func server(
        _ chain: [Issued]? = nil, isTLS12: Bool = false, answer: String? = nil,
        then ending: RecordingServer.Ending = .keep
    ) throws -> RecordingServer {
        try RecordingServer(authority, chain: chain ?? self.chain, isTLS12: isTLS12, answer: answer, then: ending)
    }

    /// The roots that clients trust: both authorities.
    func roots(_ certificates: [Issued]? = nil) throws -> TrustRoots {
        let pem = (certificates ?? [root, otherRoot]).map(\.pem).joined()
        return try TrustRoots(pem: Array(pem.utf8)).required
    }
}

/// The time of the tests' certificates.
enum TestTime {
    /// An hour from now: the tests' certificates are valid from the second in which they are made.
    static let start = UInt64(Date().timeIntervalSince1970) + 3_600
    static let day: UInt64 = 86_400
}

/// A device's clock that a test sets.
final class DeviceClock: Sendable {
    private let time: Mutex<UInt64>
    init(_ time: UInt64 = TestTime.start) { self.time = Mutex(time) }
    var now: UInt64 { time.withLock { $0 } }
    func set(_ time: UInt64) { self.time.withLock { $0 = time } }
}

/// Collects reports.
final class ReportLog: PinReports {
    private let log = Mutex<[PinReport]>([])
    func receive(_ report: PinReport) { log.withLock { $0.append(report) } }
    var reports: [PinReport] { log.withLock { $0 } }
}

struct Missing: Error {}

extension Optional {
    /// The value, which has to exist.
    var required: Wrapped {
        get throws {
            guard let self else { throw Missing() }
            return self
        }
    }
}

extension Pin {
    /// A pin that no key has.
    static func invented(_ byte: UInt8) throws -> Pin { try Pin(bytes: Array(repeating: byte, count: 32)).required }
    static func of(_ certificate: CertificateAuthority.Issued) throws -> Pin { try Pin(certificate.pin).required }
}

extension PinPolicy {
    /// A policy with one entry, with an invented backup unless others are given.
    static func pinning(
        _ host: String = "localhost", to pins: [Pin], backups: [Pin]? = nil, subdomains: Bool = false,
        except exclusions: [String] = [], expires: UInt64? = nil, after: HostPins.AfterExpiry = .refuse,
        mode: HostPins.Mode = .enforce, tls12: Bool = false, unpinned: Unpinned = .allow, serial: UInt64 = 1
    ) throws -> PinPolicy {
        try PinPolicy(
            serial: serial, unpinned: unpinned,
            hosts: [
                HostPins(
                    host: host, pins: pins, backups: try backups ?? [.invented(0xBB)], includesSubdomains: subdomains,
                    exclusions: exclusions, expires: expires, afterExpiry: after, mode: mode, allowsTLS12: tls12)
            ])
    }
}

/// A client of the tests: patient, and without repetition.
func client(
    _ policy: PinPolicy = .none, roots: TrustRoots, clock: DeviceClock = DeviceClock(), time: PinTime? = nil,
    reports: ReportLog? = nil, keys: [PinPolicyKey] = [], proxy: SOCKSProxy? = nil,
    plain: ClientConfiguration.PlainHTTP = .never, retries: RetryPolicy = .never, pool: PoolLimits = PoolLimits(),
    connectTimeout: Duration = .seconds(Patience.seconds), sleeping: any Clock<Duration> = ContinuousClock(),
    random: any RandomSource = SystemRandom()
) -> PinnedClient {
    let configuration = ClientConfiguration(
        userAgent: "test/1", roots: roots, plainHTTP: plain, proxy: proxy, connectTimeout: connectTimeout,
        retries: retries, pool: pool)
    return PinnedClient(
        configuration,
        pins: LivePins(
            policy, updatedBy: keys, time: time ?? PinTime(latest: TestTime.start), reports: reports),
        now: { clock.now }, clock: sleeping, random: random)
}

func request(
    _ port: UInt16, host: String = "localhost", scheme: Origin.Scheme = .https, _ method: HTTPRequest.Method = .post,
    _ target: String = "/order?id=1", body: String = "", repetition: HTTPRequest.Repetition? = nil, limit: Int = 10_000,
    timeout: Duration = .seconds(Patience.seconds)
) throws -> HTTPRequest {
    try HTTPRequest(
        method, target, at: Origin(scheme, host: host, port: port).required, body: Array(body.utf8),
        repetition: repetition, limit: limit, timeout: timeout
    ).required
}
