internal import Custody
internal import Encoding
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
    let warnings: [String]
    let refusals: [String]
    /// What `psbt sign --expect` takes: changes with anything that is signed.
    let digest: String

    init(_ summary: SpendSummary, wallet: WalletName?, names: PartyNames = .none) {
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
                ours: $0.path != nil, path: $0.path?.description)
        }
        fee = summary.fee.map { "\($0.satoshis)" }
        fee_rate = summary.feeRate.map { Double($0.satoshisPerKilobyte) / 1_000 }
        virtual_size = summary.virtualSize
        spent = "\(summary.spent.satoshis)"
        change = "\(summary.returned.satoshis)"
        paid = "\(summary.paid.satoshis)"
        warnings = summary.warnings.map(\.description)
        // That nobody's wallet has no input in it is no news.
        refusals = summary.refusals.filter { wallet != nil || $0 != .noInputOfOurs }.map(\.description)
        digest = Hex.encode(summary.intentDigest)
    }

    /// What it does to a wallet.
    init(_ psbt: PSBT, from wallet: WalletRecord) throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let summary = try attempt { () throws(WalletError) in
            SpendSummary(of: psbt, for: try Ownership(of: accounts))
        }
        self.init(summary, wallet: wallet.name)
    }
}
