/// One function of a server: its request, and the meaning of its answer.
///
/// ```swift
/// struct ServerTime: HTTPEndpoint {
///     let request: HTTPRequest
///
///     func answer(from response: HTTPResponse) throws(AnswerFault) -> Int64 {
///         let json = try response.json()
///         guard let time = json["serverTime"]?.number?.integer(as: Int64.self) else { throw .malformed }
///         return time
///     }
/// }
/// let time = try await client.call(ServerTime(request: request))
/// ```
public protocol HTTPEndpoint: Sendable {
    /// The value that callers get.
    associatedtype Answer: Sendable

    /// The request.
    var request: HTTPRequest { get }

    /// Checks an answer and reads its value.
    ///
    /// - Throws: ``AnswerFault``.
    func answer(from response: HTTPResponse) throws(AnswerFault) -> Answer
}

/// The reasons why an answer has no value. They contain nothing of the answer's text.
public enum AnswerFault: Error, Equatable, Sendable {
    /// The status is not one of those expected.
    case status(Int)
    /// The body is of another media type than expected, or of none.
    case contentType
    /// The body cannot be read as expected.
    case malformed
}

/// The errors of a call.
public enum EndpointFailure: Error, Equatable, Sendable {
    /// The transport failed.
    case transport(HTTPFailure)
    /// The server answered, and the answer has no value.
    case answer(AnswerFault)

    /// Whether the server may have acted on the request. An answer with an error is also one of a request that arrived.
    public var mayHaveArrived: Bool {
        switch self {
        case .transport(let failure): failure.mayHaveArrived
        case .answer: true
        }
    }
}

extension HTTPTransport {
    /// Sends an endpoint's request and reads its answer.
    ///
    /// - Throws: ``EndpointFailure``.
    public func call<Endpoint: HTTPEndpoint>(_ endpoint: Endpoint) async throws(EndpointFailure) -> Endpoint.Answer {
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try await send(endpoint.request) } catch { throw .transport(error) }
        do throws(AnswerFault) { return try endpoint.answer(from: response) } catch { throw .answer(error) }
    }
}
