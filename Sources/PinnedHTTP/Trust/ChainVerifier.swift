internal import SwiftASN1
internal import Synchronization
internal import X509

/// A chain of certificates from the server's to a trusted one, each verified.
public struct VerifiedChain: Sendable {
    /// The certificates, the server's first.
    let certificates: [Certificate]
    /// The pins of the certificates, the server's first and the root's last.
    public let pins: [Pin]
    /// Whether one of the pins was asked for; false if none were.
    public let isPinned: Bool
}

/// Verifies what a server presents: chain, name, dates, purposes, and the names that its authorities may issue.
///
/// ``PinnedClient`` does this on each connection. Use it to judge certificates that were obtained in another way.
///
/// - Warning: It does not check whether a certificate was revoked.
public struct ChainVerifier: Sendable {
    private let roots: TrustRoots

    /// Creates a verifier.
    public init(roots: TrustRoots) { self.roots = roots }

    /// Searches for a valid chain.
    ///
    /// A server's certificates may lead to several roots. With `wanted` the search goes on until a chain has one of
    /// these pins: the shortest chain need not be the one whose root is pinned. Where no chain has one, it returns the
    /// first valid one, which is not ``VerifiedChain/isPinned``.
    ///
    /// - Parameters:
    ///   - presented: the certificates as DER, the server's first, the others in any order. The root may be left out.
    ///   - host: the host as a request names it, a DNS name or an IP address (``Origin/host``).
    ///   - time: seconds since 1970.
    ///   - wanted: the pins to look for; empty to accept the first valid chain.
    /// - Throws: the fault of the chain that came furthest.
    public func verify(
        _ presented: [[UInt8]], for host: String, at time: UInt64, wanted: Set<Pin>
    ) async throws(TrustFault) -> VerifiedChain {
        do throws(ChainFlaw) { return try await search(presented, for: host, at: time, wanted: wanted) } catch {
            throw error.fault
        }
    }

    /// Searches for a valid chain, and throws the exact reason if it finds no such chain.
    func search(
        _ presented: [[UInt8]], for host: String, at time: UInt64, wanted: Set<Pin>
    ) async throws(ChainFlaw) -> VerifiedChain {
        guard presented.count <= HTTPLimits.presentedCertificates,
            presented.allSatisfy({ $0.count <= HTTPLimits.certificateBytes })
        else { throw .tooMany }
        let certificates = presented.map { try? Certificate(derEncoded: $0) }
        guard let first = certificates.first, let leaf = first else { throw .noCertificate }
        guard let host = Origin(host: host)?.host else { throw .otherNames }
        // One that cannot be read is left out if it is not the server's own: it may be of a new algorithm.
        let others = certificates.dropFirst().compactMap(\.self)
        let rules = ChainRules(
            for: ServerName(host), at: time, comparisons: Budget(HTTPLimits.nameComparisons))
        let search = Search(rules, wanted: wanted)
        var verifier = Verifier(rootCertificates: roots.store) { search }
        let intermediates = BoundedIntermediates(others, candidates: Budget(HTTPLimits.issuerCandidates))
        let outcome = await verifier.validate(leaf: leaf, intermediates: CertificateStore(custom: intermediates))
        if case .validCertificate(let chain) = outcome, let verified = search.chain(Array(chain)) {
            return verified
        }
        if let unpinned = search.found.withLock({ $0.valid }), let verified = search.chain(unpinned) {
            return verified
        }
        throw search.found.withLock { $0.flaw }
    }
}

/// The check of one candidate chain. It records how far the best one came.
private final class Search: VerifierPolicy, Sendable {
    struct Found {
        /// The first chain that is valid but has none of the wanted pins.
        var valid: [Certificate]?
        var flaw = ChainFlaw.noPath
    }

    let found = Mutex(Found())
    private let rules: ChainRules
    private let wanted: Set<Pin>

    init(_ rules: ChainRules, wanted: Set<Pin>) { (self.rules, self.wanted) = (rules, wanted) }

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { ChainRules.criticalExtensions }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        let certificates = Array(chain)
        if let flaw = rules.flaw(of: certificates) {
            // A chain to a root says more than no chain, so a later fault replaces an earlier one.
            found.withLock { $0.flaw = flaw }
            return .failsToMeetPolicy(reason: PolicyFailureReason("\(flaw)"))
        }
        guard !wanted.isEmpty else { return .meetsPolicy }
        guard !wanted.isDisjoint(with: certificates.compactMap(Pin.init(of:))) else {
            found.withLock { found in if found.valid == nil { found.valid = certificates } }
            return .failsToMeetPolicy(reason: "not pinned")
        }
        return .meetsPolicy
    }

    /// Returns the chain with its pins; nil if a key cannot be read.
    func chain(_ certificates: [Certificate]) -> VerifiedChain? {
        let pins = certificates.compactMap(Pin.init(of:))
        guard pins.count == certificates.count else { return nil }
        return VerifiedChain(certificates: certificates, pins: pins, isPinned: !wanted.isDisjoint(with: pins))
    }
}
