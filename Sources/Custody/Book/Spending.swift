internal import Amounts
internal import Bitcoin
internal import Wallet

/// What entries count against limits: everything that may happen, and of what cannot all happen not less than what can.
struct Spending {
    /// In the order in which they were admitted.
    let entries: [HistoryEntry]
    /// What the clock says.
    let now: UInt64

    /// What counts when something is judged: no matter how it is divided into transactions, replaced, or admitted again, all that
    /// can happen together with it is in the sum.
    ///
    /// Not in it: what failed; what cannot happen if the one being judged does; and of several that stand in
    /// each other's way and do the same, all but the latest, since one of them happens at most. Of these the highest fee counts:
    /// which of them happens is not for the wallet to say.
    ///
    /// - Parameters:
    ///   - conflictSet: of the intent that is judged.
    ///   - digest: of the intent that is judged: it is not counted twice.
    func effects(judging conflictSet: ConflictSet?, _ digest: [UInt8]) -> [SignedEffect] {
        var groups: [Group] = []
        // By what an entry takes up, the groups that have a part of it.
        var places: [Claim: [Int]] = [:]
        var counted: [SignedEffect] = []
        for (entry, time) in zip(entries, times).reversed() where entry.counts && entry.digest != digest {
            if entry.conflicts(with: conflictSet) { continue }
            if let taken = entry.conflictSet {
                let claims = taken.claims
                let near = Set(claims.flatMap { places[$0] ?? [] })
                if let same = near.first(where: { groups[$0].absorbs(entry, taken) }) {
                    groups[same].conflictSets.append(taken)
                    groups[same].fee = max(groups[same].fee ?? .zero, entry.highestFee ?? .zero)
                    for claim in claims { places[claim, default: []].append(same) }
                    continue
                }
                for claim in claims { places[claim, default: []].append(groups.count) }
                groups.append(
                    Group(
                        effects: entry.effects, chain: entry.chain, time: time, conflictSets: [taken],
                        fee: entry.highestFee))
            }
            counted += entry.given(at: time)
        }
        return counted + groups.compactMap(\.cost)
    }

    /// From when each counts: never earlier than one that was admitted before it, so that nothing is free for a clock that was
    /// turned back meanwhile; and not from the future.
    var times: [UInt64] {
        var latest: UInt64 = 0
        return entries.map { entry in
            latest = max(latest, entry.counts(at: now))
            return latest
        }
    }

    /// Entries that do the same, any two of which stand in each other's way. That each does so with the one that counts is not
    /// enough: one transaction can stand in the way of two that do not mind each other.
    private struct Group {
        let effects: [Effect]
        let chain: Chain?
        /// From when the latest of them counts.
        let time: UInt64
        var conflictSets: [ConflictSet]
        /// The highest of them.
        var fee: UInt256?

        /// What is paid to have one of them mined, in the chain's coin, whatever it moves.
        var cost: SignedEffect? {
            guard let chain, let fee, !fee.isZero else { return nil }
            return SignedEffect(time: time, chain: chain, asset: .coin, amount: fee, isFee: true)
        }

        func absorbs(_ entry: HistoryEntry, _ conflictSet: ConflictSet) -> Bool {
            entry.effects.areTheSame(as: effects) && conflictSets.allSatisfy(conflictSet.conflicts)
        }
    }
}

/// One thing that only one transaction can have.
private enum Claim: Hashable {
    case nonce(ConflictSet)
    case output(OutPoint)
}

extension ConflictSet {
    fileprivate var claims: [Claim] {
        switch self {
        case .ethereum: [.nonce(self)]
        case .bitcoin(_, let outPoints): outPoints.map(Claim.output)
        }
    }
}

extension HistoryEntry {
    /// What it gives away, or lets others take.
    func given(at time: UInt64) -> [SignedEffect] {
        guard let chain else { return [] }
        return effects.compactMap { effect in
            guard let asset = effect.asset else { return nil }
            switch effect {
            case .payment, .transfer: break
            case .allowance, .increase, .decrease: break
            default: return nil
            }
            // Without a limit all may be taken: then nothing is left of any limit.
            return SignedEffect(
                time: time, chain: chain, asset: asset.counted, amount: effect.given ?? .maximum)
        }
    }
}

extension Asset {
    /// As policies name it: what may be tokens or one thing, they take for tokens.
    fileprivate var counted: Asset {
        if case .tokenOrItem(let contract) = self { return .token(contract) }
        return self
    }
}

extension Policy {
    /// The longest time over which a rule adds up what was signed.
    var longestWindow: UInt64 {
        rules.flatMap(\.conditions).reduce(0) { longest, condition in
            switch condition {
            case .spentAtMost(_, _, let seconds), .feesAtMost(_, _, let seconds): max(longest, seconds)
            default: longest
            }
        }
    }
}
