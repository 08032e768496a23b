package import Custody

/// Advice about the places of shares: the loss of one place must not lose coins, and the theft of one must not allow
/// spending.
package struct PlaceAdvice {
    private let findings: PlaceFindings
    private let home: WalletHome

    package init(_ findings: PlaceFindings, in home: WalletHome) {
        self.findings = findings
        self.home = home
    }

    /// Returns paragraphs for the end of a result: each problem, and its solution.
    ///
    /// - Parameter wallet: the name of the wallet.
    package func paragraphs(for wallet: WalletName) -> [String] {
        findings.unmounted.flatMap { place in
            [
                "",
                "Nothing is mounted at \(place.folder): the \(Self.shares(place.shares)) there on this machine's own",
                "disk. Move \(place.shares.count == 1 ? "it" : "them") to the stick or disk that belongs there,",
                "and tell the wallet where: fueki wallet restore \(wallet) --share FILE",
            ]
        }
            + findings.crowded.flatMap { place in
                // A place with several folders has one line for each of them.
                ["", "\(subject(of: place)) holds \(place.shares.count) shares (\(Self.names(place.shares))):"]
                    + (place.folders.count > 1 ? place.folders.map { "  \($0)" } : [])
                    + [
                        "\(Self.dangers(of: place)). Move some of them to another place,",
                        "and tell the wallet where: fueki wallet restore \(wallet) --share FILE",
                    ]
            }
    }

    /// One sentence for each finding, for programs and for warnings before a command changes anything.
    package var sentences: [String] {
        findings.unmounted.map {
            "nothing is mounted at \($0.folder): the \(Self.shares($0.shares)) on this machine's own disk"
        }
            + findings.crowded.map { place in
                let subject = subject(of: place)
                let folders = place.folders.count > 1 ? " (\(place.folders.joined(separator: ", ")))" : ""
                return
                    "\(subject.prefix(1).lowercased())\(subject.dropFirst())\(folders) holds \(place.shares.count) shares "
                    + "(\(Self.names(place.shares))): \(Self.dangers(of: place))"
            }
    }

    /// Returns the sentences about one share.
    package func sentences(about share: ShareLocation) -> [String] {
        PlaceAdvice(findings.only(about: share), in: home).sentences
    }

    private func subject(of place: ShareConcentration) -> String {
        switch place.folders {
        case [home.path]: "This machine"
        case let folders where folders.count == 1: folders[0]
        case let folders where folders.contains(home.path): "This machine's disk"
        default: "One disk"
        }
    }

    private static func dangers(of place: ShareConcentration) -> String {
        ((place.suffices ? ["they and the passphrase are enough to sign"] : [])
            + (place.isIndispensable ? ["without them no signature is possible"] : [])).joined(separator: "; ")
    }

    /// Returns "backup share is" or "backup and share-4 shares are".
    private static func shares(_ shares: [ShareLocation]) -> String {
        "\(shares.map(\.name).joined(separator: " and ")) \(shares.count == 1 ? "share is" : "shares are")"
    }

    private static func names(_ shares: [ShareLocation]) -> String { shares.map(\.name).joined(separator: ", ") }
}
