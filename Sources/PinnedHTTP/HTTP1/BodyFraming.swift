/// How the end of an answer's body is found (RFC 9112, section 6.3).
enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
    /// The body ends with the connection.
    case untilEnd

    /// Decides by the head.
    ///
    /// Two answers that are read in different ways by a server and a client change places: so an answer with two
    /// lengths is refused, even if they are equal, and one with a length and a transfer coding, too.
    ///
    /// - Parameter isHead: whether the request's method was HEAD.
    init(of head: AnswerHead, toHead isHead: Bool) throws(AnswerHead.Malformed) {
        let lengths = head.values("content-length")
        let codings = head.values("transfer-encoding")
        guard lengths.count + codings.count <= 1 else { throw AnswerHead.Malformed() }
        var length: Int?
        if let text = lengths.first {
            guard let number = AnswerHead.decimal(text.utf8) else { throw AnswerHead.Malformed() }
            length = number
        }
        if let coding = codings.first {
            guard coding.lowercased() == "chunked", head.minorVersion == 1 else { throw AnswerHead.Malformed() }
        }
        if isHead || head.status == 204 || head.status == 304 {
            self = .none
        } else if !codings.isEmpty {
            self = .chunked
        } else if let length {
            self = length == 0 ? .none : .length(length)
        } else {
            self = .untilEnd
        }
    }
}
