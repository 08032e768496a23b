/// An error in the configuration, in words for the operator. It names the setting, and never shows a secret value.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting's name, as in the file: `session.idle_days`. Empty for an error of the whole file.
    public let setting: String
    /// The rule that the value breaks: it says what the value has to be.
    public let reason: String

    /// Creates an error about a setting.
    public init(_ setting: String, _ reason: String) {
        self.setting = setting
        self.reason = reason
    }

    public var description: String { setting.isEmpty ? reason : "\(setting): \(reason)" }
}
