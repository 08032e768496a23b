internal import Foundation
internal import SwiftASN1
internal import Synchronization
@_spi(FixedExpiryValidationTime) internal import X509

/// A chain of certificates from the server's to a trusted one, each verified.
struct VerifiedChain: Sendable {
    /// The certificates, the server's first.
    let certificates: [Certificate]
    /// The pins of the certificates, in the same order.
    let pins: [Pin]
    /// Whether one of the pins was asked for; false if none were.
    let isPinned: Bool
}

/// Verifies what a server presents: chain, name, dates, purposes.
struct ChainVerifier: Sendable {
    private let roots: CertificateStore
    private let steps: Int

    init(roots: TrustRoots, steps: Int = HTTPLimits.chainSteps) {
        self.roots = roots.store
        self.steps = steps
    }

    /// Searches for a valid chain.
    ///
    /// A server's certificates may lead to several roots. With `wanted` the search goes on until a chain has one of
    /// these pins: the shortest chain need not be the one whose root is pinned. Where no chain has one, it returns the
    /// first valid one.
    ///
    /// - Parameters:
    ///   - presented: the certificates as DER, the server's first.
    ///   - host: the host as the request names it, a name or an IP address.
    ///   - time: seconds since 1970.
    ///   - wanted: the pins to look for; empty to accept the first valid chain.
    /// - Throws: the fault of the chain that came furthest.
    func verify(
        _ presented: [[UInt8]], for host: String, at time: UInt64, wanted: Set<Pin>
    ) async throws(TrustFault) -> VerifiedChain {
        guard presented.count <= HTTPLimits.presentedCertificates,
            presented.allSatisfy({ $0.count <= HTTPLimits.certificateBytes })
        else { throw .tooManyCertificates }
        let certificates = presented.map { try? Certificate(derEncoded: $0) }
        guard let first = certificates.first, let leaf = first else { throw .unknownAuthority }
        // One that cannot be read is left out if it is not the server's own: it may be of a new algorithm.
        let others = certificates.dropFirst().compactMap(\.self)
        let search = Search(host: host, time: time, wanted: wanted)
        var verifier = Verifier(rootCertificates: roots) { search }
        let intermediates = BoundedIntermediates(others, steps: steps)
        let outcome = await verifier.validate(leaf: leaf, intermediates: CertificateStore(custom: intermediates))
        if case .validCertificate(let chain) = outcome, let verified = search.chain(Array(chain)) {
            return verified
        }
        if let unpinned = search.found.withLock({ $0.valid }), let verified = search.chain(unpinned) {
            return verified
        }
        throw search.found.withLock { $0.fault }
    }
}

/// The check of one candidate chain. It records how far the best one came.
private final class Search: VerifierPolicy, Sendable {
    struct Found {
        /// The first chain that is valid but has none of the wanted pins.
        var valid: [Certificate]?
        var fault = TrustFault.unknownAuthority
    }

    let found = Mutex(Found())
    private let name: ServerName
    private let date: Date
    private let wanted: Set<Pin>

    init(host: String, time: UInt64, wanted: Set<Pin>) {
        name = ServerName(host)
        self.date = Date(timeIntervalSince1970: TimeInterval(time))
        self.wanted = wanted
    }

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
        RFC5280Policy(fixedExpiryValidationTime: date).verifyingCriticalExtensions
            + ServerUsagePolicy().verifyingCriticalExtensions + [.X509ExtensionID.subjectAlternativeName]
    }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        let rfc5280 = RFC5280Policy(fixedExpiryValidationTime: date)
        if case .failsToMeetPolicy(let reason) = rfc5280.chainMeetsPolicyRequirements(chain: chain) {
            // The library tells the reason only in words.
            let isExpired = chain.contains { date < $0.notValidBefore || date > $0.notValidAfter }
            return fail(isExpired ? .expired : .unknownAuthority, reason)
        }
        if case .failsToMeetPolicy(let reason) = ServerUsagePolicy().chainMeetsPolicyRequirements(chain: chain) {
            return fail(.unknownAuthority, reason)
        }
        guard let names = try? chain.first?.extensions.subjectAlternativeNames, name.isAmong(names) else {
            return fail(.wrongName, PolicyFailureReason("other names"))
        }
        guard !wanted.isEmpty else { return .meetsPolicy }
        let certificates = Array(chain)
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

    private func fail(_ fault: TrustFault, _ reason: PolicyFailureReason) -> PolicyEvaluationResult {
        // A chain to a root says more than no chain, so a later fault replaces an earlier one.
        found.withLock { $0.fault = fault }
        return .failsToMeetPolicy(reason: reason)
    }
}
