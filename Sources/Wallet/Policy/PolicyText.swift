internal import Amounts
internal import Time

/// A policy in words, for the user who wrote it.

extension PolicyRule: CustomStringConvertible {
    /// The rule in words: `small change: allow, if it is a payment, and it is at most 0.5 ETH@ethereum:1`.
    public var description: String {
        let clauses = conditions.map(\.description)
        return "\(name): \(outcome)"
            + (clauses.isEmpty ? ", whatever it is" : ", if " + clauses.joined(separator: ", and "))
    }
}

extension PolicyRule.Outcome: CustomStringConvertible {
    /// The outcome as an order: `allow`, `wait 24 h`.
    public var description: String {
        switch self {
        case .allow: "allow"
        case .deny: "deny"
        case .approval(let count, let names):
            count == names.count
                ? "ask \(names.joined(separator: " and ")) to approve it"
                : "ask \(count) of \(names.joined(separator: ", ")) to approve it"
        case .delay(let seconds): "wait \(DurationText.words(seconds))"
        }
    }
}

extension PolicyCondition: CustomStringConvertible {
    /// The condition as a clause.
    public var description: String {
        switch self {
        case .chain(let chains): "it is on \(Self.any(chains))"
        case .kind(let kinds): "it is of the kind \(Self.any(kinds.map(\.rawValue)))"
        case .asset(let assets): "it is of \(Self.any(assets))"
        case .to(let parties): "it goes to \(Self.any(parties))"
        case .notTo(let parties): "it does not go to \(Self.any(parties))"
        case .known(let known): known ? "the payee is known" : "the payee is new"
        case .atMost(let limit, let asset):
            "it is at most \(asset.amount(limit))" + (asset.asset == .coin ? " with the fee" : "")
        case .spentAtMost(let limit, let asset, let seconds):
            "it is at most \(asset.amount(limit)) with \(asset.asset == .coin ? "the fee and " : "")all that was signed in "
                + "\(DurationText.words(seconds)) before"
        case .unlimited(let unlimited):
            unlimited ? "it is an allowance without limit" : "it is an allowance that has a limit"
        case .feeAtMost(let limit, let chain): "the fee is at most \(Self.fee(limit, on: chain))"
        case .feesAtMost(let limit, let chain, let seconds):
            "the fee is at most \(Self.fee(limit, on: chain)), with those of all that was signed in "
                + "\(DurationText.words(seconds)) before"
        case .finding(let names): "there is a finding \(Self.any(names))"
        }
    }

    private static func fee(_ limit: UInt256, on chain: Chain) -> String {
        "\(DecimalText.short(limit, chain.currency.decimals)) \(chain.currency.symbol)@\(chain)"
    }

    /// Returns the list in words: `a`, `a or b`, `a, b or c`, in the same order in every run.
    private static func any(_ values: some Collection<some CustomStringConvertible>) -> String {
        let words = values.map(\.description).sorted()
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension PolicyAsset: CustomStringConvertible {
    /// The asset as policy files name it: a coin with its chain.
    public var description: String { asset == .coin ? "\(name)@\(chain)" : name }

    fileprivate func amount(_ amount: UInt256) -> String { "\(DecimalText.short(amount, decimals)) \(self)" }
}

/// Durations in the units of policy files.
enum DurationText {
    /// Returns the duration in the largest unit that divides it: `7 d`, `36 h`, `90 s`.
    static func words(_ seconds: UInt64) -> String {
        for (unit, size) in [("d", 86_400), ("h", 3_600), ("min", 60)] as [(String, UInt64)]
        where seconds >= 2 * size && seconds % size == 0 {
            return "\(seconds / size) \(unit)"
        }
        return "\(seconds) s"
    }

    /// Returns the time `2027-06-30 14:20 UTC`, a part of a minute rounded up; nil for a time outside of the years 1970 to
    /// 9999.
    static func minute(_ time: UInt64) -> String? {
        func start(_ year: Int, _ month: Int = 1) -> UInt64? {
            CivilTime.seconds(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0)
        }
        let (time, overflow) = (time / 60 * 60).addingReportingOverflow(time % 60 == 0 ? 0 : 60)
        guard !overflow, let end = start(9999, 12), time < end else { return nil }
        var (year, month) = (1970, 1)
        while let next = start(year + 1), next <= time { year += 1 }
        while let next = start(year, month + 1), next <= time { month += 1 }
        guard let beginning = start(year, month) else { return nil }
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = (time - beginning) / 60
        return
            "\(year)-\(two(UInt64(month)))-\(two(minutes / 1_440 + 1)) \(two(minutes / 60 % 24)):\(two(minutes % 60)) UTC"
    }

    /// Returns a duration in its two largest units, rounded up: `3 h 20 min`, `2 d 1 h`, `45 s`.
    static func rough(_ seconds: UInt64) -> String {
        let units: [(String, UInt64)] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        guard let first = units.dropLast().firstIndex(where: { seconds >= $0.1 }) else { return "\(seconds) s" }
        let (large, small) = (units[first], units[first + 1])
        let rounded = small.1 == 1 ? seconds : seconds + (small.1 - seconds % small.1) % small.1
        // 59 min 30 s of an hour make another hour.
        if first > 0, rounded >= units[first - 1].1 { return rough(rounded) }
        let rest = rounded % large.1 / small.1
        return "\(rounded / large.1) \(large.0)" + (rest == 0 ? "" : " \(rest) \(small.0)")
    }
}
