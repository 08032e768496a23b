package import Texts
internal import WalletBooks

extension WalletChoiceFault: Explained {
    package var failure: Failure {
        switch self {
        case .noneFits:
            .usage("none of your wallets can sign this", hint: "name it with --wallet")
        case .severalFit: .usage("several of your wallets could sign this", hint: "name it with --wallet")
        case .notAnAccount(let sender, let wallet, let searched):
            .usage(
                "this was signed by \(sender), which is not an account of '\(wallet)'",
                hint: "the first \(searched) are scanned; --account names another one")
        case .foreignProposal(let wallet):
            Failure(
                code: .refused, name: "foreign_proposal",
                message: "this proposal is for other keys than those of '\(wallet)'")
        case .custody(let error): error.failure
        }
    }
}
