internal import Amounts
internal import Bitcoin
package import Custody
internal import Encoding
internal import ErrorTexts
internal import Ethereum
package import HDKeys
package import PaymentHistory
package import Texts
package import Wallet
package import WalletBooks

/// The history of a wallet: signed payments and received payments.
package struct HistoryView {
    package struct Entry: Encodable {
        /// An output that pays to the wallet.
        struct Output: Encodable {
            let address: String
            /// The amount in satoshi.
            let amount: String
            /// The derivation path: `m/0/5`.
            let path: String
        }

        /// `sent`, `received`, or `elsewhere`: signed with the wallet's shares on another machine.
        let direction: String
        /// The time of signing; for a received payment the time of its block, null while it is unconfirmed.
        let time: String?
        /// The chain: `bitcoin:mainnet` or `ethereum:1`; null for a signature that is bound to no chain.
        let chain: String?
        /// The state: `reserved`, `failed`, `signed`, `unanswered`, `sent`, `mined` or `replaced`; for a received
        /// payment `waiting` or `mined`.
        let state: String
        /// The height of the block; null if the entry is not mined.
        var height: UInt64?
        /// The number of confirmations, if a node was asked now.
        var confirmations: UInt64?
        /// The transaction's identifier or hash.
        let id: String?
        /// The identifier or hash of the transaction that replaced this one, or is about to.
        var replaced_by: String?
        var effects: [IntentView.Effect] = []
        /// The highest fee in the smallest unit.
        var highest_fee: String?
        var digest: String?
        /// The key of the order to which this attempt belongs.
        var once: String?
        /// Whether the entry came from another machine ('fueki book import'). No limit counts it.
        let imported: Bool
        /// The amount in satoshi that `outputs` received; null for a sent payment.
        var amount: String?
        var outputs: [Output]?
        /// The amount in satoshi of the wallet's coins that a transaction signed elsewhere spent, as far as they were
        /// found; null if none was found.
        var spent: String?
    }

    /// The entries for programs, oldest first.
    package let entries: [Entry]
    /// The number of older entries that the range leaves out.
    package let leftOut: Int
    private let rows: [HistoryRow]
    private let empty: String

    /// - Parameters:
    ///   - history: the entries to show.
    ///   - whole: the book's whole history, in which replacements are searched.
    ///   - archive: the entries from other machines.
    ///   - received: the payments that a Bitcoin node reported, of which those that the book has signed are left out;
    ///     nil if no node was asked.
    ///   - network: the wallet's network.
    ///   - newest: the heights of the newest blocks of the chains whose nodes were asked.
    ///   - unit: the unit of Bitcoin amounts.
    ///   - range: the part of the entries that is shown. A payment that waits for a block is newer than all others; a
    ///     received one whose block's time was not asked for is older.
    ///   - time: the time zone of the person.
    init(
        _ history: [HistoryEntry], of whole: [HistoryEntry], archive: [ArchivedEntry] = [], contacts: [Contact],
        received: [PaymentRecord]? = nil, network: Network = .mainnet, newest: [Chain: UInt64] = [:],
        unit: BitcoinUnit = .btc, range: HistoryRange = .whole, time: LocalTime
    ) {
        empty =
            received == nil
            ? "nothing was signed on this machine"
            : "nothing was signed on this machine, and the node shows no payment to it"
        let names = PartyNames(contacts)
        let all =
            archive.map { HistoryRow($0, names: names, unit: unit, time: time) }
            + history.map { HistoryRow($0, in: whole, names: names, newest: newest, unit: unit, time: time) }
            + (received ?? []).foreign.compactMap { HistoryRow($0, on: network, unit: unit, time: time) }
        let order = HistoryOrder(archive, history, (received ?? []).foreign)
        let sorted = zip(all, order.places).sorted { $0.1 < $1.1 }
        leftOut = range.start(in: sorted.map(\.1.seconds))
        rows = sorted.dropFirst(leftOut).map(\.0)
        entries = rows.map(\.entry)
    }

    /// Shows a selection of the book's whole history.
    package init(
        _ selection: HistorySelection, of whole: [HistoryEntry], contacts: [Contact], network: Network,
        newest: [Chain: UInt64], unit: BitcoinUnit, range: HistoryRange, time: LocalTime
    ) {
        self.init(
            selection.entries, of: whole, archive: selection.archive, contacts: contacts, received: selection.received,
            network: network, newest: newest, unit: unit, range: range, time: time)
    }

    /// The list for a person, newest first.
    package func text(in width: Columns) -> StyledText {
        guard leftOut > 0 || !rows.isEmpty else { return StyledText(empty) }
        let older = "\(leftOut) older \(leftOut == 1 ? "entry is" : "entries are") left out"
        return StyledText(
            lines: rows.reversed().map { $0.text(columns: width.sentences) }
                + (leftOut == 0 ? [] : [StyledText(older, .faint)]))
    }

    /// One entry with all its details.
    package func details(in width: Columns) -> StyledText {
        StyledText(lines: rows.map { $0.details(columns: width.sentences) })
    }

    /// Explains which payments a Bitcoin node does not list, one sentence for each reason.
    package static func notes(on history: BitcoinHistory) -> [String] {
        notes(listsSpent: history.listsSpent, unseen: history.unseen, crowded: history.crowded)
    }

    static func notes(listsSpent: Bool, unseen: Int, crowded: [Address<Checked>]) -> [String] {
        var notes: [String] = []
        if !listsSpent {
            notes.append(
                "Bitcoin Core keeps no record of spent coins: a payment that another machine has spent is not listed. An "
                    + "explorer lists it (--esplora)")
        }
        if unseen > 0 {
            notes.append(
                "\(unseen) payment\(unseen == 1 ? "" : "s") to this wallet "
                    + "\(unseen == 1 ? "is" : "are") not listed: the node does not show the transactions, or they "
                    + "are too many")
        }
        if let first = crowded.first {
            let others = crowded.count - 1
            notes.append(
                "older payments to \(first)"
                    + (others == 0 ? "" : " and \(others) other address\(others == 1 ? "" : "es")")
                    + " may be missing: the node lists more transactions than are read")
        }
        return notes
    }

    /// Lists the entries whose identifiers begin with the text, if there are several.
    package static func ambiguous(
        _ text: String, _ found: [HistoryEntry], contacts: [Contact], received: [PaymentRecord] = []
    ) -> Failure {
        let names = PartyNames(contacts)
        let list =
            found.map { entry in
                let name = entry.id ?? Encoding.Hex.encode(entry.digest)
                let effects = entry.effects.map { EffectLine($0, on: entry.chain, names: names).text }
                return "\(HistoryRow.short(name, 16)) (\(effects.joined(separator: ", ")))"
            } + received.map { "\(HistoryRow.short($0.id.description, 16)) (received)" }
        return Failure(
            code: .usage, name: "ambiguous_id",
            message: "'\(text)' is the beginning of \(list.count) ids: \(list.joined(separator: "; "))",
            hint: "give more digits")
    }

    /// Reports that no entry has this identifier.
    package static func unknown(_ text: String) -> Failure {
        Failure(
            code: .usage, name: "no_such_entry", message: "nothing in the wallet's history begins with '\(text)'",
            hint:
                "'fueki history' lists what was signed; give \(ShortID.fewestDigits) digits or more of an id or a digest"
        )
    }
}

