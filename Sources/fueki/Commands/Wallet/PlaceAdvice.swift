internal import Custody
internal import Foundation
internal import Terminal

/// What a person should know of the places that shares go to, so that a loss of one place is no loss of coins, and a thief of one
/// has none.
struct PlaceAdvice {
    private let findings: PlaceFindings
    private let home: WalletHome

    init(_ findings: PlaceFindings, in home: WalletHome) {
        self.findings = findings
        self.home = home
    }

    /// Paragraphs for the end of a result: what is wrong, and what to do.
    ///
    /// - Parameter wallet: its name.
    func paragraphs(for wallet: WalletName) -> [String] {
        findings.unmounted.flatMap { place in
            [
                "",
                "Nothing is mounted at \(place.folder): the \(Self.shares(place.shares)) there on this machine's own",
                "disk. Move \(place.shares.count == 1 ? "it" : "them") to the stick or disk that belongs there,",
                "and tell the wallet where: fueki wallet restore \(wallet) --share FILE",
            ]
        }
            + findings.crowded.flatMap { place in
                // One line for each of its folders, where there are several.
                ["", "\(subject(of: place)) holds \(place.shares.count) shares (\(Self.names(place.shares))):"]
                    + (place.folders.count > 1 ? place.folders.map { "  \($0)" } : [])
                    + [
                        "\(Self.dangers(of: place)). Move some of them to another place,",
                        "and tell the wallet where: fueki wallet restore \(wallet) --share FILE",
                    ]
            }
    }

    /// One sentence for each finding: for programs, and for warnings before anything is done.
    var sentences: [String] {
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

    /// The sentences that are about one share.
    func sentences(about share: ShareLocation) -> [String] {
        PlaceAdvice(findings.only(about: share), in: home).sentences
    }

    private func subject(of place: CrowdedPlace) -> String {
        switch place.folders {
        case [home.path]: "This machine"
        case let folders where folders.count == 1: folders[0]
        case let folders where folders.contains(home.path): "This machine's disk"
        default: "One disk"
        }
    }

    private static func dangers(of place: CrowdedPlace) -> String {
        ((place.suffices ? ["whoever has them and the passphrase can sign"] : [])
            + (place.isIndispensable ? ["without them nobody can"] : [])).joined(separator: "; ")
    }

    /// "backup share is", "backup and share-4 shares are".
    private static func shares(_ shares: [ShareLocation]) -> String {
        "\(shares.map(\.name).joined(separator: " and ")) \(shares.count == 1 ? "share is" : "shares are")"
    }

    private static func names(_ shares: [ShareLocation]) -> String { shares.map(\.name).joined(separator: ", ") }
}

extension Output {
    /// Warns of folders that are not there: one that is made in the place of a stick lies on this machine.
    func warn(ofMissing folders: [String]) {
        var told: [String] = []
        for folder in folders where !FileManager.default.fileExists(atPath: folder) && !told.contains(folder) {
            note("warning: there is no folder \(folder); it will be made. Should it be on a stick, connect that first.")
            told.append(folder)
        }
    }

    /// Warns of places where shares had better not be, while there is time to connect a stick.
    func warn(of advice: PlaceAdvice) {
        for sentence in advice.sentences { note("warning: \(sentence)") }
    }
}
