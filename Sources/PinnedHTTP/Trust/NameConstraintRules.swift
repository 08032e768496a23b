internal import SwiftASN1
internal import X509

/// The rules about the names that an authority may issue (RFC 5280, section 4.2.1.10).
///
/// Each authority's constraints apply to the names of all certificates below it, and to the host that the client
/// connects to. RFC 5280 does not say what a wildcard means to a constraint. An authority for which `bar.example.com`
/// is excluded may issue for `foo.example.com`; if it issues `*.example.com`, the certificate claims all such names,
/// the excluded one among them, as a list of them would, which section 6.1.4 refuses as a whole. So a wildcard that can
/// stand for an excluded name makes the certificate invalid for every host, as in BoringSSL, rustls-webpki and, since
/// CVE-2025-61727, in Go; and a wildcard is permitted only if all names for which it can stand are.
///
/// The host is judged besides, by the same constraints. It adds nothing while the names of the certificate are judged
/// rightly; but it is the one name on which the connection depends, and a spelling that ``ServerName`` takes for the
/// host and these rules do not would otherwise escape.
struct NameConstraintRules {
    private let comparisons: Budget

    init(_ comparisons: Budget) { self.comparisons = comparisons }

    /// Returns the first constraint that a chain breaks.
    func flaw(of chain: [Certificate], for host: ServerName) -> ChainFlaw? {
        // A certificate that is trusted itself has issued itself.
        let first = chain.count == 1 ? 0 : 1
        guard chain.dropFirst(first).contains(where: \.hasNameConstraints) else { return nil }
        // Reading the names takes time for each path of the search, too: eight bytes count as one comparison.
        guard comparisons.take(chain.reduce(0) { $0 + $1.tbsCertificateBytes.count } / 8) else { return .tooManyNames }
        var names: [[ConstrainedName]] = []
        for (position, certificate) in chain.enumerated() {
            guard let own = constrainedNames(of: certificate, at: position) else { return .extensions }
            names.append(own)
        }
        for issuer in first..<chain.count where chain[issuer].hasNameConstraints {
            guard let constraints = try? chain[issuer].extensions.nameConstraints else { return .extensions }
            // By form: constraints of one form do not restrict names of another one.
            let permitted = Dictionary(grouping: constraints.permittedSubtrees.map(NameSubtree.init), by: \.form)
            let excluded = Dictionary(grouping: constraints.excludedSubtrees.map(NameSubtree.init), by: \.form)
            for name in [ConstrainedName(host.generalName)] + names.prefix(max(issuer, 1)).joined() {
                if let flaw = flaw(of: name, permitted[name.form] ?? [], excluded[name.form] ?? []) { return flaw }
            }
        }
        return nil
    }

    /// Returns the names that constraints apply to; nil if they cannot be read.
    private func constrainedNames(of certificate: Certificate, at position: Int) -> [ConstrainedName]? {
        // Section 6.1.3 (b): not to self-issued certificates, with which an authority replaces its key, unless they are
        // the last ones.
        if position > 0, certificate.subject == certificate.issuer { return [] }
        guard let alternatives = try? certificate.extensions.subjectAlternativeNames ?? SubjectAlternativeNames() else {
            return nil
        }
        let subject = certificate.subject
        // An e-mail address in the subject is the older place for one. OpenSSL judges it always, the RFC only if there
        // are no alternative names; an authority should not issue it in either case.
        let addresses = subject.joined().filter { $0.type == .RDNAttributeType.emailAddress }
        return (subject.isEmpty ? [] : [ConstrainedName(.directoryName(subject))])
            + addresses.map { ConstrainedName(mail: $0.value) } + alternatives.map { ConstrainedName($0) }
    }

    private func flaw(of name: ConstrainedName, _ permitted: [NameSubtree], _ excluded: [NameSubtree]) -> ChainFlaw? {
        guard comparisons.take(excluded.count + permitted.count) else { return .tooManyNames }
        for subtree in excluded {
            switch subtree.relation(to: name) {
            case .outside: continue
            case .within, .overlapping: return .excludedName
            case .incomparable: return .incomparableName
            }
        }
        guard !permitted.isEmpty else { return nil }
        let relations = permitted.map { $0.relation(to: name) }
        if relations.contains(.within) { return nil }
        return relations.contains(.incomparable) ? .incomparableName : .notPermittedName
    }
}

extension Certificate {
    fileprivate var hasNameConstraints: Bool { extensions[oid: .X509ExtensionID.nameConstraints] != nil }
}
