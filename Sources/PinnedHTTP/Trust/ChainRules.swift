internal import Foundation
internal import SwiftASN1
internal import X509

/// The rules of RFC 5280 for a chain whose signatures are verified: validity, authorities, purposes, names.
///
/// The policy of swift-certificates is not used: it refuses each chain below an authority that constrains directory names
/// or e-mail addresses, and accepts a wildcard in place of a name that an authority excludes.
struct ChainRules: Sendable {
    private let host: ServerName
    private let date: Date
    private let comparisons: Budget

    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - comparisons: of names with constraints.
    init(for host: ServerName, at time: UInt64, comparisons: Budget) {
        self.host = host
        date = Date(timeIntervalSince1970: TimeInterval(time))
        self.comparisons = comparisons
    }

    /// The extensions whose meaning these rules know. A certificate with another critical one is refused.
    static let criticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.nameConstraints, tlsFeature,
    ]

    /// Returns the first rule that a chain breaks; nil for a valid one.
    ///
    /// - Parameter chain: the server's certificate first, the root last.
    func flaw(of chain: [Certificate]) -> ChainFlaw? {
        guard chain.allSatisfy({ $0.notValidBefore <= date && date <= $0.notValidAfter }) else { return .validity }
        if let flaw = flawOfIssuers(chain) ?? flawOfPurposes(chain) ?? flawOfNames(chain.first) { return flaw }
        if let flaw = NameConstraintRules(comparisons).flaw(of: chain, for: host) { return flaw }
        return flawOfFeatures(chain)
    }

    // MARK: Issuers

    private func flawOfIssuers(_ chain: [Certificate]) -> ChainFlaw? {
        // The authorities that count for the length of a path: not the self-issued ones (section 4.2.1.9).
        var authorities = 0
        for (position, certificate) in chain.enumerated() {
            let isRoot = position == chain.count - 1
            // Version 1 has no extensions, so each such certificate would be an authority, also a server's or a
            // client's. Only the person who trusts a root decides about it.
            guard certificate.version == .v3 || isRoot && certificate.extensions.isEmpty else { return .version }
            // Collisions of SHA-1 are made in days (Leurent and Peyrin 2020). The signature of a root is not relied on.
            if !isRoot, certificate.signatureAlgorithm == .sha1WithRSAEncryption { return .weakSignature }
            // A server's certificate that is trusted itself has to be an authority, too: it issued itself.
            guard position > 0 || isRoot else { continue }
            if certificate.version == .v3 {
                guard case .isCertificateAuthority(let most)? = try? certificate.extensions.basicConstraints else {
                    return .notAuthority
                }
                if let most, most < authorities { return .pathLength }
            }
            if position > 0, !certificate.maySignCertificates { return .issuerUsage }
            if certificate.subject != certificate.issuer { authorities += 1 }
        }
        return nil
    }

    // MARK: Purposes

    private func flawOfPurposes(_ chain: [Certificate]) -> ChainFlaw? {
        for (position, certificate) in chain.enumerated() {
            let purposes: ExtendedKeyUsage?
            do { purposes = try certificate.extensions.extendedKeyUsage } catch { return .extensions }
            // Section 4.2.1.12: a purpose that is named excludes the others. A root's are up to the person who trusts
            // it. An authority for any purpose may have servers below it; a server's certificate names its purpose, as
            // BoringSSL demands, because one for any purpose is also one for signing documents.
            guard let purposes, position == 0 || position < chain.count - 1 else { continue }
            guard purposes.contains(.serverAuth) || position > 0 && purposes.contains(.any) else { return .purpose }
        }
        return nil
    }

    // MARK: Names

    private func flawOfNames(_ leaf: Certificate?) -> ChainFlaw? {
        // A certificate without names for hosts is for none: the common name is not taken (RFC 9525 forbids that).
        guard let names = try? leaf?.extensions.subjectAlternativeNames, !names.isEmpty else { return .noNames }
        return host.isAmong(names) ? nil : .otherNames
    }

    // MARK: Features

    /// TLS features that the server's handshake must have (RFC 7633).
    private static let tlsFeature: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 24]

    /// `status_request` and `status_request_v2`: the proof by OCSP that the certificate is not revoked.
    private static let staples: Set<Int> = [5, 17]

    /// The TLS library asks for no proof by OCSP, so there never is one. RFC 7633 lets a client that does not ask for a
    /// feature ignore it. But the owner of such a certificate asked that it be worth nothing without a fresh proof: a
    /// thief of its key could use it here until it expires. Public authorities no longer issue such certificates, so
    /// refusing them costs little.
    private func flawOfFeatures(_ chain: [Certificate]) -> ChainFlaw? {
        // The root's extensions are up to the person who trusts it.
        for certificate in chain.dropLast(chain.count > 1 ? 1 : 0) {
            guard let feature = certificate.extensions[oid: Self.tlsFeature] else { continue }
            guard let node = try? DER.parse(feature.value),
                let numbers = try? DER.sequence(of: Int.self, identifier: .sequence, rootNode: node)
            else { return .extensions }
            if !Self.staples.isDisjoint(with: numbers) { return .stapleRequired }
        }
        return nil
    }
}

extension Certificate {
    /// Section 4.2.1.3: a certificate without the extension has a key for everything.
    fileprivate var maySignCertificates: Bool {
        do { return try extensions.keyUsage?.keyCertSign ?? true } catch { return false }
    }
}
