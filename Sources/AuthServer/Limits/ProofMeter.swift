internal import AuthAPI
internal import Synchronization
internal import Tokens

/// Counts the proofs and access tokens whose signature was wrong, and refuses to verify more of them, before a verification
/// is paid for. A signature that is right takes nothing.
///
/// Many people have one address (carrier-grade NAT), and one of them may send wrong signatures all day. A request of a device
/// that this server knows is therefore counted apart, by address and device: it waits only if wrong signatures came from its
/// own address with its own key. What remains for the address are requests of devices that this server has not seen.
final class ProofMeter: Sendable {
    /// Whose verifications are counted together.
    struct Subject: Sendable {
        fileprivate let limited: [MemoryBuckets<Key>.Limited]
    }

    fileprivate enum Key: Hashable, Sendable {
        case address(String)
        case network(ClientAddress.Network)
        /// A device or a session that is known, at one address.
        case known(String, [UInt8])
    }

    private let buckets: MemoryBuckets<Key>
    private let known: Mutex<BoundedTable<[UInt8], Void>>

    /// - Parameters:
    ///   - capacity: how many addresses, networks and known devices are counted at a time.
    ///   - devices: how many devices are known at a time.
    init(capacity: Int = Limits.meteredSubjects, devices: Int = Limits.knownDevices) {
        buckets = MemoryBuckets(capacity: capacity)
        known = Mutex(BoundedTable(capacity: devices))
    }

    /// Remembers a device, by the thumbprint of its key: after a request whose proof was right and that a limit of the store has
    /// counted, or that belonged to a session. So a device costs an attacker more than a key.
    func remember(_ device: [UInt8]) { known.withLock { $0.set((), for: device) } }

    /// Whose verification it is.
    ///
    /// - Parameters:
    ///   - device: the key in the proof, which may be anybody's: so known devices are counted by their address as well.
    ///   - session: of a refresh token that this server made. It shows a known device also after a restart.
    func subject(_ address: ClientAddress, device: [UInt8]?, session: SessionID? = nil) -> Subject {
        if let session { return Subject(limited: [one(.known(address.description, session.bytes), .known)]) }
        if let device, known.withLock({ $0.value(of: device) }) != nil {
            return Subject(limited: [one(.known(address.description, device), .known)])
        }
        let networks = address.networks.map { one(Key.network($0), .network) }
        return Subject(limited: [one(.address(address.description), .address)] + networks)
    }

    /// Returns how long no signature is verified for this subject; nil if one may be verified now.
    func wait(for subject: Subject, at now: Timestamp) -> Timestamp.Span? {
        buckets.wait(for: subject.limited, at: now)
    }

    /// Counts a signature that was wrong, or a proof that came twice.
    func noteFailure(of subject: Subject, at now: Timestamp) { buckets.drain(subject.limited, at: now) }

    /// Runs a verification of a signature, unless too many were wrong. A signature that is right takes nothing.
    ///
    /// - Parameter refusal: what to answer where the signature is wrong.
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
