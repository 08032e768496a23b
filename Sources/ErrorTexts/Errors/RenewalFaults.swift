package import Custody
package import Texts

extension RenewalFault: Explained {
    package var failure: Failure {
        switch self {
        case .sharesAway(let away):
            Failure(
                code: .badShare, name: "shares_away",
                message: "\(names(away)) not where the wallet says, and a renewal needs all shares",
                hint: "connect its place; or, if it is lost for good, give it a new share with "
                    + "'fueki wallet repair --lost \(away.first?.name ?? "")'")
        case .tooFewShares(let needed, let missing):
            Failure(
                code: .badShare, name: "too_few_shares",
                message: "\(needed) shares have to be there, and \(names(missing)) not: fewer cannot spend the coins "
                    + "either",
                hint: "connect their places (a stick, a disk), or tell where they are with 'fueki wallet restore'")
        case .unfinished(let name):
            Failure(
                code: .other, name: "renewal_unfinished",
                message: "it is not known whether the renewal of '\(name)' was completed",
                hint: "all files are kept; run 'fueki wallet check \(name)', which finds out and removes leftovers")
        case .unsettled(let name, let needed):
            Failure(
                code: .badShare, name: "renewal_unsettled",
                message:
                    "a renewal of '\(name)' left files behind, and nothing was removed: fewer than \(needed) of the "
                    + "current shares could be opened",
                hint: "connect their places; or, if there are newer files, register them with "
                    + "'fueki wallet restore \(name)' and --share for each of \(needed) of them")
        case .placeAway(let location, let folder):
            Failure(
                code: .badShare, name: "place_away",
                message:
                    "the new \(location.name) share would go to \(folder), and what belongs there is not connected",
                hint: "connect that place (a stick, a disk), or name another folder with --to")
        case .shareNotLost(let location, let path):
            Failure(
                code: .refused, name: "share_not_lost",
                message: "the \(location.name) share is not lost: it is at \(path), and opens; nothing was changed",
                hint:
                    "if somebody may have copied it, 'fueki wallet refresh' makes shares that no copy works with, and removes "
                    + "this file; if you meant another share, name that one")
        case .running(let name, let processID):
            Failure(
                code: .busy, name: "busy",
                message: processID.map { "the shares of '\(name)' are locked by another fueki process (process \($0))" }
                    ?? "the shares of '\(name)' are locked by another fueki process",
                hint: "wait until it ends; then 'fueki wallet show \(name)' shows what it did")
        case .elsewhere(let name, let path, let found, let wallet, let needed):
            renewedElsewhere(name, path, found, wallet, needed)
        }
    }

    /// Returns "the backup share is" or "the backup and recovery shares are".
    private func names(_ locations: [ShareLocation]) -> String {
        let names = locations.map(\.name)
        guard let last = names.last, names.count > 1 else { return "the \(names.first ?? "") share is" }
        return "the \(names.dropLast().joined(separator: ", ")) and \(last) shares are"
    }

    /// The failure of a file that an earlier renewal, or a renewal on another machine, wrote.
    private func renewedElsewhere(_ name: String, _ path: String, _ found: Int, _ wallet: Int, _ needed: Int) -> Failure
    {
        if found > wallet {
            return Failure(
                code: .badShare, name: "renewed_elsewhere",
                message:
                    "'\(name)' was renewed elsewhere: \(path) is of epoch \(found), this machine knows \(wallet)",
                hint:
                    "bring this machine up to date: 'fueki wallet restore \(name)' with --share for each of \(needed) of "
                    + "the newer files. If there are fewer than \(needed) anywhere, that renewal came to nothing: "
                    + "move them away")
        }
        if found < wallet {
            return Failure(
                code: .badShare, name: "old_share",
                message: "\(path) is a share from before '\(name)' was renewed "
                    + "(epoch \(found), the wallet is at \(wallet))",
                hint: "'fueki wallet show \(name)' names the newer files; use those, and destroy this one")
        }
        return Failure(
            code: .badShare, name: "renewed_elsewhere",
            message: "'\(name)' was renewed here and on another machine: \(path) is of the other renewal "
                + "(both epoch \(found)), and does not work with the shares here",
            hint: "either set of shares signs; keep one. To keep the other machine's: move this machine's wallet.json "
                + "away, and 'fueki wallet restore \(name)' with \(needed) of its files; then destroy the set you give up"
        )
    }
}
