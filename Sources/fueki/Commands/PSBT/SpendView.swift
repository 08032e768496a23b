internal import Bitcoin
internal import Custody
internal import DisplayText
internal import Encoding
internal import HDKeys
internal import Terminal
internal import Wallet

/// What a transaction does, as it is shown. Amounts are in satoshi, as decimal text.
struct SpendView: Encodable {
    struct Input: Encodable {
        let outpoint: String
        let amount: String?
        let address: String?
        let ours: Bool
        let path: String?
        let signed: Bool
    }

    struct Output: Encodable {
        let amount: String
        let address: String?
        /// What the person calls whoever has it, where the wallet's book is open.
        let name: String?
        let script_pubkey: String
        let ours: Bool
        let path: String?
        /// Whether it is ours and so far that the wallet does not look there: it counts as paid.
        let far: Bool
        /// What it writes into the chain, in hexadecimal; null for an output that pays.
        let data: String?
        /// The same as text, where all of it is plain text.
        let data_text: String?

        /// What it writes, for a person; nil for an output that pays, and for one that writes no bytes.
        var data_shown: SanitizedText? { script.data.flatMap { $0.bytes.isEmpty ? nil : $0.shown } }

        /// How much it writes; nil for an output that pays.
        var data_size: String? { script.data.map(\.size) }

        private var script: ScriptPubKey { ScriptPubKey((try? Hex.decode(script_pubkey)) ?? []) }
    }

    let wallet: String?
    /// `bitcoin:mainnet`.
    let chain: String
    let id: String
    let inputs: [Input]
    let outputs: [Output]
    let fee: String?
    /// In satoshi per virtual byte.
    let fee_rate: Double?
    let virtual_size: Int
    let spent: String
    let change: String
    let paid: String
    /// What goes to addresses of the wallet that are so far that it does not look there.
    let strayed: String
    let warnings: [String]
    let refusals: [String]
    /// Both with their names: all that signing finds without the wallet's book.
    let remarks: [IntentView.Finding]
    /// What `psbt sign --expect` takes: changes with anything that is signed.
    let digest: String

    /// - Parameters:
    ///   - intent: what signing it does, with all that was found.
    ///   - wallet: nil where it is no wallet's.
    init(_ summary: SpendSummary, _ intent: Intent, wallet: WalletName?, names: PartyNames = .none) {
        self.wallet = wallet?.description
        chain = Chain.bitcoin(summary.network).description
        id = summary.transaction.description
        inputs = summary.inputs.map {
            Input(
                outpoint: $0.outPoint.description, amount: $0.previousOutput.map { "\($0.amount.satoshis)" },
                address: $0.address?.description, ours: $0.path != nil, path: $0.path?.description,
                signed: $0.isSigned)
        }
        outputs = summary.outputs.map {
            Output(
                amount: "\($0.amount.satoshis)", address: $0.address?.description,
                name: names[$0.address.map(Party.bitcoin) ?? .script($0.scriptPubKey)],
                script_pubkey: Hex.encode($0.scriptPubKey.bytes),
                ours: $0.path != nil, path: $0.path?.description, far: $0.isFar,
                data: $0.data.map { Hex.encode($0.bytes) }, data_text: $0.data?.text)
        }
        fee = summary.fee.map { "\($0.satoshis)" }
        fee_rate = summary.feeRate.map { Double($0.satoshisPerKilobyte) / 1_000 }
        virtual_size = summary.virtualSize
        spent = "\(summary.spent.satoshis)"
        change = "\(summary.returned.satoshis)"
        paid = "\(summary.paid.satoshis)"
        strayed = "\(summary.strayed.satoshis)"
        // That nobody's wallet has no input in it is no news.
        let findings = intent.findings.filter { wallet != nil || $0.name != Refusal.noInputOfOurs.name }
        remarks = findings.map(IntentView.Finding.init)
        warnings = findings.filter { $0.weight != .refusal }.map(\.text)
        refusals = findings.filter { $0.weight == .refusal }.map(\.text)
        digest = Hex.encode(summary.intentDigest)
    }

    /// What it does to a wallet, without its book: judged as it is when it is signed.
    init(_ psbt: PSBT, from wallet: WalletRecord) throws(Failure) {
        let work = try attempt { () throws(CustodyError) in try wallet.work(of: .bitcoinTransaction(psbt)) }
        guard let summary = work.spend else { preconditionFailure("a PSBT has a summary") }
        self.init(summary, work.intent.checked(in: .unknown(now: .now)).withoutBook, wallet: wallet.name)
    }

    /// What it does, whosever it is.
    init(_ psbt: PSBT, on network: Network) {
        let summary = SpendSummary(of: psbt, for: .nobody(on: network))
        self.init(summary, Intent(summary).checked(in: .unknown(now: .now)).withoutBook, wallet: nil)
    }
}

extension Intent {
    /// Without the finding that no one has looked whom the wallet has paid before.
    fileprivate var withoutBook: Intent { keeping { $0.name != "first_payment" } }
}
