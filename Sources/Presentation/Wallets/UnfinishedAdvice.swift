package import Custody

/// Advice about a share whose ECDSA signing attempts fail repeatedly, given while the share can still sign.
package enum UnfinishedAdvice {
    /// - Parameter counts: ``SealedShare/counts``.
    /// - Returns: nil if no advice is needed.
    package static func sentence(on counts: SigningCounts?, of location: ShareLocation, in wallet: WalletName)
        -> String?
    {
        guard let counts else {
            return
                "the file with the counts of the \(location.name) share, which belongs beside it, is away or cannot be "
                + "read: without it the share signs nothing of SegWit and Ethereum. Bring it back, or renew the shares: "
                + "fueki wallet refresh \(wallet)"
        }
        let attempts: String
        if counts.unfinished >= SigningCounts.alarming {
            attempts =
                "\(counts.unfinished) of \(SigningCounts.mostUnfinished) attempts to sign with the ECDSA share of "
                + "\(location.name) were interrupted"
        } else if counts.failed >= SigningCounts.alarming {
            attempts =
                "\(counts.failed) of \(SigningCounts.mostFailed) signatures with the ECDSA share of "
                + "\(location.name) failed"
        } else {
            return nil
        }
        return attempts
            + "; after the last one it signs no more of SegWit and Ethereum. Renew the shares while all of them "
            + "are there: fueki wallet refresh \(wallet)"
    }
}
