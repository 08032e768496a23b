internal import ErrorTexts
package import PinnedHTTP
internal import Texts

/// The pins that a server's chain matches.
package struct ServedPinsView: ResultView {
    package struct Certificate: Encodable {
        let pin: String
        let subject: String
        let notBefore: String
        let notAfter: String

        enum CodingKeys: String, CodingKey {
            case pin, subject
            case notBefore = "not_before"
            case notAfter = "not_after"
        }
    }

    let host: String
    /// The chain, the server's own certificate first.
    let certificates: [Certificate]
    /// Whether the server speaks TLS 1.2 only.
    let needsTLS12: Bool

    enum CodingKeys: String, CodingKey {
        case host, certificates
        case needsTLS12 = "needs_tls12"
    }

    package init(host: String, _ served: PinProbe.Served) {
        self.host = host
        certificates = served.certificates.map {
            Certificate(
                pin: $0.pin.description, subject: $0.subject, notBefore: $0.notBefore.timeText,
                notAfter: $0.notAfter.timeText)
        }
        needsTLS12 = served.needsTLS12
    }

    package var text: String {
        let rows = certificates.map { [$0.pin, "until \($0.notAfter)", $0.subject] }
        return Table(rows).text + (needsTLS12 ? "\nThe server speaks TLS 1.2 only." : "")
    }
}

/// The outcome of the check of a pin policy.
package struct PinChecksView: ResultView {
    package struct Host: Encodable {
        let host: String
        /// Whether the server was reached, and its certificate is valid.
        let reached: Bool
        /// The pins of the server's chain, the server's own first; none if it was not reached.
        let served: [String]
        /// The findings in words.
        let findings: [String]
    }

    let hosts: [Host]

    /// Whether nothing was found.
    package var isClean: Bool { hosts.allSatisfy(\.findings.isEmpty) }

    package init(_ checks: [PinProbe.Check]) {
        hosts = checks.map { check in
            let findings = check.findings.map(\.words)
            return switch check.served {
            case .success(let served):
                Host(host: check.host, reached: true, served: served.pins.map(\.description), findings: findings)
            case .failure(let failure):
                Host(
                    host: check.host, reached: false, served: [], findings: [failure.failure.message] + findings)
            }
        }
    }

    package var text: String {
        hosts.flatMap { host in
            host.findings.isEmpty ? ["\(host.host): as pinned"] : host.findings.map { "\(host.host): \($0)" }
        }.joined(separator: "\n")
    }
}

extension PinProbe.Finding {
    fileprivate var words: String {
        switch self {
        case .noPinServed: "none of its pins is in the server's chain: clients refuse this server"
        case .everyPinServed: "all of its pins are in the server's chain: a backup is missing"
        case .backupServed(let pin): "the backup \(pin) is in use"
        case .pinNotServed(let pin): "the pin \(pin) is not in the server's chain"
        case .onlyServerKeyPinned: "only the server's own key is pinned, which changes most often"
        case .expired: "the pins have expired"
        case .expiresSoon: "the pins expire soon"
        case .needsTLS12: "the server speaks TLS 1.2 only, and the entry does not allow it"
        case .allowsTLS12Needlessly: "the entry allows TLS 1.2, which the server does not need"
        }
    }
}
