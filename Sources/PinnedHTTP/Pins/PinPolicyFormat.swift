internal import Encoding
internal import Time

extension PinPolicy {
    /// Reads a policy's file: see ``PinPolicy``.
    ///
    /// - Throws: ``Fault``.
    public init(decoding bytes: some Collection<UInt8>) throws(Fault) {
        let json: JSON
        do throws(EncodingError) {
            json = try JSON(decoding: bytes, limit: HTTPLimits.policyBytes, depth: 4)
        } catch { throw .notJSON }
        guard let object = json.object else { throw .member("policy") }
        guard object.names.allSatisfy(Self.members.contains) else { throw .unknownMember }
        guard let format = json["format"]?.number?.integer(as: Int.self) else { throw .member("format") }
        guard format == 1 else { throw .format }
        guard let serial = json["serial"]?.number?.integer(as: UInt64.self) else { throw .member("serial") }
        guard let unpinned = (json["unpinned"]?.string).flatMap(Unpinned.init) else { throw .member("unpinned") }
        guard let entries = json["hosts"]?.array else { throw .member("hosts") }
        guard entries.count <= HTTPLimits.policyHosts else { throw .tooManyHosts }
        var hosts: [HostPins] = []
        for (index, entry) in entries.enumerated() { hosts.append(try Self.host(entry, at: index)) }
        try self.init(serial: serial, unpinned: unpinned, hosts: hosts)
    }

    private static let members: Set = ["format", "serial", "unpinned", "hosts"]
    private static let hostMembers: Set = [
        "host", "pins", "backups", "subdomains", "except", "expires", "afterExpiry", "mode", "tls12",
    ]

    private static func host(_ json: JSON, at index: Int) throws(Fault) -> HostPins {
        guard let object = json.object else { throw .member("hosts") }
        guard object.names.allSatisfy(hostMembers.contains) else { throw .unknownMember }
        guard let host = json["host"]?.string else { throw .member("host") }
        let pins = try readPins(json["pins"], "pins")
        let backups = try readPins(json["backups"], "backups")
        let exclusions = try optional(json["except"], "except") { $0.array.flatMap { Self.all($0, \.string) } } ?? []
        let subdomains = try optional(json["subdomains"], "subdomains", \.bool) ?? false
        let expires = try optional(json["expires"], "expires") { $0.string.flatMap(CivilTime.seconds) }
        let after = try optional(json["afterExpiry"], "afterExpiry") {
            $0.string.flatMap(HostPins.AfterExpiry.init)
        }
        let mode = try optional(json["mode"], "mode") { $0.string.flatMap(HostPins.Mode.init) }
        let tls12 = try optional(json["tls12"], "tls12", \.bool) ?? false
        do throws(HostPins.Fault) {
            return try HostPins(
                host: host, pins: pins, backups: backups, includesSubdomains: subdomains, exclusions: exclusions,
                expires: expires, afterExpiry: after ?? .refuse, mode: mode ?? .enforce, allowsTLS12: tls12)
        } catch { throw .host(index: index, error) }
    }

    private static func readPins(_ json: JSON?, _ name: String) throws(Fault) -> [Pin] {
        guard let pins = json?.array.flatMap({ all($0) { $0.string.flatMap { Pin($0) } } }) else {
            throw .member(name)
        }
        return pins
    }

    /// Returns the value of a member that may be absent.
    private static func optional<Value>(
        _ json: JSON?, _ name: String, _ read: (JSON) -> Value?
    ) throws(Fault) -> Value? {
        guard let json else { return nil }
        guard let value = read(json) else { throw .member(name) }
        return value
    }

    /// Returns the values of all elements; nil if one has none.
    private static func all<Value>(_ elements: [JSON], _ read: (JSON) -> Value?) -> [Value]? {
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }
}
