internal import ArgumentParser
internal import Custody
internal import Terminal

struct WalletShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a wallet: its public key, its descriptor, and where its shares are.",
        discussion: """
            Needs no passphrase. Import the descriptor into Bitcoin Core or another wallet to watch the coins, and to write \
            the payments that Fueki signs.
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let view = try WalletView(wallet)
        // A damaged journal is told as what it is by the commands that need it.
        let pending = try? RenewalCleanup(of: wallet.name, in: global.walletHome).pending()
        let newer = pending == nil ? wallet.newerFile(in: global.walletHome)?.path : nil
        try output.result(Result(wallet: view, renewal: pending?.word, newer: newer)) {
            view.text + (pending.map { "\n\n" + advice(on: $0, wallet) } ?? "")
                + (newer.map { "\n\n" + advice(onNewer: $0, wallet) } ?? "")
        }
    }

    /// What is public of the wallet, and what is left to do.
    private struct Result: Encodable {
        let wallet: WalletView
        /// `unfinished`, or `old_files` that are still there; nothing, if there is nothing to do.
        let renewal: String?
        /// A file from a renewal that this machine does not know of.
        let newer: String?

        private enum CodingKeys: String, CodingKey {
            case renewal
            case newer = "newer_file"
        }

        func encode(to encoder: any Encoder) throws {
            try wallet.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(renewal, forKey: .renewal)
            try container.encodeIfPresent(newer, forKey: .newer)
        }
    }

    private func advice(on pending: RenewalCleanup.Pending, _ wallet: WalletRecord) -> String {
        let text: String
        let files: [String]
        switch pending {
        case .begun(let made):
            text = """
                A renewal was begun and not finished. The shares above are those that count.
                'fueki wallet check \(wallet.name)' opens them, and then removes what it left; then renew once more.
                """
            files = made
        case .oldFiles(let old):
            text = """
                The renewal is done, but old share files are still there, or may be. Connect their places, and
                'fueki wallet check \(wallet.name)' removes them:
                """
            files = old
        }
        return ([text] + files.map { "  \($0)" }).joined(separator: "\n")
    }

    private func advice(onNewer path: String, _ wallet: WalletRecord) -> String {
        """
        warning: \(path) is from a renewal that this machine does not know of.
        Bring it up to date: 'fueki wallet restore \(wallet.name)' with as many of the newer files as sign.
        """
    }
}

extension RenewalCleanup.Pending {
    /// As it is in JSON.
    fileprivate var word: String {
        switch self {
        case .begun: "unfinished"
        case .oldFiles: "old_files"
        }
    }
}
