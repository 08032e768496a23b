public import Amounts

/// A condition of a rule. A condition about a property that the effect lacks is never met: an effect without an amount
/// does not meet a limit on amounts.
public enum PolicyCondition: Hashable, Sendable {
    /// The chain is one of these.
    case chain(Set<Chain>)
    /// The kind of the effect is one of these.
    case kind(Set<Effect.Kind>)
    /// The asset is one of these, each on its chain.
    case asset(Set<PolicyAsset>)
    /// The payee is one of these.
    case to(Set<Party>)
    /// The payee is not one of these.
    case notTo(Set<Party>)
    /// Whether the payee is known: a contact, or paid in a mined transaction.
    case known(Bool)
    /// The whole intent gives away at most this amount of the asset, in effects of this kind. For a coin the highest
    /// fee counts, too.
    case atMost(UInt256, PolicyAsset)
    /// The whole intent, with everything signed in the last seconds, gives away at most this amount of the asset.
    case spentAtMost(UInt256, PolicyAsset, seconds: UInt64)
    /// Whether the amount is unlimited.
    case unlimited(Bool)
    /// The highest fee is at most this, in the chain's smallest unit.
    case feeAtMost(UInt256, Chain)
    /// The highest fee, with those of everything signed in the last seconds, is at most this.
    case feesAtMost(UInt256, Chain, seconds: UInt64)
    /// The intent has a finding with one of these names.
    case finding(Set<String>)

    /// Whether it limits an amount or a fee.
    var isLimit: Bool {
        switch self {
        case .atMost, .spentAtMost, .feeAtMost, .feesAtMost: true
        case .chain, .kind, .asset, .to, .notTo, .known, .unlimited, .finding: false
        }
    }

    /// Returns why the condition is not met; nil if it is met.
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
                ? nil : "its payee is not on the list"
        case .notTo(let parties):
            return effect.party.map { !parties.contains($0.byAddress) } == true
                ? nil : "its payee is on the list"
        case .known(let known):
            guard let party = effect.party else { return "it has no payee" }
            guard subject.context.knows(party) != known else { return nil }
            guard known else { return "the payee is known" }
            return subject.context.known == nil
                ? "without the wallet's book no payee is known" : "the payee is new"
        case .atMost(let limit, let asset):
            guard let amount = subject.amount(of: asset) else { return Self.noAmount(of: asset, in: effect) }
            return amount <= limit ? nil : "it is \(asset.textWithFee(amount)), more than \(asset.text(limit))"
        case .spentAtMost(let limit, let asset, let seconds):
            guard let amount = subject.given(of: asset) else { return Self.noAmount(of: asset, in: effect) }
            let past = subject.context.signed(of: asset.asset, on: asset.chain, within: seconds)
            let window = SpendingWindow(limit: limit, seconds: seconds, now: subject.context.now, past: past)
            return window.excess(of: amount, in: asset).map { "it is \(asset.textWithFee(amount)), \($0)" }
        case .unlimited(let expected):
            guard effect.kind == .allowance else { return "it is not an allowance" }
            // The total of an increased allowance is not in the bytes, so nothing limits it.
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
        return "it has no amount of \(asset.name)"
    }
}

/// An asset of a policy: its chain, and the format of its amounts.
public struct PolicyAsset: Hashable, Sendable {
    /// The policy's name for the asset.
    public let name: String
    /// The chain of the asset.
    public let chain: Chain
    /// The asset that is counted.
    public let asset: Asset
    /// The number of decimals of its amounts.
    public let decimals: Decimals

    /// Creates an asset.
    public init(name: String, chain: Chain, asset: Asset, decimals: Decimals) {
        self.name = name
        self.chain = chain
        self.asset = asset
        self.decimals = decimals
    }

    /// Returns whether an effect on a chain gives away this asset. If a contract may mean tokens or items, the policy's
    /// statement that it is a token decides.
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

    /// Returns the amount with the name of its unit.
    func text(_ amount: UInt256) -> String { "\(DecimalText.short(amount, decimals)) \(name)" }
}
