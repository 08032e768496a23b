internal import Custody
internal import Encoding
internal import Wallet

/// What signing something does, as it is shown. Amounts are in the smallest unit, as decimal text: wei has no room in a number of
/// JSON.
struct IntentView: Encodable {
    struct Effect: Encodable {
        /// As policies name it.
        let effect: String
        /// `coin`, or the token's contract; with `#` and an identifier for one thing of a collection.
        let asset: String?
        /// Null where it is without limit, or no question.
        let amount: String?
        /// Who gets something, or is called.
        let to: String?
        /// Whose tokens they are, where they are not the wallet's.
        let from: String?
        /// A message, or what else only text can tell.
        let text: String?
    }

    struct Remark: Encodable {
        let name: String
        let text: String
        /// `notice`, `costly` or `refusal`.
        let weight: String
    }

    struct Decision: Encodable {
        /// `allowed`, `denied`, `not_before` or `needs_approval`.
        let verdict: String
        /// Seconds since 1970.
        let not_before: UInt64?
        let missing_approvals: Int?
        let reasons: [String]
    }

    let wallet: String?
    /// `bitcoin:mainnet` or `ethereum:1`; null for what is bound to no chain.
    let chain: String?
    let effects: [Effect]
    let highest_fee: String?
    let remarks: [Remark]
    let decision: Decision
    /// What `--expect` takes: changes with anything that is signed.
    let digest: String
    /// The details of a Bitcoin transaction.
    let spend: SpendView?

    // What the text is made of, exactly.
    private let intent: Intent

    enum CodingKeys: String, CodingKey {
        case wallet, chain, effects, highest_fee, remarks, decision, digest, spend
    }

    init(
        _ intent: Intent, _ decision: Wallet.Decision, spend: SpendSummary? = nil, of wallet: WalletName?
    ) {
        self.intent = intent
        self.wallet = wallet?.description
        chain = intent.chain?.description
        effects = intent.effects.map(Effect.init)
        highest_fee = intent.highestFee?.description
        remarks = intent.remarks.map { Remark(name: $0.name, text: $0.text, weight: $0.weight.name) }
        self.decision = Decision(decision)
        digest = Hex.encode(intent.digest)
        self.spend = spend.map { SpendView($0, wallet: wallet) }
    }

    init(_ proposed: ProposedPayload, of wallet: WalletRecord) {
        self.init(proposed.intent, proposed.decision, spend: proposed.spend, of: wallet.name)
    }

    /// All of it, for a person who decides.
    var text: String {
        let body = spend?.body ?? IntentText(intent).body
        let title = [wallet.map { "Wallet \($0)" }, spend?.network ?? chain].compactMap(\.self).joined(
            separator: ", on ")
        var lines = [title.isEmpty ? "Bound to no chain" : title, "", body]
        lines.append(contentsOf: [
            "", Table((spend.map { [["transaction", $0.txid]] } ?? []) + [["digest", digest]]).text,
        ])
        let told = remarks.map { $0.weight == "refusal" ? "will not be signed: \($0.text)" : "warning: \($0.text)" }
        let rules = decision.verdict == "allowed" ? [] : decision.reasons.map { "the policy: \($0)" }
        return (lines + (told.isEmpty && rules.isEmpty ? [] : [""]) + told + rules).joined(separator: "\n")
    }
}

extension Remark.Weight {
    /// As programs read it.
    fileprivate var name: String {
        switch self {
        case .notice: "notice"
        case .costly: "costly"
        case .refusal: "refusal"
        }
    }
}

extension IntentView.Decision {
    init(_ decision: Wallet.Decision) {
        switch decision.verdict {
        case .allowed: (verdict, not_before, missing_approvals) = ("allowed", nil, nil)
        case .notBefore(let time): (verdict, not_before, missing_approvals) = ("not_before", time, nil)
        case .needsApproval(let missing): (verdict, not_before, missing_approvals) = ("needs_approval", nil, missing)
        case .denied: (verdict, not_before, missing_approvals) = ("denied", nil, nil)
        }
        reasons = decision.findings.filter { $0.verdict != .allowed }
            .map { finding in (finding.rule.map { "'\($0)': " } ?? "") + finding.reason }
    }
}

extension IntentView.Effect {
    init(_ effect: Effect) {
        self.effect = effect.kind.rawValue
        asset = effect.asset?.name
        amount = effect.amount?.description
        to = effect.party?.description
        from = if case .transfer(_, _, let owner, _) = effect { owner.description } else { nil }
        text =
            switch effect {
            case .message(let text), .statement(let text, _): text.text
            case .call(_, let selector): "0x" + Hex.encode(selector)
            case .control(_, _, let isGiven): isGiven ? "given" : "taken back"
            default: nil
            }
    }
}

extension Asset {
    /// As programs read it.
    fileprivate var name: String {
        switch self {
        case .coin: "coin"
        case .token(let contract), .tokenOrItem(let contract): contract.description
        case .item(let contract, let id): "\(contract)#\(id)"
        }
    }
}
