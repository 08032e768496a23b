import SwiftASN1
import Testing
import X509

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

/// The suite needs no server: the certificates are made in this process, in the manner of x509-limbo and BetterTLS.
@Suite("The rules for chains of certificates, with generated certificates", .timeLimit(.minutes(20)))
struct ChainSuiteTests {
    @Test("hosts, times, authorities, purposes, keys and paths", arguments: PathCases.all)
    func paths(_ row: ChainCase) async throws { try await judge(row) }

    @Test("the names that authorities permit and exclude", arguments: NameConstraintCases.all)
    func names(_ row: ChainCase) async throws { try await judge(row) }

    private func judge(_ row: ChainCase) async throws {
        switch try await row.verdict() {
        case .success: #expect(row.expected == nil)
        case .failure(let flaw): #expect(flaw == row.expected)
        }
    }

    @Test("each row has a title of its own, and each reason has a row")
    func table() {
        let rows = PathCases.all + NameConstraintCases.all
        #expect(Set(rows.map(\.testDescription)).count == rows.count)
        let reasons = Set(rows.compactMap(\.expected).map { "\($0)" })
        #expect(
            reasons == [
                "tooMany", "noCertificate", "noPath", "validity", "version", "notAuthority", "pathLength",
                "issuerUsage",
                "purpose", "weakSignature", "extensions", "noNames", "otherNames", "excludedName", "notPermittedName",
                "incomparableName", "tooManyNames", "stapleRequired",
            ])
    }

    @Test("the search goes on until a chain has a wanted pin, and says if none has")
    func pins() async throws {
        let (first, second) = (try Mint.root("First"), try Mint.root("Second"))
        let row = ChainCase("a shared authority", nil) {
            let shared = [try Mint.authority("Shared", by: first), try Mint.authority("Shared", by: second)]
            return .init([try Mint.server(dns("a.example.com"), by: shared[0])] + shared, trusting: first, second)
        }
        for root in [first, second] {
            let pin = try #require(Pin(of: root.certificate))
            let chain = try await row.verdict(wanting: [pin]).get()
            #expect(chain.isPinned && chain.pins.last == pin && chain.pins.count == 3)
        }
        #expect(try await row.verdict(wanting: [Pin.invented(1)]).get().isPinned == false)
    }

    @Test("the public function says the fault for a person")
    func publicly() async throws {
        let root = try Mint.root { $0.excluded = dns("b.example.com") }
        let pem = try root.certificate.serializeAsPEM().pemString
        let verifier = ChainVerifier(roots: try TrustRoots(pem: Array(pem.utf8)).required)
        func fault(_ names: [GeneralName], _ change: Mint.Change = { _ in }) async throws -> TrustFault? {
            let server = try Mint.server(names, by: root, change).der
            do throws(TrustFault) {
                _ = try await verifier.verify([server], for: "b.example.com", at: Mint.now, wanted: [])
                return nil
            } catch { return error }
        }
        #expect(try await fault(dns("*.example.com")) == .forbiddenName)
        #expect(try await fault(dns("a.example.com")) == .wrongName)
        #expect(try await fault(dns("b.example.com")) { $0.until = Mint.now - 1 } == .expired)
        #expect(try await fault(dns("b.example.com")) { $0.purposes = [.clientAuth] } == .unknownAuthority)
    }

    // MARK: - Wildcards, by their meaning

    /// The hosts of a small world. The label `z` occurs in no name and no constraint: it stands for all other labels.
    private static let hosts: [[String]] = {
        let labels = ["a", "b", "z"]
        let one = labels.map { [$0] }
        let two = one.flatMap { rest in labels.map { [$0] + rest } }
        return one + two + two.flatMap { rest in labels.map { [$0] + rest } }
    }()

    /// The hosts that a name stands for: labels from the left, with or without an asterisk in front.
    private static func meaning(of name: [String]) -> Set<[String]> {
        Set(hosts.filter { $0.count == name.count && zip($0, name).allSatisfy { $1 == "*" || $0 == $1 } })
    }

    private static func meaning(ofSubtree base: String) -> Set<[String]> {
        let isBelow = base.hasPrefix(".")
        let labels = base.split(separator: ".").map(String.init)
        return Set(hosts.filter { $0.suffix(labels.count) == labels[...] && (!isBelow || $0.count > labels.count) })
    }

    @Test("a name is refused exactly if it can stand for an excluded host, or for one that is not permitted")
    func wildcards() {
        let names = Self.hosts.filter { !$0.contains("z") && $0.count > 1 }
        let patterns = names + names.filter { $0.count == 3 }.map { ["*"] + $0.dropFirst() }
        let bases = Self.hosts.filter { !$0.contains("z") }.flatMap { host in
            let text = host.joined(separator: ".")
            // Below a host of three labels there is none in this world.
            return host.count < 3 ? [text, "." + text] : [text]
        }
        var count = 0
        for pattern in patterns {
            let name = ConstrainedName(.dnsName(pattern.joined(separator: ".")))
            let hosts = Self.meaning(of: pattern)
            for base in bases {
                let subtree = Self.meaning(ofSubtree: base)
                let expected: NameSubtree.Relation =
                    hosts.isSubset(of: subtree) ? .within : hosts.isDisjoint(with: subtree) ? .outside : .overlapping
                #expect(NameSubtree(.dnsName(base)).relation(to: name) == expected, "\(pattern) and \(base)")
                count += 1
            }
        }
        #expect(count > 300)
    }
}
