internal import Amounts

extension Check {
    /// Finds payments of zero: they fill histories with addresses that users copy by mistake.
    static let amount = Check(each: { effect, _, _ in
        guard case .payment(let asset, let amount, _) = effect, amount.isZero else { return nil }
        switch asset {
        case .item, .tokenOrItem: return nil
        case .coin, .token: break
        }
        return Finding("zero_amount", "it pays nothing", .refusal)
    })

    /// Finds an allowance that is never used up.
    static let unlimitedAllowance = Check(each: { effect, _, _ in
        guard case .allowance(_, nil, let party) = effect else { return nil }
        return Finding("unlimited_allowance", "\(party) may take all of these tokens, now or at any time", .costly)
    })

    /// Finds control over a whole collection.
    static let control = Check(each: { effect, _, _ in
        guard case .control(_, let party, true) = effect else { return nil }
        return Finding("control", "\(party) may take everything of this collection, now or at any time", .costly)
    })

    /// Finds effects with an unknown meaning. Only a policy that names such effects lets them be signed.
    static let unknown = Check(each: { effect, _, _ in
        switch effect {
        case .call: Finding("unknown_call", "what this call does cannot be told from its bytes", .costly)
        case .statement: Finding("unknown_statement", "what this data means cannot be told", .costly)
        default: nil
        }
    })

    /// Finds a delegation of the account. Only a policy that names such effects lets them be signed.
    static let delegation = Check(each: { effect, _, _ in
        guard case .delegation(let contract) = effect else { return nil }
        guard contract != nil else {
            return Finding("delegation_ended", "the account no longer obeys a contract", .notice)
        }
        return Finding("delegation", "a contract's code may do anything with this account", .costly)
    })

    /// Finds a balance that is too small.
    static let balance = Check({ intent, context in
        guard let node = context.node else { return [] }
        guard var needed = try? (intent.highestFee ?? .zero).adding(node.furtherFee.reserve) else {
            return [.tooExpensive]
        }
        for case .payment(.coin, let amount, _) in intent.effects {
            guard let sum = try? needed.adding(amount) else { return [.tooExpensive] }
            needed = sum
        }
        return needed > node.balance ? [.tooExpensive] : []
    })

    /// Finds a fee far above the node's estimate. The node may lie: it can cause this finding, and the limits of the
    /// transaction's own checks stay.
    static let fee = Check({ intent, context in
        guard let fee = intent.highestFee, let expected = context.node?.expectedFee,
            let bound = try? expected.multiplied(by: WalletLimits.feeMultiple), fee > bound
        else { return [] }
        return [
            Finding(
                "high_fee", "it may cost more than \(WalletLimits.feeMultiple) times what the node expects", .costly)
        ]
    })

    /// Finds a fee beside the highest fee, which is computed from the bytes and cannot contain it.
    static let furtherFee = Check({ intent, context in
        guard let node = context.node, let highest = intent.highestFee, let chain = intent.chain else { return [] }
        func coins(_ amount: UInt256) -> String {
            "\(DecimalText.short(amount, chain.currency.decimals)) \(chain.unit)"
        }
        switch node.furtherFee {
        case .none, .now(.zero): return []
        case .now(let fee):
            let reserve = node.furtherFee.reserve
            let sum = (try? highest.adding(reserve)) ?? .maximum
            return [
                Finding(
                    "further_fee",
                    "this chain charges a further fee that is not in 'at most': \(coins(fee)) now, as the node says; with "
                        + "\(coins(reserve)) set aside for it, the fees are \(coins(sum))", .notice)
            ]
        case .untold:
            return [
                Finding(
                    "further_fee",
                    "this chain charges a further fee that is not in 'at most', and the node does not say how much",
                    .notice)
            ]
        case .possible:
            return [
                Finding(
                    "unknown_chain",
                    "this wallet does not know the chain, which may charge a further fee that is not in 'at most'",
                    .notice)
            ]
        }
    })

    /// Finds a fee that is large in itself or compared with the payment, whatever fee a node expects: otherwise a lying
    /// node would decide on every fee that is signed without a user. A fee that Bitcoin's own checks found costly is
    /// not reported twice.
    static let largeFee = Check({ intent, context in
        // A user who accepts a fee rate has not accepted an amount.
        let told = intent.findings.contains { $0.weight == .costly && $0.name == "high_fee_share" }
        guard !told, let highest = intent.highestFee, let chain = intent.chain else { return [] }
        let fee = (try? highest.adding(context.node?.furtherFee.reserve ?? .zero)) ?? .maximum
        if fee > WalletLimits.largeFee(on: chain) {
            let bound = DecimalText.short(WalletLimits.largeFee(on: chain), chain.currency.decimals)
            return [.largeFee("the fee may be more than \(bound) \(chain.unit)")]
        }
        var paid = UInt256.zero
        for case .payment(.coin, let amount, _) in intent.effects { paid = (try? paid.adding(amount)) ?? .maximum }
        guard !paid.isZero, fee > WalletLimits.smallFee(on: chain),
            let share = try? fee.multiplied(by: 100).divided(by: paid).quotient, share >= WalletLimits.largeFeePercent
        else { return [] }
        return [.largeFee("the fee may be \(share) % of what is paid")]
    })

    /// Finds the failure that a node saw when it tried the call.
    static let simulation = Check({ _, context in
        guard let failure = context.node?.failure else { return [] }
        return [Finding("would_fail", "the node says that it would fail: \(failure)", .costly)]
    })
}

extension Finding {
    fileprivate static func largeFee(_ text: String) -> Finding { Finding("large_fee", text, .costly) }

    fileprivate static let tooExpensive = Finding(
        "insufficient_funds", "the wallet does not have what is paid and the highest fee", .refusal)
}