/// One entry of the history in words.
struct HistoryRow {
    let entry: HistoryView.Entry
    /// The time in seconds since 1970; nil for an unconfirmed transaction that was not signed here.
    private let seconds: UInt64?
    private let time: LocalTime
    private let lines: [String]
    private let style: StyledText.Style
    private let state: String
    private let fee: String?
    private let replacement: String?

    init(
        _ entry: HistoryEntry, in history: [HistoryEntry], names: PartyNames, newest: [Chain: UInt64],
        unit: BitcoinUnit, time: LocalTime
    ) {
        let successor = entry.successor(in: history)
        let confirmations = entry.state.height.flatMap { height in
            entry.chain.flatMap { newest[$0] }.flatMap { $0 >= height ? $0 - height + 1 : nil }
        }
        self.entry = HistoryView.Entry(
            direction: "sent", time: entry.time.timeText, chain: entry.chain?.description, state: entry.state.name,
            height: entry.state.height, confirmations: confirmations, id: entry.id, replaced_by: successor?.id,
            effects: entry.effects.map { IntentView.Effect($0, on: entry.chain, names: names) },
            highest_fee: entry.highestFee?.description, digest: Hex.encode(entry.digest),
            once: entry.order?.key?.text, imported: false)
        seconds = entry.time
        self.time = time
        lines = Self.lines(entry.effects, on: entry.chain, names, unit)
        fee = Self.fee(entry.highestFee, on: entry.chain, unit)
        let isNew = successor != nil && entry.state != .replaced
        state = Self.words(entry.state, confirmations) + (isNew ? ", replaced" : "")
        style = entry.state.style
        replacement = successor.flatMap { successor in
            successor.id.map { id in
                successor.isMined ? "\(Self.short(id)) is mined in its place" : "replaced by \(Self.short(id))"
            }
        }
    }

