package import Custody

extension RestorationFinding {
    /// A warning for the owner of the wallet.
    package var warning: String {
        switch self {
        case .fewerThanSign:
            "these are fewer shares than sign. Be sure that the others exist before coins are sent to this wallet: "
                + "'fueki wallet check' opens them."
        case .oldShare(let path):
            "\(path) is a share from before the renewal; destroy it once 'fueki wallet check' says ok for each share on "
                + "the machine that renewed"
        }
    }
}
