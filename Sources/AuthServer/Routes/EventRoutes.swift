internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import HummingbirdCore
internal import SQLStore

extension Backend {
    func addEventRoutes(to router: Router<AuthContext>) {
        // No fresh sign-in: the owner looks here first when something is odd, and nothing here opens anything.
        router.get("/api/account/events") { request, context in
            let caller = try await caller(request, context)
            return Response.json(try await events(of: caller.account, try EventsQuery(request.uri)).json)
        }
    }

    private func events(of account: AccountID, _ query: EventsQuery) async throws -> SecurityEventsPage {
        try await database.read { transaction in
            // One more than is shown tells whether there are more.
            let limit = query.limit + 1
            let mark =
                try query.before.map { try SecurityEvents.mark($0.bytes, of: account, in: transaction) } ?? .newest
            let rows =
                try mark.map {
                    try SecurityEvents.page(of: account, after: $0, limit: limit, sealer: sealer, in: transaction)
                } ?? []
            var names = DeviceNames(account: account, sealer: sealer)
            let events = try rows.prefix(query.limit).map { try view(of: $0, names: &names, in: transaction) }
            return SecurityEventsPage(events: events, next: rows.count > query.limit ? events.last?.id : nil)
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
            deviceName: try device.flatMap { try names.name(of: $0, in: transaction) },
            reason: details?["reason"]?.string)
    }
}

/// The names of the devices that a page of events tells of, each looked up once.
private struct DeviceNames {
    let account: AccountID
    let sealer: ColumnSealer
    private var known: [DeviceID: String?] = [:]

    init(account: AccountID, sealer: ColumnSealer) {
        self.account = account
        self.sealer = sealer
    }

    /// Nil for a device that is forgotten.
    mutating func name(of id: DeviceID, in transaction: any Transaction) throws(StoreError) -> String? {
        if let name = known[id] { return name }
        let device = try Devices.find(id, sealer: sealer, in: transaction)
        let name = device?.account == account ? device?.name : nil
        known[id] = .some(name)
        return name
    }
}

/// What `limit` and `before` say, each at most once. Other parameters are ignored.
private struct EventsQuery {
    let limit: Int
    let before: SecurityEventID?

    init(_ uri: URI) throws(Problem) {
        var limit: Int?
        var before: SecurityEventID?
        for (name, value) in uri.queryParameters {
            switch name {
            case "limit":
                // Digits only: `Int` takes a sign as well.
                guard limit == nil, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let number = Int(value), AuthLimits.eventsAtOnce.contains(number)
                else { throw Problem(.malformedRequest) }
                limit = number
            case "before":
                guard before == nil, let id = try? SecurityEventID(String(value)) else {
                    throw Problem(.malformedRequest)
                }
                before = id
            default: continue
            }
        }
        self.limit = limit ?? AuthLimits.usualEventsAtOnce
        self.before = before
    }
}
