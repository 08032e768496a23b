internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import SQLStore

/// The security events of an account, for its owner.
struct SecurityEventHistory: Sendable {
    let database: any Database
    let sealer: ColumnSealer

    /// Returns a page of the events of the caller's account, newest first.
    ///
    /// - Parameters:
    ///   - before: the last event of the previous page; nil for the first page.
    ///   - limit: the highest number of events.
    func page(of caller: Caller, before: SecurityEventID?, limit: Int) async throws -> SecurityEventsPage {
        let account = caller.account
        return try await database.read { transaction in
            let mark =
                try before.map { try SecurityEvents.mark($0.bytes, of: account, in: transaction) } ?? .newest
            let rows =
                try mark.map {
                    // The query asks for one event more than the page shows: it tells whether more pages follow.
                    try SecurityEvents.page(of: account, after: $0, limit: limit + 1, sealer: sealer, in: transaction)
                } ?? []
            var names = DeviceNames(account: account, sealer: sealer)
            let events = try rows.prefix(limit).map { try view(of: $0, names: &names, in: transaction) }
            return SecurityEventsPage(events: events, next: rows.count > limit ? events.last?.id : nil)
        }
    }

    private func view(
        of row: SecurityEventRow, names: inout DeviceNames, in transaction: any Transaction
    ) throws -> SecurityEventView {
        guard let id = SecurityEventID(bytes: row.id) else { throw Problem(.internalError) }
        let details = row.details.flatMap { try? JSON(decoding: $0) }
        var device = details?["device_id"]?.string.flatMap { try? DeviceID($0) }
        if device == nil, let session = details?["session_id"]?.string.flatMap({ try? SessionID($0) }) {
            device = try Sessions.find(session, in: transaction)?.device
        }
        return SecurityEventView(
            id: id, kind: row.kind, at: row.at, address: details?["address"]?.string, device: device,
            deviceName: try device.flatMap { try names.name(of: $0, in: transaction) }
                ?? details?["device_name"]?.string,
            reason: details?["reason"]?.string)
    }
}

/// The names of the devices of a page of events, each looked up once.
private struct DeviceNames {
    let account: AccountID
    let sealer: ColumnSealer
    private var known: [DeviceID: String?] = [:]

    init(account: AccountID, sealer: ColumnSealer) {
        self.account = account
        self.sealer = sealer
    }

    /// Returns the name of a device; nil for a device that was removed.
    mutating func name(of id: DeviceID, in transaction: any Transaction) throws(StoreError) -> String? {
        if let name = known[id] { return name }
        let device = try Devices.find(id, sealer: sealer, in: transaction)
        let name = device?.account == account ? device?.name : nil
        known[id] = .some(name)
        return name
    }
}
