public import Logging

/// Who may read a value of a log's metadata. A value without one is not shown.
public enum LogSensitivity: Int64, CaseIterable, Sendable, Logger.MetadataValueAttributes.Attribute {
    /// Everybody who reads the log. What looks like a secret is redacted all the same.
    case `public`
    /// An identifier of a person, an account or a device: it is shown as a name under a key (`Pseudonyms` of Redaction).
    case identifier
    /// Nobody.
    case secret
}

extension Logger.MetadataValue {
    /// Marks a value that everybody who reads the log may see.
    public static func shown(_ value: some CustomStringConvertible & Sendable) -> Self {
        .attributed(value, attributes: [LogSensitivity.public])
    }

    /// Marks an identifier, which the log shows by a name under a key.
    public static func identifier(_ value: some CustomStringConvertible & Sendable) -> Self {
        .attributed(value, attributes: [LogSensitivity.identifier])
    }
}
