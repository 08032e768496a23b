import Encoding
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("Endpoints")
struct EndpointTests {
    private struct ServerTime: HTTPEndpoint {
        let request: HTTPRequest

        func answer(from response: HTTPResponse) throws(AnswerFault) -> Int64 {
            guard let time = try response.json()["time"]?.number?.integer(as: Int64.self) else { throw .malformed }
            return time
        }
    }

    private struct Canned: HTTPTransport {
        let outcome: Result<HTTPResponse, HTTPFailure>
        func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { try outcome.get() }
    }

    private func call(
        _ body: String, status: Int = 200, type: [String] = ["application/json; charset=utf-8"]
    ) async throws(EndpointFailure) -> Int64 {
        let response = HTTPResponse(
            status: status, headers: type.map { HTTPHeader("content-type", $0) }, body: Array(body.utf8))
        return try await Canned(outcome: .success(response)).call(endpoint)
    }

    private var endpoint: ServerTime {
        get throws(EndpointFailure) {
            guard let request = Origin(host: "a.test").flatMap({ HTTPRequest(.get, "/time", at: $0) }) else {
                throw .answer(.malformed)
            }
            return ServerTime(request: request)
        }
    }

    @Test("an answer with the right status, type and value is read")
    func value() async throws {
        #expect(try await call(#"{"time":5}"#) == 5)
        #expect(try await call(#"{"time":5}"#, status: 201, type: ["Application/JSON"]) == 5)
    }

    @Test("a status, a type or a body other than those expected is named")
    func faults() async {
        await #expect(throws: EndpointFailure.answer(.status(500))) { try await call(#"{"time":5}"#, status: 500) }
        await #expect(throws: EndpointFailure.answer(.status(302))) { try await call(#"{"time":5}"#, status: 302) }
        for type in [[], ["text/html"], ["application/jsonp"], ["application/json", "application/json"]] {
            await #expect(throws: EndpointFailure.answer(.contentType)) { try await call(#"{"time":5}"#, type: type) }
        }
        for body in ["", "<html>", #"{"time":"5"}"#, #"{"time":1,"time":2}"#, "{} {}"] {
            await #expect(throws: EndpointFailure.answer(.malformed)) { try await call(body) }
        }
    }

    @Test("without an answer the request may have arrived or not; with one it has")
    func arrival() async throws {
        for arrived in [true, false] {
            let failure = HTTPFailure(.closed, mayHaveArrived: arrived)
            let transport = Canned(outcome: .failure(failure))
            await #expect(throws: EndpointFailure.transport(failure)) { try await transport.call(endpoint) }
            #expect(EndpointFailure.transport(failure).mayHaveArrived == arrived)
        }
        #expect(EndpointFailure.answer(.status(500)).mayHaveArrived)
    }
}
