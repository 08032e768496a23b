internal import Synchronization
internal import X509

/// The certificates that a server presented besides its own, for a search that ends after a number of steps.
///
/// The verifier tries every path from the server's certificate to a root. Ten certificates of one name and one key,
/// which differ in another field, issue each other in millions of paths. Each step of the search asks this store once.
struct BoundedIntermediates: CustomCertificateStore {
    private let certificates: [Certificate]
    private let steps: Steps

    init(_ certificates: [Certificate], steps: Int) {
        self.certificates = certificates
        self.steps = Steps(steps)
    }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard steps.takeOne() else { return nil }
            let found = certificates.filter { $0.subject == subject }
            return found.isEmpty ? nil : found
        }
    }

    func contains(_ certificate: Certificate) async -> Bool { certificates.contains(certificate) }

    mutating func append(contentsOf more: some Sequence<Certificate>) {
        self = BoundedIntermediates(certificates + more, steps: steps.remaining)
    }

    static func == (left: Self, right: Self) -> Bool { left.certificates == right.certificates }

    func hash(into hasher: inout Hasher) { hasher.combine(certificates) }

    /// The steps that are left.
    private final class Steps: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) { left = Mutex(count) }

        var remaining: Int { left.withLock { $0 } }

        func takeOne() -> Bool {
            left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
        }
    }
}
