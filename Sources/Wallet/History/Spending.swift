internal import Amounts
internal import Bitcoin
internal import Encoding

/// The amounts that the entries of the history count against limits. If several entries conflict, their sum is not less
/// than the amount that can really be spent.
package struct Spending {
    /// The entries, in the order in which they were admitted.
    private let entries: [HistoryEntry]
    /// The clock's time.
    private let now: UInt64

    package init(entries: [HistoryEntry], now: UInt64) {
        self.entries = entries
        self.now = now
    }

    /// Returns the effects that count when an intent is judged. They include everything that can happen together with
    /// it, however it is divided into transactions, replaced, or admitted again.
    ///
    /// They exclude failed entries, entries that cannot happen if the judged intent does, and, of several entries that
    /// conflict and have the same effects, all but the latest, since at most one of them happens. Of these the highest
    /// fee counts, because the wallet cannot know which one happens.
    ///
    /// - Parameters:
    ///   - conflictSet: the conflict set of the intent that is judged.
    ///   - digest: the digest of the intent that is judged, which is not counted twice.
    package func effects(judging conflictSet: ConflictSet?, _ digest: [UInt8]) -> [SignedEffect] {
        let cancelled = cancelledClaims
        var groups: [Group] = []
        // The groups that use a part of each claim.
        var places: [Claim: [Int]] = [:]
        var counted: [SignedEffect] = []
        for (entry, time) in zip(entries, times).reversed() where entry.counts && entry.digest != digest {
            if entry.conflicts(with: conflictSet) { continue }
            let source = SignedEffect.Source(
                id: entry.id ?? Hex.encode(entry.digest),
                isCancelled: entry.conflictSet?.claims.contains(where: cancelled.contains) == true
                    && !entry.isCancellation)
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
                        fee: entry.highestFee, source: source))
            }
            counted += entry.given(at: time, by: source)
        }
        return counted + groups.compactMap(\.cost)
    }

    /// What signed cancellations use: a payment that uses one of these was cancelled.
    private var cancelledClaims: Set<Claim> {
        Set(entries.filter { $0.isCancellation && $0.isSigned }.flatMap { $0.conflictSet?.claims ?? [] })
    }

    /// The time from which each entry counts: never before that of an entry admitted earlier, so that turning the clock
    /// back releases nothing, and never in the future.
    package var times: [UInt64] {
        var latest: UInt64 = 0
        return entries.map { entry in
            latest = max(latest, entry.counts(at: now))
            return latest
        }
    }

    /// Entries with the same effects, where each two conflict. A conflict with the counted entry alone does not
    /// suffice: one transaction can conflict with two that do not conflict with each other.
    private struct Group {
        let effects: [Effect]
        let chain: Chain?
        /// The time from which the latest of them counts.
        let time: UInt64
        var conflictSets: [ConflictSet]
        /// The highest fee among them.
        var fee: UInt256?
        /// The latest of them.
        let source: SignedEffect.Source

        /// The fee for having one of them mined, in the chain's coin.
        var cost: SignedEffect? {
            guard let chain, let fee, !fee.isZero else { return nil }
            return SignedEffect(time: time, chain: chain, asset: .coin, amount: fee, isFee: true, source: source)
        }

        func absorbs(_ entry: HistoryEntry, _ conflictSet: ConflictSet) -> Bool {
            entry.effects.areTheSame(as: effects) && conflictSets.allSatisfy(conflictSet.conflicts)
        }
    }
}

/// One resource that only one transaction can use.
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
    /// Returns the effects that give an asset away, or let others take it.
    package func given(at time: UInt64, by source: SignedEffect.Source? = nil) -> [SignedEffect] {
        guard let chain else { return [] }
        return effects.compactMap { effect in
            guard let asset = effect.asset else { return nil }
            switch effect {
            case .payment, .transfer: break
            case .allowance, .increase, .decrease: break
            default: return nil
            }
            // An allowance without a limit lets everything be taken, so nothing of any limit is left.
            return SignedEffect(
                time: time, chain: chain, asset: asset.counted, amount: effect.given ?? .maximum, source: source)
        }
    }
}

extension Asset {
    /// The asset in the policy's terms: policies treat one that may be a token or a single item as a token.
    fileprivate var counted: Asset {
        if case .tokenOrItem(let contract) = self { return .token(contract) }
        return self
    }
}

extension Policy {
    /// The longest window over which a rule adds up spending.
    package var longestWindow: UInt64 {
        rules.flatMap(\.conditions).reduce(0) { longest, condition in
            switch condition {
            case .spentAtMost(_, _, let seconds), .feesAtMost(_, _, let seconds): max(longest, seconds)
            default: longest
            }
        }
    }
}
