public import Encoding
public import Time

/// A security event, as the owner of the account sees it.
public struct SecurityEventView: Equatable, Sendable {
    public let id: SecurityEventID
    /// The server's name of its kind: `signed_in`, `passkey_added`, … The names are stable; a newer server may have
    /// more.
    public let kind: String
    /// The time of the event.
    public let at: Timestamp
    /// The client's network: an IPv4 address, or the first 64 bits of an IPv6 one. Nil if the server itself caused the
    /// event.
    public let address: String?
    /// The device that the event concerns, or whose session caused it.
    public let device: DeviceID?
    /// The name of the device; nil if the device no longer exists.
    public let deviceName: String?
    /// A further word, such as the reason or the format.
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

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        id = try members.identifier("event_id")
        kind = try members.text("kind", characters: 1...64)
        at = try members.time("at")
        address = try members.optionalText("address", characters: 1...64)
        device = try members.optionalIdentifier("device_id")
        deviceName = try members.optionalText("device_name", characters: AuthLimits.nameCharacters)
        reason = try members.optionalText("reason", characters: 1...64)
    }

    /// The object as it is sent.
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
    /// The value of `before` for the next page; nil if there are no older events.
    public let next: SecurityEventID?

    /// Creates a page.
    public init(events: [SecurityEventView], next: SecurityEventID?) {
        self.events = events
        self.next = next
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        events = try members.list("events") { value throws(MalformedAnswer) in try SecurityEventView(value) }
        next = try members.optionalIdentifier("next")
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: ["events": .array(events.map(\.json)), "next": next.map { JSON($0) }])
    }
}
