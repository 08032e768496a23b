internal import Amounts
internal import Bitcoin
package import Ceremonies
package import Custody
internal import DisplayText
internal import Encoding
package import ErrorTexts
internal import Ethereum
internal import HDKeys
package import SigningSession
package import Texts
package import Wallet
package import WalletBooks

/// The view of an intent: the effects of a signature. Amounts are in the smallest unit, as decimal text: a JSON number
/// cannot represent every amount in wei.
package struct IntentView: Encodable {
    struct Effect: Encodable {
        /// The name of the effect in policies.
        let effect: String
        /// The asset: `coin`, or the token's contract; with `#` and an identifier for one item of a collection.
        let asset: String?
        /// The amount; null if it is unlimited or not applicable, or if the bytes do not contain it: with `increase`
        /// and `decrease`.
        let amount: String?
        /// The amount in the token's usual unit, if that unit is known.
        let token: Token?
        /// The increase of an allowance whose total the bytes do not contain.
        let increase: String?
        /// The decrease of an allowance.
        let decrease: String?
        /// The recipient, or the called contract.
        let to: String?
        /// The recipient's name in the wallet's book, if the book is open.
        let to_name: String?
        /// The derivation path of the wallet's own address, if the wallet pays one beyond the range that it searches.
        let to_path: String?
        /// The owner of the tokens, if it is not the wallet.
        let from: String?
        /// A message, data, a file's trusted comment, or another effect that only text describes.
        let text: String?
        /// The BLAKE2b-512 digest and the size of a file.
        let blake2b: String?
        let size: UInt64?
    }

    struct Token: Encodable {
        /// The symbol; null if the contract has none that can be shown.
        let symbol: String?
        let decimals: Int
        /// The source of the number of decimals: `list`, `user` or `node`.
        let stated_by: String
        /// The amount; null if the effect has none.
        let amount: String?
    }

    struct CallView: Encodable {
        /// The signature of the function: `transfer(address,uint256)`.
        let function: String
        let arguments: JSONView
    }

    struct Finding: Encodable {
        let name: String
        let text: String
        /// The weight: `notice`, `costly` or `refusal`.
        let weight: String
    }

    struct Decision: Encodable {
        /// The verdict: `allowed`, `denied`, `not_before` or `needs_approval`.
        let verdict: String
        /// The time in seconds since 1970.
        let not_before: UInt64?
        let missing_approvals: Int?
        let reasons: [String]
    }

    /// The wallet's own name.
    let wallet: String?
    /// The wallet's label on this machine; absent if it has none.
    package var label: String?
    /// The chain: `bitcoin:mainnet` or `ethereum:1`; null for a payload that is bound to no chain.
    package let chain: String?
    let effects: [Effect]
    let highest_fee: String?
    let remarks: [Finding]
    let decision: Decision
    /// The address that signs, or a file's minisign key; null for a Bitcoin transaction.
    let signed_by: String?
    /// The nonce of an Ethereum transaction.
    let nonce: UInt64?
    let gas_limit: UInt64?
    /// The data of an Ethereum transaction in hexadecimal, and the arguments of the called function, if it is known.
    let data: String?
    let call: CallView?
    /// The `domain`, the `primary_type` and the `message` of typed data, exactly as they are signed.
    let typed_data: JSONView?
    /// The digest for `--expect`: it changes if anything that is signed changes.
    package let digest: String
    /// The details of a Bitcoin transaction.
    package let spend: SpendView?
    /// The given approvals that do not count, each with the reason; null if all count.
    package var ignored_approvals: [String]?

    // The exact source of the text.
    private let intent: Intent
    private let details: PayloadDetails
    private let terms: AllowanceTerms
    private let names: PartyNames
    private let units: TokenUnits
    private let summary: SpendSummary?
    /// The names of findings that apply to every transaction that this wallet makes itself; they are not shown.
    private let usual: Set<String>

    enum CodingKeys: String, CodingKey {
        case wallet, label, chain, effects, highest_fee, remarks, decision, signed_by, nonce, gas_limit, data, call,
            typed_data, digest, spend,
            ignored_approvals
    }

    /// - Parameters:
    ///   - names: the names of the wallet's contacts, if its book is open.
    ///   - isPlannedHere: whether this wallet made the payload, with data from a node.
    package init(
        _ intent: Intent, _ decision: Wallet.Decision, of work: SigningWork, accounts: Accounts, wallet: WalletName?,
        names: PartyNames = .none, units: TokenUnits = .listed, isPlannedHere: Bool = false
    ) {
        self.intent = intent
        self.names = names
        self.units = units
        summary = work.spend
        terms = AllowanceTerms(work.payload)
        // Replaceability does not harm the payer. The present height as a lock time hides when the transaction was
        // made.
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
        effects = intent.effects.map { Effect($0, on: intent.chain, names: names, units: units) }
        highest_fee = intent.highestFee?.description
        remarks = intent.findings.map(Finding.init)
        self.decision = Decision(decision)
        digest = Hex.encode(intent.digest)
        spend = work.spend.map { SpendView($0, intent, wallet: wallet, names: names) }
    }

    package init(
        _ proposed: ProposedPayload, of wallet: WalletRecord, names: PartyNames
    ) throws(CustodyError) {
        self.init(
            proposed.intent, proposed.decision, of: proposed.work, accounts: try wallet.accounts, wallet: wallet.name,
            names: names)
    }

    /// - Parameter units: the units of the paid tokens.
    package init(
        _ proposal: ProposedSigning, of wallet: WalletRecord, names: PartyNames, units: TokenUnits
    ) throws(CustodyError) {
        self.init(
            proposal.intent, proposal.decision, of: proposal.work, accounts: try wallet.accounts, wallet: wallet.name,
            names: names, units: units, isPlannedHere: proposal.isPlannedHere)
    }

    /// The parts of the review that are shown beside the effects.
    package enum Telling {
        case all
        /// Omits refusals and the policy's verdict: an error reports them at the end.
        case withoutRefusals
        /// Omits costly findings: an error reports them at the end.
        case withoutCosts
    }

    /// Returns the whole review for the person who decides.
    ///
    /// - Parameter width: the width of a line.
    package func text(_ telling: Telling = .all, in width: Columns) -> StyledText {
        let (columns, foreign) = (width.sentences, width.foreign)
        let review = Review(intent, spend: summary, terms: terms, names: names, units: units, columns: columns)
        let place = intent.chain.map { "on \($0.name)" } ?? "bound to no chain"
        let title = wallet.map { WalletTitle.text($0, label) }
        let identity =
            [["wallet", [title, place].compactMap(\.self).joined(separator: ", ")]]
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
        // The policy repeats the reason for a refusal that applies to every wallet.
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

    /// Returns the whole review for an approver, who compares the wallet's first addresses with those known to the
    /// approver.
    package func text(of wallet: WalletName, with addresses: [String], in width: Columns) -> StyledText {
        text(in: width)
            + StyledText(
                "\n\nThe wallet calls itself '\(wallet)'. Its first addresses:\n"
                    + addresses.flatMap { Review.groups($0, inLine: 8) }.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// One short line for each effect.
    var effectLines: [String] {
        intent.effects.map { EffectLine($0, on: intent.chain, names: names, units: units).text }
    }

    /// Returns a line whose continuation is indented: it may contain text from others.
    private static func line(
        _ name: String, _ text: String, _ style: StyledText.Style, _ columns: Int
    ) -> StyledText {
        StyledText(Wrapped.text("\(name): \(text)", columns: columns), style)
    }

    /// The names of findings that are not warnings.
    private static let notes: Set<String> = ["replaces", "further_fee", "unknown_chain"]
}

extension IntentView.Finding {
    package init(_ finding: Wallet.Finding) {
        self.init(name: finding.name, text: finding.text, weight: finding.weight.name)
    }
}

extension Finding.Weight {
    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .notice: "notice"
        case .costly: "costly"
        case .refusal: "refusal"
        }
    }
}

extension IntentView.Decision {
    package init(_ decision: Wallet.Decision) {
        switch decision.verdict {
        case .allowed: (verdict, not_before, missing_approvals) = ("allowed", nil, nil)
        case .notBefore(let time): (verdict, not_before, missing_approvals) = ("not_before", time, nil)
        case .needsApproval(let missing): (verdict, not_before, missing_approvals) = ("needs_approval", nil, missing)
        case .denied: (verdict, not_before, missing_approvals) = ("denied", nil, nil)
        }
        reasons = decision.findings.filter { $0.verdict != .allowed }.flatMap { finding in
            [(finding.rule.map { "'\($0)': " } ?? "") + finding.reason]
                + finding.limits.map { "'\($0.rule)' does not allow it: \($0.reason)" }
        }
    }
}

extension IntentView.Effect {
    package init(_ effect: Effect, on chain: Chain?, names: PartyNames, units: TokenUnits = .listed) {
        self.effect = effect.kind.rawValue
        asset = effect.asset?.name
        token = units[effect.asset, on: chain].map { IntentView.Token($0, effect.amount) }
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
            case .message(let text), .statement(let text, _), .file(_, let text): text.text
            case .call(_, let selector): "0x" + Hex.encode(selector)
            case .data(let script): script.data?.description
            case .control(_, _, let isGiven): isGiven ? "given" : "taken back"
            default: nil
            }
        let file: FileDigest? = if case .file(let digest, _) = effect { digest } else { nil }
        (blake2b, size) = (file.map { Hex.encode($0.blake2b) }, file?.size)
    }
}

extension Asset {
    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .coin: "coin"
        case .token(let contract), .tokenOrItem(let contract): contract.description
        case .item(let contract, let id): "\(contract)#\(id)"
        }
    }
}

extension IntentView.Token {
    fileprivate init(_ unit: TokenUnit, _ amount: UInt256?) {
        symbol = unit.symbol?.description
        decimals = unit.decimals.count
        stated_by =
            switch unit.source {
            case .list: "list"
            case .user: "user"
            case .node: "node"
            }
        self.amount = amount.map { DecimalText.short($0, unit.decimals) }
    }
}
