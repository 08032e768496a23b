public import Amounts

/// Something that has to be so for a rule to fit. What an effect does not have, never fits: a bound on an amount is not met by
/// an effect without one.
public enum PolicyCondition: Hashable, Sendable {
    /// The chain is one of these.
    case chain(Set<Chain>)
    /// The kind of the effect is one of these.
    case kind(Set<Effect.Kind>)
    /// One of these assets, each on its chain.
    case asset(Set<PolicyAsset>)
    /// It goes to one of these.
    case to(Set<Party>)
    /// It goes to none of these.
    case notTo(Set<Party>)
    /// Whether it goes to somebody that the person has named, or has paid in a block.
    case known(Bool)
    /// The whole intent gives away this or less of that asset, in effects of this kind. Of a coin the highest fee counts as well.
    case atMost(UInt256, PolicyAsset)
    /// The same, with what was signed in the last seconds.
    case spentAtMost(UInt256, PolicyAsset, seconds: UInt64)
    /// It is without limit.
    case unlimited(Bool)
    /// The highest fee, in the chain's smallest unit.
    case feeAtMost(UInt256, Chain)
    /// The same, with the highest fees of what was signed in the last seconds.
    case feesAtMost(UInt256, Chain, seconds: UInt64)
    /// There is a finding of one of these names.
    case finding(Set<String>)

    /// Why it is not so; nil where it is.
    func mismatch(with subject: PolicyCase) -> String? {
        let (effect, intent) = (subject.effect, subject.intent)
        switch self {
        case .chain(let chains):
            guard let chain = intent.chain else { return "it is bound to no chain" }
            return chains.contains(chain) ? nil : "it is on \(chain)"
        case .kind(let kinds):
            return kinds.contains(effect.kind)
                ? nil : "it is \(effect.kind == .allowance ? "an" : "a") \(effect.kind.rawValue)"
        case .asset(let assets):
            return assets.contains { $0.counts(effect, on: intent.chain) } ? nil : "it is of another asset"
        case .to(let parties):
            return effect.party.map({ parties.contains($0.byAddress) }) == true
                ? nil : "it goes to somebody who is not on the list"
        case .notTo(let parties):
            return effect.party.map { !parties.contains($0.byAddress) } == true
                ? nil : "it goes to somebody on the list"
        case .known(let known):
            guard let party = effect.party else { return "it goes to nobody" }
            guard subject.context.knows(party) != known else { return nil }
            guard known else { return "the recipient is known" }
            return subject.context.known == nil
                ? "whether the recipient is known is not known here" : "the recipient is new"
        case .atMost(let limit, let asset):
            guard let amount = subject.amount(of: asset) else { return Self.noAmount(of: asset, in: effect) }
            return amount <= limit ? nil : "it is \(asset.textWithFee(amount)), more than \(asset.text(limit))"
        case .spentAtMost(let limit, let asset, let seconds):
            guard let amount = subject.given(of: asset) else { return Self.noAmount(of: asset, in: effect) }
            let past = subject.context.signed(of: asset.asset, on: asset.chain, within: seconds)
            let window = SpendingWindow(limit: limit, seconds: seconds, now: subject.context.now, past: past)
            return window.excess(of: amount, in: asset).map { "it is \(asset.textWithFee(amount)), \($0)" }
        case .unlimited(let expected):
            guard effect.kind == .allowance else { return "it is no allowance" }
            // An increase has a total that the bytes do not tell: nothing in them bounds it.
            return (effect.amount == nil) == expected
                ? nil : expected ? "the allowance has a limit" : "the allowance is without a limit that is known"
        case .feeAtMost(let limit, let chain):
            guard chain == intent.chain, let fee = subject.fee else { return "it has no fee on \(chain)" }
            let coin = PolicyAsset(coinOf: chain)
            return fee <= limit ? nil : "the fee may be \(coin.text(fee)), more than \(coin.text(limit))"
        case .feesAtMost(let limit, let chain, let seconds):
            guard chain == intent.chain, let fee = subject.fee else { return "it has no fee on \(chain)" }
            let past = subject.context.signed(of: .coin, on: chain, within: seconds).filter(\.isFee)
            let window = SpendingWindow(limit: limit, seconds: seconds, now: subject.context.now, past: past)
            let coin = PolicyAsset(coinOf: chain)
            return window.excess(of: fee, in: coin).map { "the fee may be \(coin.text(fee)), \($0)" }
        case .finding(let names):
            return intent.findings.contains { names.contains($0.name) } ? nil : "nothing of that kind was found"
        }
    }

    private static func noAmount(of asset: PolicyAsset, in effect: Effect) -> String {
        if case .increase = effect { return "it increases an allowance, whose total is not known here" }
        return "there is no amount of \(asset.name) in it"
    }
}

/// An asset of a policy: its chain, and how its amounts are written.
public struct PolicyAsset: Hashable, Sendable {
    /// The name that the policy has for the asset.
    public let name: String
    /// The chain of the asset.
    public let chain: Chain
    /// What is counted.
    public let asset: Asset
    /// How many decimal places its amounts have.
    public let decimals: Decimals

    /// Creates an asset.
    public init(name: String, chain: Chain, asset: Asset, decimals: Decimals) {
        self.name = name
        self.chain = chain
        self.asset = asset
        self.decimals = decimals
    }

    /// Whether an effect on a chain gives away this asset. Where a contract may mean tokens or things, the policy's word that it
    /// is a token decides.
    func counts(_ effect: Effect, on chain: Chain?) -> Bool {
        guard chain == self.chain, let given = effect.asset else { return false }
        if case .tokenOrItem(let contract) = given { return asset == .token(contract) }
        return given == asset
    }

    /// The coin of a chain, by its symbol.
    init(coinOf chain: Chain) {
        self.init(name: chain.unit, chain: chain, asset: .coin, decimals: chain.currency.decimals)
    }

    /// An amount in which fees are counted, with the name of its unit.
    func textWithFee(_ amount: UInt256) -> String { text(amount) + (asset == .coin ? " with the fee" : "") }

    /// An amount with the name of its unit.
    func text(_ amount: UInt256) -> String { "\(DecimalText.short(amount, decimals)) \(name)" }
}
