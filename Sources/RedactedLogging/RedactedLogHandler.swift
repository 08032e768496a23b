public import Logging
public import Redaction

/// A log handler that removes secrets before another one writes.
///
/// The metadata is denied by default: a value is shown if it is marked (``LogSensitivity``) or if its key was named. Texts
/// and shown values are redacted. Of an error only its type is shown: descriptions repeat requests, answers and URLs, and
/// those of the errors that caused them.
public struct RedactedLogHandler<Inner: LogHandler>: LogHandler {
    /// The text in place of a value that is not shown.
    public static var notShown: String { "[not shown]" }

    private var inner: Inner
    private let redactor: Redactor
    private let names: Pseudonyms
    private let shownKeys: Set<String>

    /// Wraps a handler.
    ///
    /// - Parameters:
    ///   - inner: what writes.
    ///   - names: for identifiers.
    ///   - shownKeys: the keys whose values the program vouches for, whoever logs them.
    public init(_ inner: Inner, redactor: Redactor, names: Pseudonyms, shownKeys: Set<String> = []) {
        (self.inner, self.redactor, self.names, self.shownKeys) = (inner, redactor, names, shownKeys)
    }

    /// The lowest level that is written: that of the inner handler.
    public var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    /// Redacted when it is set.
    public var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = redacted(newValue) }
    }

    /// Redacted when it is asked for each event.
    public var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set {
            let handler = self
            inner.metadataProvider = newValue.map { provider in .init { handler.redacted(provider.get()) } }
        }
    }

    /// A value of the metadata of every event, redacted when it is set.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue.map { redacted($0, key: key) } }
    }

    /// Passes an event on without its secrets.
    public func log(event: LogEvent) {
        var event = event
        event.message = "\(redactor.redacted(event.message.description))"
        event.metadata = event.metadata.map(redacted)
        if let error = event.error { event.error = RedactedError(type: String(reflecting: type(of: error))) }
        inner.log(event: event)
    }

    private func redacted(_ metadata: Logger.Metadata) -> Logger.Metadata {
        Dictionary(
            metadata.map { (redactor.redacted($0.key), redacted($0.value, key: $0.key)) },
            uniquingKeysWith: { first, _ in first })
    }

    private func redacted(_ value: Logger.MetadataValue, key: String) -> Logger.MetadataValue {
        switch value {
        case .dictionary(let values): return .dictionary(redacted(values))
        case .array(let values): return .array(values.map { redacted($0, key: key) })
        case .string, .stringConvertible:
            switch value.attributes[LogSensitivity.self] {
            case .public: break
            case .identifier: return .shown(names.name(of: value.description, kind: key))
            case .secret: return .shown(Self.notShown)
            case nil where shownKeys.contains(key): break
            case nil: return .shown(Self.notShown)
            }
            let text = value.description
            let redacted = redactor.redacted(text)
            // A value of a type of its own stays one if its text has nothing to hide.
            return redacted == text ? value : .shown(redacted)
        }
    }
}

/// An error of which a log shows the type only.
public struct RedactedError: Error, CustomStringConvertible, Sendable {
    /// The name of the error's type, with its module.
    public let type: String

    /// The name of the type.
    public var description: String { type }
}
