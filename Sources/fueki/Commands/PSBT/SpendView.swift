internal import Custody
internal import Encoding
internal import Wallet

/// What a transaction does, as it is shown. Amounts are in satoshi for programs, in BTC for people.
struct SpendView: Encodable {
    struct Input: Encodable {
        let outpoint: String
        let amount: UInt64?
        let address: String?
        let ours: Bool
        let path: String?
        let signed: Bool
    }

    struct Output: Encodable {
        let amount: UInt64
        let address: String?
        let script_pubkey: String
        let ours: Bool
        let path: String?
    }

    let wallet: String?
    let network: String
    let txid: String
    let inputs: [Input]
    let outputs: [Output]
    let fee: UInt64?
    let fee_rate: String?
    let virtual_size: Int
    let spent: UInt64
    let change: UInt64
    let paid: UInt64
    let warnings: [String]
    let refusals: [String]
    /// What `psbt sign --expect` takes: changes with anything that is signed.
    let digest: String

    init(_ summary: SpendSummary, wallet: WalletName?) {
        self.wallet = wallet?.description
        network = summary.network.name
        txid = summary.transaction.description
        inputs = summary.inputs.map {
            Input(
                outpoint: $0.outPoint.description, amount: $0.previousOutput?.amount.satoshis,
                address: $0.address?.description, ours: $0.path != nil, path: $0.path?.description,
                signed: $0.isSigned)
        }
        outputs = summary.outputs.map {
            Output(
                amount: $0.amount.satoshis, address: $0.address?.description,
                script_pubkey: Hex.encode($0.scriptPubKey.bytes), ours: $0.path != nil, path: $0.path?.description)
        }
        fee = summary.fee?.satoshis
        fee_rate = summary.feeRate?.description
        virtual_size = summary.virtualSize
        spent = summary.spent.satoshis
        change = summary.returned.satoshis
        paid = summary.paid.satoshis
        warnings = summary.warnings.map(\.description)
        refusals = summary.refusals.map(\.description)
        digest = Hex.encode(summary.intentDigest)
    }

    var text: String {
        var lines: [String] = []
        lines.append(
            wallet.map { "From wallet \($0), on \(network)" } ?? "From no wallet of yours; shown for \(network)")
        lines.append("")
        lines.append("takes")
        lines += Table(
            inputs.map { ["  ", bitcoin($0.amount), $0.ours ? "yours" : "foreign", $0.address ?? $0.outpoint] }
        ).text.split(separator: "\n").map(String.init)
        lines.append("gives")
        lines += Table(
            outputs.map {
                [
                    "  ", bitcoin($0.amount), $0.ours ? "yours, \($0.path ?? "")" : "to others",
                    $0.address ?? $0.script_pubkey,
                ]
            }
        ).text.split(separator: "\n").map(String.init)
        lines.append("")
        lines.append("leaves you   \(bitcoin(paid))  to others")
        lines.append("fee          \(bitcoin(fee))\(fee_rate.map { ", \($0)" } ?? "")")
        lines.append("comes back   \(bitcoin(change))")
        lines.append("transaction  \(txid)")
        lines.append("digest       \(digest)")
        lines += warnings.map { "warning: \($0)" }
        lines += refusals.map { "will not be signed: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// Eight decimals and the unit, by integer arithmetic.
    private func bitcoin(_ satoshis: UInt64?) -> String {
        guard let satoshis else { return "unknown" }
        let fraction = String(satoshis % 100_000_000)
        return "\(satoshis / 100_000_000)." + String(repeating: "0", count: 8 - fraction.count) + fraction + " BTC"
    }
}
