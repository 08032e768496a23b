/// What a participant brings to a ceremony of sharing.
package enum DealerInput: ~Copyable, Sendable {
    /// Present shares, to be dealt anew.
    case shares(KeyShares)
    /// Keys that exist as a whole, to be dealt.
    case whole(ImportedPrivateKeys)
    /// Of one who only receives, and adds to keys that come from nowhere.
    case nothing

    /// Whether this is what the terms expect of a participant.
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
