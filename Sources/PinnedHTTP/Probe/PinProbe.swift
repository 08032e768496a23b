internal import Foundation
internal import X509

/// Looks up the pins that a server would match: to write a policy, and to check one before it is published.
///
/// It connects with normal validation, reads the certificates, and sends no byte of an application. It says what a
/// server presents now. It protects no request: that is done by ``PinnedClient`` on the connection of the request.
public struct PinProbe: Sendable {
    /// A certificate of a verified chain.
    public struct Certificate: Equatable, Sendable {
        /// The pin of its key.
        public let pin: Pin
        /// The subject in visible ASCII, other characters as `?`, at most ``HTTPLimits/subjectCharacters`` long.
        public let subject: String
        /// The first second of its validity, as seconds since 1970.
        public let notBefore: UInt64
        /// The last second of its validity.
        public let notAfter: UInt64
    }

    /// The certificates of a server.
    public struct Served: Equatable, Sendable {
        /// The verified chain, the server's own certificate first and the root last.
        public let certificates: [Certificate]
        /// Whether the server speaks TLS 1.2 only, so that its entry needs the exception.
        public let needsTLS12: Bool

        /// The pins of the chain.
        public var pins: [Pin] { certificates.map(\.pin) }
    }

    private let client: PinnedClient
    private let now: @Sendable () -> UInt64

    /// Creates a probe.
    ///
    /// - Parameters:
    ///   - configuration: the roots, the proxy and the time-out that are used.
    ///   - now: returns seconds since 1970.
    public init(_ configuration: ClientConfiguration, now: @escaping @Sendable () -> UInt64) {
        let pins = LivePins(.none, updatedBy: [], time: PinTime(latest: 0))
        client = PinnedClient(configuration, pins: pins, now: now)
        self.now = now
    }

    /// Connects to a server and returns its verified chain.
    public func certificates(of origin: Origin) async throws(HTTPFailure) -> Served {
        do throws(HTTPFailure) { return try await served(by: origin, allowingTLS12: false) } catch {
            guard error.reason == .untrusted(.version) else { throw error }
            return try await served(by: origin, allowingTLS12: true)
        }
    }

    private func served(by origin: Origin, allowingTLS12 isTLS12: Bool) async throws(HTTPFailure) -> Served {
        guard origin.scheme == .https else { throw HTTPFailure(.notEncrypted, mayHaveArrived: false) }
        let wire = try await client.connect(to: origin, using: .probe(allowsTLS12: isTLS12))
        defer { wire.close() }
        guard let chain = wire.chain else { throw HTTPFailure(.notEncrypted, mayHaveArrived: false) }
        let certificates = zip(chain.certificates, chain.pins).map { certificate, pin in
            Certificate(
                pin: pin, subject: Self.visible("\(certificate.subject)"),
                notBefore: Self.seconds(certificate.notValidBefore.timeIntervalSince1970),
                notAfter: Self.seconds(certificate.notValidAfter.timeIntervalSince1970))
        }
        return Served(certificates: certificates, needsTLS12: isTLS12)
    }

    private static func seconds(_ time: Double) -> UInt64 { time > 0 && time < 1e15 ? UInt64(time) : 0 }

    /// A subject may contain anything, also what directs a terminal.
    private static func visible(_ text: String) -> String {
        String(
            text.prefix(HTTPLimits.subjectCharacters).map { character in
                guard let byte = character.asciiValue, (0x20...0x7E).contains(byte) else { return "?" }
                return character
            })
    }

    // MARK: - Policies

    /// A property of an entry that its publisher should know about.
    public enum Finding: Equatable, Sendable {
        /// None of its pins is in the server's chain: clients would refuse the server.
        case noPinServed
        /// All of its pins are in the server's chain: no backup is left when one of these keys is lost.
        case everyPinServed
        /// A backup pin is in the server's chain: a key that is kept apart should not be in use.
        case backupServed(Pin)
        /// A pin is not in the server's chain, although it is not a backup.
        case pinNotServed(Pin)
        /// The only pins in the chain are those of the server's own certificate, which changes most often.
        case onlyServerKeyPinned
        /// The pins have expired.
        case expired
        /// The pins expire within ``HTTPLimits/expiryWarning``.
        case expiresSoon
        /// The server speaks TLS 1.2 only, and the entry does not allow it.
        case needsTLS12
        /// The entry allows TLS 1.2, which the server does not need.
        case allowsTLS12Needlessly
    }

    /// The outcome for one entry.
    public struct Check: Sendable {
        /// The host of the entry.
        public let host: String
        /// The server's chain, or the error of the connection.
        public let served: Result<Served, HTTPFailure>
        /// The findings; empty if all is well.
        public let findings: [Finding]
    }

    /// Connects to each host of a policy, one after the other.
    ///
    /// - Parameter port: the port of the servers.
    public func check(_ policy: PinPolicy, port: UInt16 = 443) async -> [Check] {
        var checks: [Check] = []
        for entry in policy.hosts {
            guard let origin = Origin(host: entry.host, port: port) else { continue }
            do throws(HTTPFailure) {
                let served = try await certificates(of: origin)
                let findings = findings(on: entry, served) + expiry(of: entry)
                checks.append(Check(host: entry.host, served: .success(served), findings: findings))
            } catch {
                checks.append(Check(host: entry.host, served: .failure(error), findings: expiry(of: entry)))
            }
        }
        return checks
    }

    private func findings(on entry: HostPins, _ served: Served) -> [Finding] {
        let pins = Set(served.pins)
        var findings: [Finding] = []
        if entry.all.isDisjoint(with: pins) {
            findings.append(.noPinServed)
        } else {
            if entry.all.isSubset(of: pins) { findings.append(.everyPinServed) }
            findings += entry.backups.filter(pins.contains).map { .backupServed($0) }
            findings += entry.pins.filter { !pins.contains($0) }.map { .pinNotServed($0) }
            if entry.all.isDisjoint(with: served.pins.dropFirst()) { findings.append(.onlyServerKeyPinned) }
        }
        if served.needsTLS12, !entry.allowsTLS12 { findings.append(.needsTLS12) }
        if !served.needsTLS12, entry.allowsTLS12 { findings.append(.allowsTLS12Needlessly) }
        return findings
    }

    private func expiry(of entry: HostPins) -> [Finding] {
        guard let expires = entry.expires else { return [] }
        let time = now()
        if time >= expires { return [.expired] }
        return expires - time <= HTTPLimits.expiryWarning ? [.expiresSoon] : []
    }
}
