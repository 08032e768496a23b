public import Ceremonies
public import Secrets
internal import Threshold

extension WalletCreation {
    /// Makes a wallet of keys that exist as a whole, with the addresses that they had before. One participant in this
    /// process deals the keys, the others check their shares, and the keys are wiped. When it returns, every share and
    /// the description are durable on the disk.
    ///
    /// - Warning: The keys were whole, and still exist wherever the mnemonic is kept: see `ImportedPrivateKeys`.
    /// - Parameters:
    ///   - keys: the keys, on the network of this wallet.
    ///   - passphrase: the passphrase for every share file.
    ///   - now: seconds since 1970.
    ///   - progress: called at the beginning of each step.
    /// - Throws: as ``run(passphrase:random:now:progress:)``.
    public func run(
        importing keys: consuming ImportedPrivateKeys, passphrase: borrowing SecretBytes, random: some RandomSource,
        now: Int64,
        progress: (Step) -> Void
    ) async throws(CustodyError) -> WalletRecord {
        try check()
        try Self.require(passphrase)
        try requireHealth(of: random)
        progress(.dealing)
        let imported = keys.imported
        let terms = SharingTerms(importing: imported, parameters: parameters)
        var shares: [OneShot<KeyShares>] = []
        do throws(CeremonyError) {
            var participants = [
                try SharingParticipant(index: 1, terms: terms, bringing: .whole(keys), random: random)
            ]
            for index in parameters.indices.dropFirst() {
                participants.append(
                    try SharingParticipant(index: index.value, terms: terms, bringing: .nothing, random: random))
            }
            try await SharingCeremony(terms: terms).run(with: participants, random: random)
            for participant in participants { shares.append(OneShot(try await participant.takeShares())) }
        } catch { throw CustodyError(error) }
        return try await place(
            shares, imported: imported, passphrase: passphrase, random: random, now: now, progress: progress)
    }
}