    /// Creates the row of an entry from another machine.
    init(_ entry: ArchivedEntry, names: PartyNames, unit: BitcoinUnit, time: LocalTime) {
        self.entry = HistoryView.Entry(
            direction: "sent", time: entry.time.timeText, chain: entry.chain?.description, state: entry.state.name,
            height: entry.state.height, id: entry.id,
            effects: entry.effects.map { IntentView.Effect($0, on: entry.chain, names: names) },
            highest_fee: entry.highestFee?.description, digest: Hex.encode(entry.digest), imported: true)
        seconds = entry.time
        self.time = time
        lines = Self.lines(entry.effects, on: entry.chain, names, unit)
        fee = Self.fee(entry.highestFee, on: entry.chain, unit)
        state = "\(entry.state.name), imported"
        style = .faint
        replacement = nil
    }

    /// Creates the row of a payment that a node reported; nil for one that the book has signed, which has its own row.
    init?(_ record: PaymentRecord, on network: Network, unit: BitcoinUnit, time: LocalTime) {
        let (direction, words): (String, String)
        let (received, spent): (Amount, Amount?)
        switch record.kind {
        case .own: return nil
        case .incoming(let amount): (direction, words, received, spent) = ("received", "received", amount, nil)
        case .elsewhere(let gone, let back):
            // A sum of zero means that the coins were not found.
            (direction, words, received, spent) =
                ("elsewhere", "signed on another machine", back, gone == .zero ? nil : gone)
        }
        let isMined = record.height != nil
        entry = HistoryView.Entry(
            direction: direction, time: record.time?.timeText, chain: Chain.bitcoin(network).description,
            state: isMined ? "mined" : "waiting", height: record.height.map { UInt64($0) },
            confirmations: UInt64(record.confirmations), id: record.id.description, imported: false,
            amount: "\(received.satoshis)",
            outputs: record.receipts.map {
                .init(address: $0.address.description, amount: "\($0.amount.satoshis)", path: $0.path.description)
            }, spent: spent.map { "\($0.satoshis)" })
        seconds = record.time
        self.time = time
        let sums = spent.map { ["spent \(unit.full(UInt256($0.satoshis))), of which came back:"] } ?? []
        lines =
            sums
            + record.receipts.map {
                "\(unit.full(UInt256($0.amount.satoshis))) at \($0.address) (\($0.path))"
            }
        state = "\(words), \(isMined ? Self.count(UInt64(record.confirmations)) : "waits for a block")"
        style = isMined ? .success : .plain
        (fee, replacement) = (nil, nil)
    }

    /// Returns `2026-11-25 10:14  3f2a9c01  mined, 3 confirmations`, and the effects below.
    func text(columns: Int) -> StyledText {
        let name = Self.short(entry.id ?? entry.digest ?? "")
        let when = seconds.map(time.text) ?? entry.height.map { "block \($0)" } ?? Self.noTime
        // On a narrow terminal the state has a line of its own.
        let isWide = when.count + name.count + state.count + 4 < columns
        let head =
            isWide
            ? [StyledText("\(when)  \(name)  ", .faint) + StyledText(state, style)]
            : [StyledText("\(when)  \(name)", .faint), Self.indented(state, columns, style)]
        let notes = [fee.map { "fee \($0)" }, entry.once.map { "once \($0)" }, replacement].compactMap(\.self)
        return StyledText(
            lines: head + lines.map { Self.body($0, columns) }
                + (notes.isEmpty ? [] : [Self.indented(notes.joined(separator: ", "), columns, .faint)]))
    }

