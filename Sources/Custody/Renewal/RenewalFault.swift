/// The reasons why a renewal failed, or why its result is not known.
public enum RenewalFault: Error, Equatable, Sendable {
    /// The files of these shares are missing. Every share that is not lost must take part in a renewal.
    case sharesAway([ShareLocation])
    /// The folder of a lost share is missing, and the user did not name another folder for the new one.
    case placeAway(ShareLocation, folder: String)
    /// A share was declared lost, and its file is in its place and opens.
    case shareNotLost(ShareLocation, path: String)
    /// Another process renews the wallet at this moment; its id, if it is known.
    case running(name: String, processID: Int32?)
    /// A file belongs to a renewal that this machine does not know: an earlier one, a later one, or another one to the
    /// same epoch. `needed` is the threshold.
    case elsewhere(name: String, path: String, found: Int, wallet: Int, needed: Int)
    /// The present shares are fewer than a renewal needs; these are missing.
    case tooFewShares(needed: Int, missing: [ShareLocation])
    /// The renewal's last step may or may not have succeeded. All files, old and new, exist; ``RenewalCleanup``
    /// finds out which are valid.
    case unfinished(name: String)
    /// A renewal left files behind, and too few of the shares that `wallet.json` names open. So nothing was removed:
    /// these files may be the valid ones.
    case unsettled(name: String, needed: Int)
}
