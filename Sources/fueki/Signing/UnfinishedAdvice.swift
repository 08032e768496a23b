internal import Custody

/// What a person should know of a share whose attempts to sign with ECDSA come to nothing again and again, while it still signs.
enum UnfinishedAdvice {
    /// - Parameter count: ``SealedShare/unfinishedSignatures``.
    /// - Returns: nil as long as there is nothing to say.
    static func sentence(on count: Int, of location: ShareLocation, in wallet: WalletRecord) -> String? {
        guard count >= SealedShare.alarmingUnfinishedSignatures else { return nil }
        return "\(count) of \(SealedShare.mostUnfinishedSignatures) attempts to sign with the ECDSA share of "
            + "\(location.name) came to nothing; after the last one it signs no more of SegWit and Ethereum. Renew the "
            + "shares while all of them are there: fueki wallet refresh \(wallet.name)"
    }
}
