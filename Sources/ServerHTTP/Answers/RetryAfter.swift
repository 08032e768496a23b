package import Time

extension Timestamp.Span {
    /// The whole seconds, rounded up and at least one: for `Retry-After` (RFC 9110 section 10.2.3).
    package var wholeSeconds: Int { max(1, Int(clamping: (milliseconds + 999) / 1000)) }
}
