public import Encoding

/// `POST /api/auth/recovery/options`: requests a new passkey with a recovery code.
public struct RecoveryRequest: Equatable, Sendable {
    /// The code as it was shown; blanks, dashes and the case of letters are ignored.
    public let code: String

    /// Creates a request.
    public init(code: String) { self.code = code }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        code = try RequestMembers(json).text("code", characters: AuthLimits.tokenCharacters)
    }

    /// The object as it is sent.
    public var json: JSON { ["code": .string(code)] }
}

/// Recovery codes, shown once.
public struct RecoveryCodesAnswer: Equatable, Sendable {
    /// The codes, each to be used once.
    public let codes: [String]

    /// Creates a response.
    public init(codes: [String]) { self.codes = codes }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        codes = try AnswerMembers(json).list("codes", Self.code)
    }

    static func code(_ value: JSON) throws(MalformedAnswer) -> String {
        guard let code = value.string, AuthLimits.tokenCharacters.contains(code.utf8.count) else {
            throw MalformedAnswer.malformed
        }
        return code
    }

    /// The object as it is sent.
    public var json: JSON { ["codes": .array(codes.map(JSON.string))] }
}
