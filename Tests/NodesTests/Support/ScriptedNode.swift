import Encoding
import Nodes
import PinnedHTTP
import Synchronization

import class TestSupport.HastyClock

/// A transport without a network: a test gives the answer to each method.
final class ScriptedNode: HTTPTransport {
    enum Reply: Sendable {
        case result(JSON)
        case fault(Int64, String, data: JSON? = nil)
        /// An unchanged body.
        case raw(String, status: Int = 200)
        /// No answer. `mayHaveArrived` is nil for the usual value of the reason.
        case fails(HTTPFailure.Reason, mayHaveArrived: Bool? = nil)
    }

    struct Call: Sendable, Equatable {
        let method: String
        let parameters: [JSON]
        /// Whether the client may send it again.
        let repetition: HTTPRequest.Repetition
    }

    private let log = Mutex<[Call]>([])
    private let answer: @Sendable (Call, _ earlier: Int) -> Reply

    /// The requests, in order.
    var calls: [Call] { log.withLock { $0 } }
    var methods: [String] { calls.map(\.method) }

    /// - Parameter answer: gets the number of earlier requests with the same method.
    init(_ answer: @escaping @Sendable (Call, _ earlier: Int) -> Reply) { self.answer = answer }

    convenience init(_ answer: @escaping @Sendable (Call) -> Reply) { self.init { call, _ in answer(call) } }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let question: JSON
        let name = "\(request.method.rawValue) \(request.target)"
        if request.method == .get {
            question = ["method": .string(name), "params": []]
        } else if request.headers.contains(HTTPHeader("Content-Type", "application/json")) {
            guard let json = try? JSON(decoding: request.body) else {
                throw HTTPFailure(.notHTTP, mayHaveArrived: true)
            }
            question = json
        } else {
            question = [
                "method": .string(name), "params": [.string(String(decoding: request.body, as: UTF8.self))],
            ]
        }
        let call = Call(
            method: question["method"]?.string ?? "", parameters: question["params"]?.array ?? [],
            repetition: request.repetition)
        let earlier = log.withLock { calls in
            defer { calls.append(call) }
            return calls.count { $0.method == call.method }
        }
        let id = question["id"] ?? .null
        switch answer(call, earlier) {
        case .result(let result): return Self.response(["jsonrpc": "2.0", "id": id, "result": result])
        case .fault(let code, let message, let data):
            let plain: JSON = ["code": JSON(code), "message": .string(message)]
            let error: JSON = data.map { ["code": JSON(code), "message": .string(message), "data": $0] } ?? plain
            return Self.response(["jsonrpc": "2.0", "id": id, "error": error])
        case .raw(let body, let status): return HTTPResponse(status: status, body: Array(body.utf8))
        case .fails(let reason, let mayHaveArrived):
            throw HTTPFailure(reason, mayHaveArrived: mayHaveArrived ?? Self.usuallyArrives(reason))
        }
    }

    private static func usuallyArrives(_ reason: HTTPFailure.Reason) -> Bool {
        switch reason {
        case .notConnected, .timedOut(.connecting), .untrusted, .notPinned, .notEncrypted: false
        case .closed, .notHTTP, .tooLarge, .timedOut(.answering), .cancelled: true
        }
    }

    private static func response(_ json: JSON) -> HTTPResponse { HTTPResponse(status: 200, body: json.encoded) }
}

extension NodeRetryPolicy {
    /// Three attempts, without waiting.
    static var hasty: NodeRetryPolicy { NodeRetryPolicy(clock: HastyClock()) }
}
