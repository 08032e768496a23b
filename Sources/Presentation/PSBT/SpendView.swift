package import Bitcoin
package import Custody
internal import DisplayText
internal import Encoding
package import HDKeys
package import Texts
package import Wallet
package import WalletBooks

/// The view of a Bitcoin transaction. Amounts are in satoshi, as decimal text.
package struct SpendView: Encodable {
    package struct Input: Encodable {
        let outpoint: String
        let amount: String?
        let address: String?
        package let ours: Bool
        let path: String?
        package let signed: Bool
    }

    package struct Output: Encodable {
        let amount: String
        let address: String?
        /// The contact's name, if the wallet's book is open.
        let name: String?
        let script_pubkey: String
        package let ours: Bool
        let path: String?
        /// Whether the address is the wallet's own, but beyond the range that it searches: the output counts as a
        /// payment.
        let far: Bool
        /// The data that the output writes into the chain, in hexadecimal; null for an output that pays.
        let data: String?
        /// The data as text, if all of it is plain text.
        let data_text: String?

        /// The data for a person; nil for an output that pays, and for one that writes no bytes.
        var data_shown: SanitizedText? { script.data.flatMap { $0.bytes.isEmpty ? nil : $0.shown } }

        /// The size of the data; nil for an output that pays.
        var data_size: String? { script.data.map(\.size) }

        private var script: ScriptPubKey { ScriptPubKey((try? Hex.decode(script_pubkey)) ?? []) }
    }

    let wallet: String?
    /// The chain: `bitcoin:mainnet`.
    package let chain: String
    package let id: String
    package let inputs: [Input]
    package let outputs: [Output]
    let fee: String?
    /// The fee rate in satoshi per virtual byte.
    let fee_rate: Double?
    let virtual_size: Int
    let spent: String
    let change: String
    let paid: String
    /// The amount to the wallet's own addresses beyond the range that it searches.
    let strayed: String
    let warnings: [String]
    let refusals: [String]
    /// The warnings and refusals with their names: all that signing finds without the wallet's book.
    let remarks: [IntentView.Finding]
    /// The digest for `psbt sign --expect`: it changes if anything that is signed changes.
    let digest: String

    /// - Parameters:
    ///   - intent: the effects of the signature, with all findings.
    ///   - wallet: the wallet that signs; nil without one.
    package init(_ summary: SpendSummary, _ intent: Intent, wallet: WalletName?, names: PartyNames = .none) {
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
        // Without a wallet, the finding that no input belongs to it is meaningless.
        let findings = intent.findings.filter { wallet != nil || $0.name != Refusal.noInputOfOurs.name }
        remarks = findings.map(IntentView.Finding.init)
        warnings = findings.filter { $0.weight != .refusal }.map(\.text)
        refusals = findings.filter { $0.weight == .refusal }.map(\.text)
        digest = Hex.encode(summary.intentDigest)
    }

    /// Creates the view for a wallet without its book, with the findings that signing would report.
    package init(_ psbt: PSBT, from wallet: WalletRecord, now: UInt64) throws(Failure) {
        let work = try attempt { () throws(CustodyError) in try wallet.work(of: .bitcoinTransaction(psbt)) }
        guard let summary = work.spend else { preconditionFailure("a PSBT has a summary") }
        self.init(summary, work.intent.checked(in: .unknown(now: now)).withoutBook, wallet: wallet.name)
    }

    /// Creates the view without a wallet.
    package init(_ psbt: PSBT, on network: Network, now: UInt64) {
        let summary = SpendSummary(of: psbt, for: .nobody(on: network))
        self.init(summary, Intent(summary).checked(in: .unknown(now: now)).withoutBook, wallet: nil)
    }
}

extension Intent {
    /// The intent without the finding about first payments, which needs the wallet's book.
    fileprivate var withoutBook: Intent { keeping { $0.name != "first_payment" } }
}
