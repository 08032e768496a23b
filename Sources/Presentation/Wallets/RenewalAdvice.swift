package import Custody

/// Advice after a complete or interrupted renewal of the shares.
package enum RenewalAdvice {
    /// Returns the facts after a renewal, line by line.
    package static func lines(after outcome: WalletRenewal.Outcome, _ places: PlaceAdvice) -> [String] {
        var advice = [
            "The addresses are the same. Old share files do not work with the new ones. Destroy every copy of them:",
            "as many of them as signed before are still the key. Another machine that has this wallet learns",
            "of the new shares by 'fueki wallet restore'; it must not renew them itself.",
        ]
        advice += files(
            """
            These old files may still be somewhere. Destroy them; those of this renewal 'fueki wallet check' removes
            once they are there again:
            """, outcome.remaining)
        advice += files(
            """
            These do not open as the shares that were lost, and were left as they are. They may be another wallet's,
            or another machine's: find out whose they are before you destroy them.
            """, outcome.abandoned)
        return advice + places.paragraphs(for: outcome.wallet.name)
    }

    /// Returns a paragraph about files; empty if there are none.
    private static func files(_ text: String, _ shares: [ShareRecord]) -> [String] {
        shares.isEmpty ? [] : ["", text] + shares.map { "  \($0.location.name)  \($0.path)" }
    }

    /// Returns the remaining steps of a renewal.
    package static func text(on pending: RenewalCleanup.Pending, of wallet: WalletName) -> String {
        let text: String
        let files: [String]
        switch pending {
        case .begun(let made):
            text = """
                A renewal was begun and not finished. The shares above are those that count.
                'fueki wallet check \(wallet)' opens them, and then removes what it left; then renew again.
                """
            files = made
        case .oldFiles(let old):
            text = """
                The renewal is done, but old share files are still there, or may be. Connect their places, and
                'fueki wallet check \(wallet)' removes them. One that has a passphrase from before a change, delete by hand:
                """
            files = old
        }
        return ([text] + files.map { "  \($0)" }).joined(separator: "\n")
    }

    /// Returns the advice about a file from a renewal that is unknown to this machine.
    package static func text(onNewer path: String, of wallet: WalletName) -> String {
        """
        warning: \(path) is from a renewal that this machine does not know of.
        Bring it up to date: 'fueki wallet restore \(wallet)' with a threshold of the newer files.
        """
    }
}

extension RenewalCleanup.Pending {
    /// The word in JSON.
    package var word: String {
        switch self {
        case .begun: "unfinished"
        case .oldFiles: "old_files"
        }
    }
}
