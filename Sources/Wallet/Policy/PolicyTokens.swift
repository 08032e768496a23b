extension Intent {
    /// Marks the contracts that a policy names as tokens as such. The intent's meaning, and so its digest, stays.
    ///
    /// The bytes do not say whether a number is an amount of tokens or an item of a collection. The policy file is the
    /// user's statement, and its limits use it, too.
    public func naming(tokensOf policy: Policy) -> Intent {
        let contracts = Set(policy.tokens.filter { $0.chain == chain }.compactMap(\.asset.contract))
        func named(_ asset: Asset) -> Asset {
            guard case .tokenOrItem(let contract) = asset, contracts.contains(contract) else { return asset }
            return .token(contract)
        }
        let effects = effects.map { effect -> Effect in
            switch effect {
            case .payment(let asset, let amount, let party): .payment(named(asset), amount: amount, to: party)
            case .transfer(let asset, let amount, let from, let party):
                .transfer(named(asset), amount: amount, from: from, to: party)
            case .allowance(let asset, let amount, let party): .allowance(named(asset), amount: amount, to: party)
            default: effect
            }
        }
        return Intent(chain: chain, effects: effects, highestFee: highestFee, findings: findings, digest: digest)
    }
}