    func details(columns: Int) -> StyledText {
        let rows: [LabelledRows.Row?] = [
            .init("what", lines, .strong), .init("state", [state], style), fee.map { .init("fee", [$0]) },
            seconds.map { .init("when", [time.fullText($0)]) }, entry.height.map { .init("block", ["\($0)"]) },
            entry.id.map { .init("id", [$0]) }, entry.digest.map { .init("digest", [$0], .faint) },
            entry.once.map { .init("once", [$0]) }, entry.replaced_by.map { .init("replaced by", [$0]) },
        ]
        return LabelledRows(rows.compactMap(\.self)).text(columns: columns)
    }

    /// A placeholder with the width of a time.
    private static let noTime = "now             "

    /// Returns a prefix of an identifier that `speed-up`, `cancel`, `pending` and `history` accept.
    static func short(_ id: String, _ digits: Int = 8) -> String {
        let prefix = id.hasPrefix("0x") ? "0x" : ""
        return prefix + id.dropFirst(prefix.count).prefix(digits)
    }

    private static func indented(_ text: String, _ columns: Int, _ style: StyledText.Style) -> StyledText {
        StyledText("  " + Wrapped.text(text, columns: columns - 2).replacing("\n", with: "\n  "), style)
    }

    /// Returns an effect. An address that does not fit into a line is shown in groups of four, as in a review: a break
    /// at any other place could hide a difference.
    private static func body(_ line: String, _ columns: Int) -> StyledText {
        let room = columns - 3 - indent.count
        func isLong(_ word: Substring) -> Bool {
            word.count > room && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        // A quoted message is shown as it is.
        let words = line.split(separator: " ")
        guard words.contains(where: isLong), !line.contains("\"") else { return indented(line, columns, .plain) }
        var (rows, text) = ([String](), [Substring]())
        func sentence() -> [String] { Wrapped.lines(text.joined(separator: " "), room: room) }
        for word in words {
            guard isLong(word) else {
                text.append(word)
                continue
            }
            // A group takes five columns, and `0x` two.
            rows += sentence() + Review.groups(String(word), inLine: max((room - 2) / 5, 1))
            text = []
        }
        rows += sentence()
        let lines = rows.enumerated().map { StyledText("  " + ($0 == 0 ? "" : indent) + $1) }
        return StyledText(lines: lines)
    }

    private static let indent = "    "

    private static func words(_ state: HistoryEntry.State, _ confirmations: UInt64?) -> String {
        switch (state, confirmations) {
        case (.mined, let count?), (.settled, let count?):
            "mined, \(Self.count(count))"
        case (.mined(let height), nil), (.settled(let height), nil): "mined in block \(height)"
        default: state.name
        }
    }

    private static func count(_ confirmations: UInt64) -> String {
        confirmations == 1 ? "1 confirmation" : "\(confirmations) confirmations"
    }

    private static func lines(
        _ effects: [Effect], on chain: Chain?, _ names: PartyNames, _ unit: BitcoinUnit
    ) -> [String] {
        effects.map { effect in
            let place: String
            // A Bitcoin entry is on the wallet's own network.
            if case .ethereum(let id)? = chain { place = " on \(id.name ?? id.description)" } else { place = "" }
            return EffectLine(effect, on: chain, names: names, units: TokenUnits(bitcoin: unit)).text + place
        }
    }

    private static func fee(_ fee: UInt256?, on chain: Chain?, _ unit: BitcoinUnit) -> String? {
        guard let fee, let chain else { return nil }
        return switch chain.currency {
        case .bitcoin: unit.full(fee)
        case .ether: "at most \(DecimalText.short(fee, .ether)) \(chain.unit)"
        }
    }
}

extension HistoryEntry {
    /// Returns the replacement: the mined transaction, or else the later signed one that a node has.
    fileprivate func successor(in history: [HistoryEntry]) -> HistoryEntry? {
        guard awaitsBlock || state == .replaced else { return nil }
        return rival(in: history)
            ?? history.last {
                $0.state == .sent && $0.number > number && $0.id != nil && $0.conflicts(with: conflictSet)
            }
    }
}

extension HistoryEntry.State {
    var name: String {
        switch self {
        case .reserved: "reserved"
        case .failed: "failed"
        case .signed: "signed"
        case .unanswered: "unanswered"
        case .sent: "sent"
        case .mined, .settled: "mined"
        case .replaced: "replaced"
        }
    }

    fileprivate var style: StyledText.Style {
        switch self {
        case .mined, .settled: .success
        case .signed, .sent: .plain
        case .reserved, .unanswered: .warning
        case .failed, .replaced: .faint
        }
    }
}
