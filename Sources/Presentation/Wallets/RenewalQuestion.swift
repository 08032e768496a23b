package import Custody
internal import ErrorTexts
package import Texts
internal import Threshold

/// The question before a renewal of the shares.
package struct RenewalQuestion {
    package let text: String
    package let subject: String

    /// - Returns: nil for a refresh, which needs no question.
    package init?(before renewal: Renewal, of wallet: WalletRecord) {
        switch renewal {
        case .refresh: return nil
        case .repair(let lost, _):
            text = "Make new shares for all places?"
            subject = """
                Lost of '\(wallet.name)': \(lost.map(\.name).joined(separator: ", ")).
                Every place gets a new share. Should \(lost.count == 1 ? "the lost one" : "one of these") turn up, it \
                works with none of the new ones.
                """
        case .reshare(let parameters, _, _):
            let present = wallet.parameters
            text =
                "Make \(parameters.total) new shares, with threshold \(parameters.threshold), and remove the old ones?"
            subject = "'\(wallet.name)' has \(present.total) shares now, with threshold \(present.threshold)."
        }
    }
}

extension RepairFault: Explained {
    package var failure: Failure {
        switch self {
        case .noSuchShare(let name): CustodyError.noSuchShare(name: name).failure
        case .folders(let count, let lost):
            .usage(
                "--to is given \(Self.times(count)), and --lost names \(Self.shares(lost))",
                hint: "give --to once for each lost share, in the same order, or not at all")
        case .unnamedFolder: .unnamedFolder()
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
    private static func shares(_ count: Int) -> String { count == 1 ? "one share" : "\(count) shares" }
}

extension Failure {
    /// The failure of an empty name of a folder for shares.
    package static func unnamedFolder() -> Failure {
        .usage("a folder for shares needs a name, and this one is empty")
    }

    /// The failure of an impossible threshold.
    package static func impossible(threshold: Int, of shares: Int) -> Failure {
        .usage(
            "\(threshold) of \(shares) shares is not possible",
            hint: "the threshold is at least 2 and at most the number of shares, of which there are at most 15")
    }
}
