internal import Amounts
internal import Bitcoin
internal import Ceremonies
internal import Custody
internal import DisplayText
internal import Encoding
internal import Ethereum
internal import HDKeys
internal import Payments
internal import Terminal
internal import Wallet

/// What signing something does, as it is shown. Amounts are in the smallest unit, as decimal text: wei has no room in a number of
/// JSON.
struct IntentView: Encodable {
    struct Effect: Encodable {
        /// As policies name it.
        let effect: String
        /// `coin`, or the token's contract; with `#` and an identifier for one thing of a collection.
        let asset: String?
        /// Null where it is without limit, or no question, and where the bytes do not tell it: with `increase` and `decrease`.
        let amount: String?
        /// What an allowance grows by, whose total the bytes do not tell.
        let increase: String?
        /// What an allowance shrinks by.
        let decrease: String?
        /// Who gets something, or is called.
        let to: String?
        /// What the person calls them, where the wallet's book is open.
        let to_name: String?
        /// Where the wallet's own address is, if it pays one that is so far that the wallet does not look there.
        let to_path: String?
        /// Whose tokens they are, where they are not the wallet's.
        let from: String?
        /// A message, data, or what else only text can tell.
        let text: String?
    }

    struct CallView: Encodable {
        /// `transfer(address,uint256)`.
        let function: String
        let arguments: JSONView
    }

    struct Finding: Encodable {
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
    let remarks: [Finding]
    let decision: Decision
    /// The address that stands for it; null for a Bitcoin transaction.
    let signed_by: String?
    /// Of a transaction on Ethereum.
    let nonce: UInt64?
    let gas_limit: UInt64?
    /// The data of that in hexadecimal, and the arguments of the function that it calls, where that is known.
    let data: String?
    let call: CallView?
    /// The `domain`, the `primary_type` and the `message` of typed data, with exactly what is signed.
    let typed_data: JSONView?
    /// What `--expect` takes: changes with anything that is signed.
    let digest: String
    /// The details of a Bitcoin transaction.
    let spend: SpendView?
    /// Approvals that were given and do not count, each with why; not there where all do.
    var ignored_approvals: [String]?

    // What the text is made of, exactly.
    private let intent: Intent
    private let details: PayloadDetails
    private let terms: AllowanceTerms
    private let names: PartyNames
    private let summary: SpendSummary?
    /// Names of findings that hold for everything that this wallet makes itself, and tell nobody anything.
    private let usual: Set<String>

    enum CodingKeys: String, CodingKey {
        case wallet, chain, effects, highest_fee, remarks, decision, signed_by, nonce, gas_limit, data, call,
            typed_data, digest, spend,
            ignored_approvals
    }

    /// - Parameters:
    ///   - names: of the wallet's contacts, where its book is open.
    ///   - isPlannedHere: whether this wallet has made what is to be signed, with what a node says.
    init(
        _ intent: Intent, _ decision: Wallet.Decision, of work: SigningWork, accounts: Accounts, wallet: WalletName?,
        names: PartyNames = .none, isPlannedHere: Bool = false
    ) {
        self.intent = intent
        self.names = names
        summary = work.spend
        terms = AllowanceTerms(work.payload)
        // That a payment can be sped up harms nobody who makes it. The present height as a lock hides when it was made.
        usual = isPlannedHere ? ["replaceable", "locked"] : ["replaceable"]
        details = PayloadDetails(work.payload, for: accounts)
        signed_by = details.signer
        nonce = details.transaction?.nonce
        gas_limit = details.transaction?.gasLimit
        data = details.data
        call = details.call.map { CallView(function: $0.signature, arguments: JSONView($0.arguments)) }
        typed_data = details.typedData.map(JSONView.init)
        self.wallet = wallet?.description
        chain = intent.chain?.description
        effects = intent.effects.map { Effect($0, names: names) }
        highest_fee = intent.highestFee?.description
        remarks = intent.findings.map(Finding.init)
        self.decision = Decision(decision)
        digest = Hex.encode(intent.digest)
        spend = work.spend.map { SpendView($0, intent, wallet: wallet, names: names) }
    }

    init(
        _ proposed: ProposedPayload, of wallet: WalletRecord, names: PartyNames
    ) throws(CustodyError) {
        self.init(
            proposed.intent, proposed.decision, of: proposed.work, accounts: try wallet.accounts, wallet: wallet.name,
            names: names)
    }

