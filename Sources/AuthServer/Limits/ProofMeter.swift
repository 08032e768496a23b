internal import AuthAPI
internal import ServerHTTP
internal import Synchronization
internal import Time
internal import Tokens

/// Counts the proofs and access tokens with wrong signatures. After too many it refuses further ones before it pays for
/// their verification. Right signatures are not counted.
///
/// Many people share one address (carrier-grade NAT), and one of them may send wrong signatures all day. So a request
/// of a device that this server knows is counted separately, by address and device: it waits only if wrong signatures
/// came from its own address with its own key. The limit of the address covers the requests of unknown devices.
final class ProofMeter: Sendable {
    /// The subject for which verifications are counted together.
    struct Subject: Sendable {
        fileprivate let limited: [MemoryBuckets<Key>.Limited]
    }

    fileprivate enum Key: Hashable, Sendable {
        case address(String)
        case network(ClientAddress.Network)
        /// A known device or session, at one address.
        case known(String, [UInt8])
    }

    private let buckets: MemoryBuckets<Key>
    private let known: Mutex<BoundedTable<[UInt8], Void>>

    /// - Parameters:
    ///   - capacity: the number of addresses, networks and known devices that are counted at a time.
    ///   - devices: the number of known devices that are remembered.
    init(capacity: Int = Limits.meteredSubjects, devices: Int = Limits.knownDevices) {
        buckets = MemoryBuckets(capacity: capacity)
        known = Mutex(BoundedTable(capacity: devices))
    }

    /// Remembers a device, by the thumbprint of its key. It is called after a request with a right proof that a limit
    /// of the store has counted, or that belonged to a session. So an attacker cannot become a known device merely by
    /// making a key.
    func remember(_ device: [UInt8]) { known.withLock { $0.set((), for: device) } }

    /// Returns the subject of a verification.
    ///
    /// - Parameters:
    ///   - device: the key in the proof. Anyone can present it, so known devices are counted by their address as well.
    ///   - session: the session of a refresh token that this server made. It shows that the device is known, also after
    ///     a restart.
    func subject(_ address: ClientAddress, device: [UInt8]?, session: SessionID? = nil) -> Subject {
        if let session { return Subject(limited: [one(.known(address.description, session.bytes), .known)]) }
        if let device, known.withLock({ $0.value(of: device) }) != nil {
            return Subject(limited: [one(.known(address.description, device), .known)])
        }
        let networks = address.networks.map { one(Key.network($0), .network) }
        return Subject(limited: [one(.address(address.description), .address)] + networks)
    }

    /// Returns how long signatures of this subject are not verified; nil if one may be verified now.
    func wait(for subject: Subject, at now: Timestamp) -> Timestamp.Span? {
        buckets.wait(for: subject.limited, at: now)
    }

    /// Counts a wrong signature, or a repeated proof.
    func noteFailure(of subject: Subject, at now: Timestamp) { buckets.drain(subject.limited, at: now) }

    /// Verifies a signature, unless too many were wrong. A right signature is not counted.
    ///
    /// - Parameter refusal: the problem for a wrong signature.
    func verified<Value>(
        for subject: Subject, refusal: Problem, at now: Timestamp, _ verify: () throws(TokensError) -> Value
    ) throws(Problem) -> Value {
        if let wait = wait(for: subject, at: now) {
            throw Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: "proofs")
        }
        do {
            return try verify()
        } catch {
            noteFailure(of: subject, at: now)
            throw refusal
        }
    }

    private enum Kind { case address, network, known }

    private func one(_ key: Key, _ kind: Kind) -> MemoryBuckets<Key>.Limited {
        let bucket =
            switch kind {
            case .address: Limits.failedProofsOfAddress
            case .network: Limits.failedProofsOfNetwork
            case .known: Limits.failedProofsOfDevice
            }
        return MemoryBuckets.Limited(subject: key, rate: bucket.rate)
    }
}
