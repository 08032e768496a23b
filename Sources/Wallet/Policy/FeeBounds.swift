extension Policy {
    /// The rules that let something be signed at any fee, without an approver who sees it. With one of them a policy that limits
    /// payments lets everything be burned.
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
    /// Whether it holds for no fee above some amount.
    fileprivate var boundsFee: Bool {
        switch self {
        case .feeAtMost, .feesAtMost: true
        // A limit of the coin counts the fee, and fits nothing but effects of the coin.
        case .atMost(_, let asset), .spentAtMost(_, let asset, _): asset.asset == .coin
        // These are no transactions, and cost nothing.
        case .kind(let kinds): kinds.isSubset(of: [.message, .statement])
        case .finding(let names): names == ["no_chain"]
        case .chain, .asset, .to, .notTo, .known, .unlimited: false
        }
    }
}
