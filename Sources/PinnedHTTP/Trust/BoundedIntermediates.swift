internal import X509

/// The certificates that a server presented besides its own, for a search that ends after a number of attempts.
///
/// The verifier tries every path from the server's certificate to a root. Ten certificates of one name and one key,
/// which differ in another field, issue each other in millions of paths. Each candidate that this store returns costs
/// the verification of one signature, so it is the candidates that are counted.
struct BoundedIntermediates: CustomCertificateStore {
    private let certificates: [Certificate]
    private let candidates: Budget

    init(_ certificates: [Certificate], candidates: Budget) {
        self.certificates = certificates
        self.candidates = candidates
    }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            let found = certificates.filter { $0.subject == subject }
            guard !found.isEmpty, candidates.take(found.count) else { return nil }
            return found
        }
    }

    func contains(_ certificate: Certificate) async -> Bool { certificates.contains(certificate) }

    mutating func append(contentsOf more: some Sequence<Certificate>) {
        self = BoundedIntermediates(certificates + more, candidates: candidates)
    }

    static func == (left: Self, right: Self) -> Bool { left.certificates == right.certificates }

    func hash(into hasher: inout Hasher) { hasher.combine(certificates) }
}