    init(_ proposal: ProposedSigning, of wallet: WalletRecord, names: PartyNames) throws(CustodyError) {
        self.init(
            proposal.intent, proposal.decision, of: proposal.work, accounts: try wallet.accounts, wallet: wallet.name,
            names: names, isPlannedHere: proposal.isPlannedHere)
    }

    /// All of it, for a person who decides.
    var text: StyledText { text(.all) }

    /// What is told beside what happens.
    enum Telling {
        case all
        /// Not why it is refused, and not what the policy says to it: an error says that, at the end.
        case withoutRefusals
        /// Not what is costly: an error says that, at the end.
        case withoutCosts
    }

    /// In lines that the terminal has room for.
    func text(_ telling: Telling) -> StyledText {
        text(telling, columns: TerminalWidth.sentenceColumns, foreign: TerminalWidth.columns)
    }

    /// - Parameters:
    ///   - columns: for lines of this program.
    ///   - foreign: for text of others, which is never broken by a terminal.
    func text(_ telling: Telling, columns: Int, foreign: Int) -> StyledText {
        let review = Review(intent, spend: summary, terms: terms, names: names, columns: columns)
        let place = intent.chain.map { "on \($0.name)" } ?? "bound to no chain"
        let identity =
            [["wallet", [wallet, place].compactMap(\.self).joined(separator: ", ")]]
            + (spend.map { [["transaction", $0.id]] } ?? []) + details.rows + [["digest", digest]]
        let contents = review.contents(columns: foreign) + TextBlock(details.contents, columns: foreign).rows
        let silent: String? =
            switch telling {
            case .all: nil
            case .withoutRefusals: "refusal"
            case .withoutCosts: "costly"
            }
        let told = remarks.filter { $0.weight != silent && !usual.contains($0.name) }.map { finding in
            if finding.weight == "refusal" { return Self.line("will not be signed", finding.text, .refusal, columns) }
            let isNote = Self.notes.contains(finding.name) && finding.weight == "notice"
            return Self.line(
                isNote ? "note" : "warning", finding.text, isNote ? .plain : .warning, columns)
        }
        // The policy repeats why something is refused for everybody.
        let refusals = remarks.filter { $0.weight == "refusal" }.map(\.text)
        let isOver = decision.verdict == "allowed" || telling == .withoutRefusals
        let rules =
            isOver
            ? []
            : decision.reasons.filter { !refusals.contains($0) }.map { Self.line("the policy", $0, .refusal, columns) }
        let ignored = (ignored_approvals ?? []).map { Self.line("warning", $0, .warning, columns) }
        let findings = told.isEmpty && rules.isEmpty && ignored.isEmpty ? [] : [StyledText("")] + told + rules + ignored
        let headline = Wrapped.lines(review.headline, room: max(columns - 1, 10)).map { StyledText($0, .strong) }
        return StyledText(
            lines: headline + [StyledText(""), LabelledRows(review.rows).text(columns: columns)]
                + contents.map { StyledText($0) } + [StyledText("")]
                + [LabelledRows(identity.map { .init($0[0], [$0[1]], .faint) }).text(columns: columns)] + findings)
    }

    /// Each effect in a few words.
    var effectLines: [String] { intent.effects.map { EffectLine($0, on: intent.chain, names: names).text } }

    /// What is longer than a line goes on behind blanks: it may hold words of others.
    private static func line(
        _ name: String, _ text: String, _ style: StyledText.Style, _ columns: Int
    ) -> StyledText {
        StyledText(Wrapped.text("\(name): \(text)", columns: columns), style)
    }

    /// Names of findings that warn of nothing.
    private static let notes: Set<String> = ["replaces", "further_fee", "unknown_chain"]
}

extension IntentView.Finding {
    init(_ finding: Wallet.Finding) { self.init(name: finding.name, text: finding.text, weight: finding.weight.name) }
}

extension Finding.Weight {
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
    init(_ effect: Effect, names: PartyNames) {
        self.effect = effect.kind.rawValue
        asset = effect.asset?.name
        (amount, increase, decrease) =
            switch effect {
            case .increase(_, let more, _): (nil, more.description, nil)
            case .decrease(_, let less, _): (nil, nil, less.description)
            default: (effect.amount?.description, nil, nil)
            }
        to = effect.party?.description
        to_name = names[effect.party]
        to_path = if case .own(_, let path) = effect.party { path.description } else { nil }
        from = if case .transfer(_, _, let owner, _) = effect { owner.description } else { nil }
        text =
            switch effect {
            case .message(let text), .statement(let text, _): text.text
            case .call(_, let selector): "0x" + Hex.encode(selector)
            case .data(let script): script.data?.description
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
