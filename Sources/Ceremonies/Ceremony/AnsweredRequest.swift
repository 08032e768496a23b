internal import Curves

/// The last request that a participant answered, with its answer. After a dropped connection the same bytes get the
/// same answer; other bytes for the same step do not, since every step is taken once.
struct AnsweredRequest: Sendable {
    /// The request's SHA-256: a request can be large, and only needs to be recognised.
    private let request: [UInt8]
    private let answer: [UInt8]

    init(_ answer: [UInt8], to request: [UInt8]) {
        self.request = SHA256.hash(request)
        self.answer = answer
    }

    /// Returns the answer, if this is the request that it was given to.
    func again(to request: [UInt8]) -> [UInt8]? { SHA256.hash(request) == self.request ? answer : nil }
}
