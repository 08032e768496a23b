internal import AuthAPI
internal import Encoding

/// The settings by their names: the file's, overridden by the environment's. `session.idle_days` is, in the environment,
/// `FUEKID_SESSION_IDLE_DAYS`. A name that means nothing is an error, so that a misspelt limit does not go unnoticed.
public struct ConfigurationSource {
    private var values: [String: Value] = [:]

    private enum Value {
        case json(JSON)
        case text(String)
    }

    /// - Parameters:
    ///   - file: the bytes of a JSON object, at most 64 KiB; nil if there is none.
    ///   - environment: names and values; those that do not begin with `FUEKID_` are not looked at.
    public init(file: [UInt8]?, environment: [String: String]) throws(ConfigurationError) {
        if let file {
            guard let json = try? JSON(decoding: file, limit: 64 << 10), let object = json.object else {
                throw ConfigurationError("", "the configuration file is not a JSON object of at most 64 KiB")
            }
            for member in object.members { try add(member.value, as: member.name) }
        }
        for (name, text) in environment where name.hasPrefix("FUEKID_") {
            let wanted = name.dropFirst("FUEKID_".count).lowercased()
            guard let setting = Self.names.first(where: { $0.replacing(".", with: "_") == wanted }) else {
                // Of the command, not of the server.
                if Self.notSettings.contains(wanted) { continue }
                throw ConfigurationError(name, "there is no such setting")
            }
            values[setting] = .text(text)
        }
    }

    private mutating func add(_ value: JSON, as name: String) throws(ConfigurationError) {
        if Self.names.contains(name) {
            values[name] = .json(value)
        } else if let object = value.object, Self.names.contains(where: { $0.hasPrefix("\(name).") }) {
            for member in object.members { try add(member.value, as: "\(name).\(member.name)") }
        } else {
            throw ConfigurationError(name, "there is no such setting")
        }
    }

    /// Every setting there is.
    static let names: Set<String> = [
        "public_url", "listen", "tls.certificate", "tls.key", "proxy.addresses", "relying_party.id",
        "relying_party.name", "relying_party.origins", "store.sqlite", "store.postgresql",
        "store.postgresql_connections", "session.idle_hours", "session.lifetime_hours",
        "session.retry_seconds", "session.access_token_seconds", "session.step_up_seconds", "limits.address_burst",
        "limits.address_per_minute", "limits.account_burst", "limits.account_per_minute", "limits.device_burst",
        "limits.device_per_minute", "limits.recovery_burst", "limits.recovery_per_minute", "attestation.required",
        "attestation.anchors", "attestation.metadata", "attestation.metadata_root", "metrics.addresses",
        "passkeys.may_become_synchronised", "introspection_clients",
    ]

    private static let notSettings: Set<String> = ["home", "config", "passphrase_file", "log_level"]

    // MARK: Reading

    func text(_ name: String, default fallback: String) throws(ConfigurationError) -> String {
        try optionalText(name) ?? fallback
    }

    func optionalText(_ name: String) throws(ConfigurationError) -> String? {
        precondition(Self.names.contains(name), "a setting that is read has to be in the list of names")
        switch values[name] {
        case nil: return nil
        case .text(let text): return text
        case .json(let json):
            guard let text = json.string else { throw ConfigurationError(name, "has to be a text") }
            return text
        }
    }

    func integer(
        _ name: String, default fallback: Int, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        precondition(Self.names.contains(name), "a setting that is read has to be in the list of names")
        let number: Int?
        switch values[name] {
        case nil: return fallback
        case .text(let text): number = Int(text)
        case .json(let json): number = json.number?.integer()
        }
        guard let number, range.contains(number) else {
            throw ConfigurationError(name, "has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func bool(_ name: String, default fallback: Bool) throws(ConfigurationError) -> Bool {
        precondition(Self.names.contains(name), "a setting that is read has to be in the list of names")
        switch values[name] {
        case nil: return fallback
        case .json(.bool(let value)): return value
        case .text("true"): return true
        case .text("false"): return false
        default: throw ConfigurationError(name, "has to be true or false")
        }
    }

    /// In the environment the texts are separated by commas.
    func texts(_ name: String) throws(ConfigurationError) -> [String] {
        precondition(Self.names.contains(name), "a setting that is read has to be in the list of names")
        switch values[name] {
        case nil: return []
        case .text(let text): return text.split(separator: ",").map { String($0.trimmed) }
        case .json(let json):
            guard let array = json.array else { throw ConfigurationError(name, "has to be a list of texts") }
            var texts: [String] = []
            for element in array {
                guard let text = element.string else { throw ConfigurationError(name, "has to be a list of texts") }
                texts.append(text)
            }
            return texts
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
