/// What is wrong with the configuration, in words for the operator. Says the setting, never its value where that is secret.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting's name, as in the file: `session.idle_days`. Empty for the file as a whole.
    public let setting: String
    /// What it should be.
    public let reason: String

    /// Creates an error about a setting.
    public init(_ setting: String, _ reason: String) {
        self.setting = setting
        self.reason = reason
    }

    public var description: String { setting.isEmpty ? reason : "\(setting): \(reason)" }
}
