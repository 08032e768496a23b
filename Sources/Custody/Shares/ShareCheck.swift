public import Secrets

extension WalletHome {
    /// Opens a share and checks that it belongs to the wallet. It changes no share.
    ///
    /// - Returns: the counts of its ECDSA signatures; nil if they are missing or cannot be read.
    /// - Throws: the ``CustodyError`` of opening it; ``CustodyError/damagedWallet(name:reason:)`` if the wallet's record
    ///   is not the one that was sealed with the share.
    public func check(
        _ location: ShareLocation, of wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> SigningCounts? {
        let sealed = try await open(location, of: wallet, passphrase: passphrase)
        guard sealed.record.isSameWallet(as: wallet) else {
            throw .damagedWallet(
                name: wallet.name.description,
                reason: "wallet.json is not what was sealed with the \(location.name) share")
        }
        return sealed.counts
    }
}
