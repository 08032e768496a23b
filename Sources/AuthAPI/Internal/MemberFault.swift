/// The error of a body that cannot be read. A malformed request is the client's fault, a malformed response the server's.
protocol MemberFault: Error {
    /// The error of a value that is missing, has another type, or is out of range.
    static var malformed: Self { get }

    /// Returns the error of the value that has the malformed value as a member.
    ///
    /// - Parameter member: the name of the member, or `[n]` for an element of a list.
    func inside(_ member: String) -> Self
}

/// The members of a request.
typealias RequestMembers = Members<Problem>
/// The members of a response.
typealias AnswerMembers = Members<MalformedAnswer>

extension Problem: MemberFault {
    static var malformed: Problem { Problem(.malformedRequest) }

    /// Returns the same problem, which names no member.
    func inside(_ member: String) -> Problem { self }
}

extension MalformedAnswer: MemberFault {
    static var malformed: MalformedAnswer { MalformedAnswer(member: "") }

    func inside(_ outer: String) -> MalformedAnswer {
        MalformedAnswer(member: outer + (member.isEmpty || member.hasPrefix("[") ? "" : ".") + member)
    }
}
