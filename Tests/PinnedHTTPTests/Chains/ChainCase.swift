import SwiftASN1
import Testing
import X509

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

/// A row of the suite: what a server presents, for which host, when, and the verdict.
struct ChainCase: CustomTestStringConvertible, Sendable {
    /// What a server presents, and what its client trusts.
    struct Presented {
        let chain: [Mint.Issued]
        let roots: [Mint.Issued]

        init(_ chain: [Mint.Issued], trusting roots: Mint.Issued...) { (self.chain, self.roots) = (chain, roots) }
    }

    let title: String
    let host: String
    let time: UInt64
    /// The reason for which the chain is refused; nil if it is accepted.
    let expected: ChainFlaw?
    let make: @Sendable () throws -> Presented

    var testDescription: String { "\(title), for \(host): \(expected.map { "\($0)" } ?? "accepted")" }

    init(
        _ title: String, host: String = "a.example.com", at time: UInt64 = Mint.now, _ expected: ChainFlaw?,
        _ make: @escaping @Sendable () throws -> Presented
    ) {
        (self.title, self.host, self.time, self.expected, self.make) = (title, host, time, expected, make)
    }

    /// Judges the chain.
    func verdict(wanting pins: Set<Pin> = []) async throws -> Result<VerifiedChain, ChainFlaw> {
        let presented = try make()
        let pem = try presented.roots.map { try $0.certificate.serializeAsPEM().pemString }.joined(separator: "\n")
        let verifier = ChainVerifier(roots: try TrustRoots(pem: Array(pem.utf8)).required)
        let certificates = try presented.chain.map { try $0.der }
        do throws(ChainFlaw) {
            return .success(try await verifier.search(certificates, for: host, at: time, wanted: pins))
        } catch { return .failure(error) }
    }

    /// The usual chain: a root, two authorities and a server; each can be changed.
    static func tower(
        _ names: [GeneralName] = dns("a.example.com"),
        root changeRoot: @escaping @Sendable (inout Mint.Template) throws -> Void = { _ in },
        upper changeUpper: @escaping @Sendable (inout Mint.Template) throws -> Void = { _ in },
        lower changeLower: @escaping @Sendable (inout Mint.Template) throws -> Void = { _ in },
        server changeServer: @escaping @Sendable (inout Mint.Template) throws -> Void = { _ in }
    ) -> @Sendable () throws -> Presented {
        {
            let root = try Mint.root("Root", changeRoot)
            let upper = try Mint.authority("Upper", by: root, changeUpper)
            let lower = try Mint.authority("Lower", by: upper, changeLower)
            let server = try Mint.server(
                names, by: lower, changeServer)
            return Presented([server, lower, upper], trusting: root)
        }
    }
}
