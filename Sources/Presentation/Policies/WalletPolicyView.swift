package import Custody
package import Texts
package import Wallet

/// The policy of a wallet.
package struct WalletPolicyView: ResultView {
    let wallet: String
    /// The policy; null for a wallet without one.
    let policy: PolicyView?

    package init(_ wallet: WalletName, _ policy: Policy?) {
        (self.wallet, self.policy) = (wallet.description, policy.map(PolicyView.init))
    }

    /// The likely mistakes in the policy.
    package var warnings: [String] { policy?.warnings ?? [] }

    /// The subject of the question before the policy is set.
    package var subject: String { policy?.text ?? "No policy: \(Self.meaning)." }

    /// The sentence after the policy was set.
    package var setText: String {
        let count = policy?.rules.count ?? 0
        return "\(wallet) is under "
            + (policy == nil ? "no policy" : "a policy of \(count) rule\(count == 1 ? "" : "s")")
    }

    /// The rules of the policy.
    package var text: String { policy?.text ?? "\(wallet) is under no policy: \(Self.meaning)" }

    private static let meaning = "what you confirm is signed, except what cannot be decoded"

    /// The failure of a command that needs the policy's file.
    package static func none(of wallet: WalletName) -> Failure {
        Failure(code: .missing, name: "no_policy", message: "'\(wallet)' is under no policy")
    }
}

/// A policy in a new file.
package struct PolicyDraftView: ResultView {
    let file: String
    let policy: PolicyView
    private let next: String

    enum CodingKeys: String, CodingKey { case file, policy }

    package init(_ policy: Policy, in file: String, for wallet: WalletName) {
        (self.file, self.policy) = (file, PolicyView(policy))
        next = "Next: fueki policy set \(wallet) \(file)"
    }

    /// The rules, and the next command.
    package var text: String { "\(policy.text)\n\n\(next)" }
}
