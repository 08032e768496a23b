extension Policy {
    /// The rules that allow signing at any fee without an approver who sees it. With such a rule, a policy that limits
    /// payments still lets everything be burned as fees.
    public var rulesWithoutFeeBound: [PolicyRule] {
        let end = rules.firstIndex { $0.conditions.isEmpty }.map { $0 + 1 } ?? rules.count
        return rules[..<end].filter(\.leavesFeeOpen)
    }
}

extension PolicyRule {
    fileprivate var leavesFeeOpen: Bool {
        switch outcome {
        case .deny, .approval: false
        case .allow, .delay: !conditions.contains(where: \.boundsFee)
        }
    }
}

extension PolicyCondition {
    /// Whether the condition limits the fee.
    fileprivate var boundsFee: Bool {
        switch self {
        case .feeAtMost, .feesAtMost: true
        // A limit on the coin counts the fee, and matches only effects of the coin.
        case .atMost(_, let asset), .spentAtMost(_, let asset, _): asset.asset == .coin
        // These effects are not transactions, and cost nothing.
        case .kind(let kinds): kinds.isSubset(of: [.message, .statement, .file])
        case .finding(let names): names == ["no_chain"]
        case .chain, .asset, .to, .notTo, .known, .unlimited: false
        }
    }
}
