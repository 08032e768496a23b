package import Custody

extension RestorationFinding {
    /// A warning for the owner of the wallet.
    ///
    /// - Parameter name: the wallet's name.
    package func warning(about name: WalletName) -> String {
        switch self {
        case .fewerThanSign:
            "these are fewer share files than the threshold. Be sure that the others exist before coins are sent to "
                + "this wallet: 'fueki wallet check' opens them."
        case .oldShare(let path):
            "\(path) is a share from before the renewal; destroy it once 'fueki wallet check' says ok for each share on "
                + "the machine that renewed"
        case .bookElsewhere:
            "policy, contacts and history were in the old machine's book, and are not in the share files: here no limit "
                + "holds, and nothing that was signed there counts. 'fueki policy set \(name)' sets the policy again, and "
                + "'fueki book import' adds what 'fueki book export' wrote on the old machine"
        }
    }
}
