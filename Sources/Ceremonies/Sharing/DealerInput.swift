/// A participant's input to a sharing ceremony.
package enum DealerInput: ~Copyable, Sendable {
    /// Present shares, to be dealt into new shares.
    case shares(KeyShares)
    /// Whole keys, to be dealt into shares.
    case whole(ImportedPrivateKeys)
    /// Nothing: the participant only receives, and contributes to new keys.
    case nothing

    /// Returns whether this is the input that the terms expect of a participant.
    borrowing func fit(_ terms: SharingTerms, at index: Int) -> Bool {
        switch self {
        case .shares(let shares):
            terms.isDealer(index) && terms.origins == KeyOrigins(renewing: shares.groups, epoch: terms.epoch)
        case .whole(let keys):
            terms.isDealer(index) && terms.origins == KeyOrigins(importing: keys.imported)
        case .nothing: !terms.isDealer(index)
        }
    }
}
