internal import Encoding

/// The settings by name: those of the file, overridden by environment variables. The variable of `session.idle_days` is
/// `FUEKID_SESSION_IDLE_DAYS`. An unknown name is an error, so that a misspelt limit does not go unnoticed.
public struct ConfigurationSource {
    private var values: [String: Value] = [:]

    private enum Value {
        case json(JSON)
        case text(String)
    }

    /// Reads the settings of a file and the environment.
    ///
    /// - Parameters:
    ///   - file: the bytes of a JSON object, at most 64 KiB; nil without a file.
    ///   - environment: names and values; names that do not begin with `FUEKID_` are ignored.
    public init(file: [UInt8]?, environment: [String: String]) throws(ConfigurationError) {
        if let file {
            guard let json = try? JSON(decoding: file, limit: Self.fileBytes), let object = json.object else {
                throw ConfigurationError("", "not a JSON object of at most \(Self.fileBytes) bytes")
            }
            for member in object.members { try add(member.value, as: member.name) }
        }
        for (name, text) in environment where name.hasPrefix("FUEKID_") {
            if Self.notSettings.contains(name) { continue }
            guard let setting = ServerSetting.all.first(where: { $0.variable == name }) else {
                throw ConfigurationError(name, "the setting is unknown")
            }
            values[setting.name] = .text(text)
        }
    }

    private mutating func add(_ value: JSON, as name: String) throws(ConfigurationError) {
        if Self.names.contains(name) {
            values[name] = .json(value)
        } else if let object = value.object, Self.names.contains(where: { $0.hasPrefix("\(name).") }) {
            for member in object.members { try add(member.value, as: "\(name).\(member.name)") }
        } else {
            throw ConfigurationError(name, "the setting is unknown")
        }
    }

    /// The names of all settings.
    static let names = Set(ServerSetting.all.map(\.name))

    /// The size limit of a settings file. A larger file was given by mistake.
    public static let fileBytes = 64 << 10

    /// Variables that the command reads, and the server does not.
    package static let notSettings: Set<String> = [
        "FUEKID_HOME", "FUEKID_CONFIG", "FUEKID_PASSPHRASE_FILE", "FUEKID_LOG_LEVEL",
    ]

    // MARK: Reading

    /// Returns the value of a setting; nil if it is not set.
    private func given(_ name: String) -> Value? {
        precondition(Self.names.contains(name), "a setting that is read has to be in the list of names")
        return values[name]
    }

    /// Returns the value of a setting; its default if it is not set.
    private func value(of name: String) -> Value {
        if let value = given(name) { return value }
        guard let fallback = ServerSetting.named(name)?.fallback else {
            preconditionFailure("a setting that has to have a value needs a default in the list of settings")
        }
        return .text(fallback)
    }

    func text(_ name: String) throws(ConfigurationError) -> String { try text(name, value(of: name)) }

    /// Returns the text that is set; nil if the setting is not set, also for a setting with a default.
    func optionalText(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = given(name) else { return nil }
        return try text(name, value)
    }

    private func text(_ name: String, _ value: Value) throws(ConfigurationError) -> String {
        switch value {
        case .text(let text): return text
        case .json(let json):
            guard let text = json.string else { throw ConfigurationError(name, "has to be a text") }
            return text
        }
    }

    func integer(_ name: String) throws(ConfigurationError) -> Int {
        guard let range = ServerSetting.named(name)?.range else {
            preconditionFailure("a number needs a range in the list of settings")
        }
        let number: Int?
        switch value(of: name) {
        case .text(let text): number = Int(text)
        case .json(let json): number = json.number?.integer()
        }
        guard let number, range.contains(number) else {
            throw ConfigurationError(name, "has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func bool(_ name: String) throws(ConfigurationError) -> Bool {
        switch value(of: name) {
        case .json(.bool(let value)): return value
        case .text("true"): return true
        case .text("false"): return false
        default: throw ConfigurationError(name, "has to be true or false")
        }
    }

    /// Returns a list of texts. In the environment they are separated by commas.
    func texts(_ name: String) throws(ConfigurationError) -> [String] {
        switch given(name) {
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
