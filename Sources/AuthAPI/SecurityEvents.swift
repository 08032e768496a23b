public import Encoding

/// Something that happened to an account, as its owner sees it.
public struct SecurityEventView: Equatable, Sendable {
    public let id: SecurityEventID
    /// The server's word for it: `signed_in`, `passkey_added`, … The words are stable; a newer server may know more.
    public let kind: String
    /// When it happened.
    public let at: Timestamp
    /// Where the request came from: an address of IPv4, or the first 64 bits of one of IPv6. Nil if it came from the
    /// server itself.
    public let address: String?
    /// The device that it was about, or whose session asked for it.
    public let device: DeviceID?
    /// Nil if the device is forgotten.
    public let deviceName: String?
    /// A word that says more: why, which format.
    public let reason: String?

    /// Creates an event as the owner of the account sees it.
    public init(
        id: SecurityEventID, kind: String, at: Timestamp, address: String? = nil, device: DeviceID? = nil,
        deviceName: String? = nil, reason: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.at = at
        self.address = address
        self.device = device
        self.deviceName = deviceName
        self.reason = reason
    }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        let members = try Members(json)
        id = try members.identifier("event_id")
        kind = try members.text("kind", characters: 1...64)
        at = try members.time("at")
        address = try members.optionalText("address", characters: 1...64)
        device = try members.optional("device_id") { _ throws(Problem) in try members.identifier("device_id") }
        deviceName = try members.optionalText("device_name", characters: AuthLimits.nameCharacters)
        reason = try members.optionalText("reason", characters: 1...64)
    }

    /// As it is sent.
    public var json: JSON {
        .object(with: [
            "event_id": JSON(id), "kind": .string(kind), "at": JSON(at), "address": address.map(JSON.string),
            "device_id": device.map { JSON($0) }, "device_name": deviceName.map(JSON.string),
            "reason": reason.map(JSON.string),
        ])
    }
}

/// `GET /api/account/events`: some events of an account, the newest first.
public struct SecurityEventsPage: Equatable, Sendable {
    /// The events, the newest first.
    public let events: [SecurityEventView]
    /// What to ask for as `before` to get the next page; nil if there are no older events.
    public let next: SecurityEventID?

    /// Creates a page.
    public init(events: [SecurityEventView], next: SecurityEventID?) {
        self.events = events
        self.next = next
    }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        let members = try Members(json)
        events = try members.list("events") { value throws(Problem) in try SecurityEventView(value) }
        next = try members.optional("next") { _ throws(Problem) in try members.identifier("next") }
    }

    /// As it is sent.
    public var json: JSON {
        .object(with: ["events": .array(events.map(\.json)), "next": next.map { JSON($0) }])
    }
}
