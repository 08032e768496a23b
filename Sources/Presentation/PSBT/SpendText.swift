package import Custody
internal import DisplayText
internal import ErrorTexts
internal import Texts

/// The text of a transaction that a person reads before signing: inputs, outputs, fee and findings.
extension SpendView {
    /// Returns the text of the whole transaction.
    ///
    /// - Parameters:
    ///   - columns: the width of the terminal, for rows of foreign text.
    ///   - unit: the unit of amounts.
    package func text(columns: Int, unit: BitcoinUnit = .btc) -> String {
        let title =
            wallet.map { "Wallet \($0), on \(chain)" } ?? "None of your wallets is in it; shown as on \(chain)"
        let flows = body(own: "this wallet", others: "others", columns: columns, unit: unit)
        return ([title, "", flows, "", identity] + findings).joined(separator: "\n")
    }

    /// Returns the inputs, the outputs and the sums.
    ///
    /// - Parameters:
    ///   - own: the name for the owner of the addresses that are derived here.
    ///   - others: the name for all other owners.
    ///   - columns: the width of the terminal, for rows of foreign text.
    ///   - unit: the unit of amounts.
    package func body(own: String, others: String, columns: Int, unit: BitcoinUnit) -> String {
        func owner(_ path: String?) -> String { path.map { "\(own), \($0)" } ?? others }
        return flows(owner, columns, unit) + "\n\n" + totals(own: own, others: others, unit)
    }

    /// Returns a row for each input and output. The data that an output writes follows in rows of its own.
    private func flows(_ owner: (String?) -> String, _ columns: Int, _ unit: BitcoinUnit) -> String {
        func bitcoin(_ satoshis: String?) -> String { Self.amount(satoshis, unit) }
        let rows =
            inputs.map { ["  in", bitcoin($0.amount), owner($0.path), $0.address ?? $0.outpoint] }
            + outputs.map {
                let script = $0.data_size.map { "writes \($0)" } ?? "script \($0.script_pubkey)"
                let party = ($0.address ?? script) + ($0.name.map { " (\($0))" } ?? "")
                return ["  out", bitcoin($0.amount), owner($0.path), party]
            }
        let data = outputs.compactMap(\.data_shown).flatMap { TextBlock($0, columns: columns).rows }
        return ([Table(rows, alignedRight: [1]).text] + data).joined(separator: "\n")
    }

    private func totals(own: String, others: String, _ unit: BitcoinUnit) -> String {
        func bitcoin(_ satoshis: String?) -> String { Self.amount(satoshis, unit) }
        var rows = [
            ["paid to \(others)", bitcoin(paid)], ["fee", bitcoin(fee)] + (fee_rate.map { ["(\($0) sat/vB)"] } ?? []),
        ]
        if strayed != "0" { rows.append(["to far addresses of \(own)", bitcoin(strayed)]) }
        if wallet != nil { rows.append([spent == "0" ? "to \(own)" : "back to \(own)", bitcoin(change)]) }
        return Table(rows, alignedRight: [1]).text
    }

    private var identity: String { Table([["transaction", id], ["digest", digest]]).text }

    private var findings: [String] {
        let lines = warnings.map { "warning: \($0)" } + refusals.map { "will not be signed: \($0)" }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// Returns the amount with all decimals and the unit.
    private static func amount(_ satoshis: String?, _ unit: BitcoinUnit) -> String {
        satoshis.map(unit.full(decimal:)) ?? "unknown"
    }
}
