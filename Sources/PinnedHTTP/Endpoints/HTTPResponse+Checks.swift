public import Encoding

extension HTTPResponse {
    /// Checks the status and the media type.
    ///
    /// - Parameters:
    ///   - statuses: the statuses that are expected.
    ///   - mediaType: the media type in lower case, without parameters: `application/json`. Nil for any.
    /// - Throws: ``AnswerFault/status(_:)`` or ``AnswerFault/contentType``.
    public func check(statuses: Range<Int> = 200..<300, mediaType: String?) throws(AnswerFault) {
        guard statuses.contains(status) else { throw .status(status) }
        if let mediaType, mediaType != self.mediaType { throw .contentType }
    }

    /// The media type of the body in lower case, without parameters (RFC 9110, section 8.3); nil if the answer names
    /// none, or several.
    public var mediaType: String? {
        let all = headers.filter { $0.name.lowercased() == "content-type" }
        guard all.count == 1, let value = all.first?.value else { return nil }
        let type = value.prefix { $0 != ";" }.lowercased()
        return String(type.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// Checks the status and the media type, and reads the body as JSON.
    ///
    /// - Parameters:
    ///   - statuses: the statuses that are expected.
    ///   - depth: how deep arrays and objects may be nested.
    /// - Throws: ``AnswerFault``.
    public func json(
        statuses: Range<Int> = 200..<300, depth: Int = EncodingLimits.jsonDepth
    ) throws(AnswerFault) -> JSON {
        try check(statuses: statuses, mediaType: "application/json")
        do throws(EncodingError) { return try JSON(decoding: body, limit: body.count, depth: depth) } catch {
            throw .malformed
        }
    }
}
