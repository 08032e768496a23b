internal import Encoding
internal import ExchangeCredentials
internal import Time

/// The entries of Kraken's channel `executions`. A report about a change has the changed members only.
enum KrakenReport {
    static func read(_ json: JSON) -> OrderReport? {
        guard let id = json["order_id"]?.string, ListedOrder.isID(id), let event = json["exec_type"]?.string else {
            return nil
        }
        let isTrade = event == "trade"
        do throws(StreamWire.Unreadable) {
            return OrderReport(
                exchangeID: id,
                // A name of another form is that of another program.
                clientID: json["cl_ord_id"]?.string.flatMap { try? ClientOrderID($0) },
                symbol: try StreamWire.optional(json["symbol"], symbol),
                side: try StreamWire.optional(json["side"], KrakenDialect.side),
                amount: try StreamWire.optional(json["order_qty"], quantity),
                price: try StreamWire.optional(json["limit_price"], quantity).flatMap { $0.isZero ? nil : $0 },
                status: status(json["order_status"]?.string ?? event),
                filled: try StreamWire.optional(json["cum_qty"], quantity),
                tradePrice: isTrade ? try StreamWire.optional(json["last_price"], quantity) : nil,
                tradeAmount: isTrade ? try StreamWire.optional(json["last_qty"], quantity) : nil,
                time: try StreamWire.optional(json["timestamp"], moment))
        } catch { return nil }
    }

    static func symbol(_ json: JSON) -> TradingSymbol? { json.string.flatMap { try? TradingSymbol($0, on: .kraken) } }

    /// Reads a time with or without a fraction: `2023-09-22T10:33:05.709950Z`.
    static func moment(_ json: JSON) -> Timestamp? {
        guard let text = json.string, text.utf8.count <= 40, text.hasSuffix("Z") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = CivilTime.seconds("\(parts[0])Z") else { return nil }
        var milliseconds: UInt64 = 0
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].unicodeScalars.allSatisfy(InputCheck.isDigit),
                let read = UInt64((parts[1] + "000").prefix(3))
            else { return nil }
            milliseconds = read
        }
        return Timestamp(told: seconds * 1_000 + milliseconds)
    }

    private static func quantity(_ json: JSON) -> Quantity? { json.number.flatMap(Quantity.init(number:)) }

    private static func status(_ text: String) -> OrderReport.Status {
        switch text {
        // The report of a trade calls even the last one a part; another report tells the end.
        case "pending_new", "new": .open
        case "partially_filled": .partlyFilled
        case "filled": .filled
        case "canceled": .cancelled
        case "expired": .expired
        case "rejected": .rejected
        default: .other
        }
    }
}
