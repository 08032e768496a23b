/// The constant members of orders that a feed has reported: Kraken tells them once for each order.
struct KnownOrders: Sendable {
    private var reports: [String: OrderReport] = [:]
    /// The ids, the oldest first.
    private var ids: [String] = []

    /// Returns a report with the members that earlier reports about the order have told.
    mutating func complete(_ report: OrderReport) -> OrderReport {
        var report = report
        if let known = reports[report.exchangeID] {
            report.clientID = report.clientID ?? known.clientID
            report.symbol = report.symbol ?? known.symbol
            report.side = report.side ?? known.side
            report.amount = report.amount ?? known.amount
            report.price = report.price ?? known.price
        } else {
            ids.append(report.exchangeID)
            if ids.count > ExchangeLimits.streamOrders { reports[ids.removeFirst()] = nil }
        }
        reports[report.exchangeID] = report
        return report
    }

    /// The number of orders in memory.
    var count: Int { reports.count }
}
