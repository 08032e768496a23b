/// Why the shares of a wallet were not renewed, or are not known to be.
public enum RenewalFault: Error, Equatable, Sendable {
    /// The files of these shares are not there. Each share that is not lost takes part when the shares are renewed.
    case sharesAway([ShareLocation])
    /// The folder of a share that was lost is not there, and the new one is not put elsewhere unasked.
    case placeAway(ShareLocation, folder: String)
    /// A share was given up as lost, and its file is in its place and opens.
    case shareNotLost(ShareLocation, path: String)
    /// The wallet is renewed just now, by that process if it is known.
    case running(name: String, processID: Int32?)
    /// A file is of a renewal that this machine does not know of, or of one before those that it knows of; or of another renewal
    /// to the same epoch. `needed` shares sign.
    case elsewhere(name: String, path: String, found: Int, wallet: Int, needed: Int)
    /// Fewer shares are there than a renewal needs to begin from; these are missing.
    case tooFewShares(needed: Int, missing: [ShareLocation])
    /// The renewal could not be seen to end. All files, old and new, are there; ``RenewalCleanup`` finds out which count.
    case unfinished(name: String)
    /// A renewal left files behind, and so few of the shares that `wallet.json` names open that none was removed: they may be
    /// the ones that count.
    case unsettled(name: String, needed: Int)
}
