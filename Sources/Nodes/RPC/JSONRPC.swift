internal import DisplayText
internal import Encoding
internal import PinnedHTTP
internal import Synchronization

/// Requests to one node by JSON-RPC (version 2.0, and Bitcoin Core's form of 1.0) over HTTP.
final class JSONRPC: Sendable {
    /// A node's answer to a request that it understood.
    enum Answer {
        case result(JSON)
        case fault(Fault)
    }

    /// A node's error. Its words are for people; code examines them only where nothing else distinguishes errors.
    struct Fault {
        let code: Int64
        let words: String
        /// Further data that Ethereum nodes add to a reverted call.
        let data: JSON?

        var error: NodeError { .rpc(code: code, message: SanitizedText(ofNode: words)) }
    }

    private let address: NodeAddress
    private let transport: any HTTPTransport
    private let patience: NodeRetryPolicy
    private let lastID = Atomic<Int64>(0)

    init(_ address: NodeAddress, over transport: any HTTPTransport, _ patience: NodeRetryPolicy) {
        self.address = address
        self.transport = transport
        self.patience = patience
    }

    /// Sends a request, with further attempts, and returns its result.
    ///
    /// - Throws: ``NodeError/rpc(code:message:)`` for a node's error, and all errors of the connection.
    func read(
        _ method: String, _ parameters: [JSON] = [], limit: Int = NodeLimits.answerBytes,
        timeout: Duration? = nil
    ) async throws(NodeError) -> JSON {
        try await patience.read { () async throws(NodeError) -> JSON in
            switch try await self.ask(method, parameters, limit: limit, timeout: timeout) {
            case .result(let result): return result
            case .fault(let fault): throw fault.error
            }
        }
    }

    /// Waits before a request that the node cannot answer now is sent again.
    func wait(_ pause: Duration) async throws(NodeError) { try await patience.wait(pause) }

    /// Sends a request like ``read(_:_:limit:timeout:)``, and returns also a node's error as an answer.
    func readAnswer(_ method: String, _ parameters: [JSON]) async throws(NodeError) -> Answer {
        try await patience.read { () async throws(NodeError) -> Answer in
            let answer = try await self.ask(method, parameters)
            if case .fault(let fault) = answer, fault.error.mayMend { throw fault.error }
            return answer
        }
    }

    /// Sends a request once whose effect would be another one if it were sent twice.
    func tell(_ method: String, _ parameters: [JSON]) async throws(NodeRequest.Unanswered) -> Answer {
        try await send(method, parameters, .never, limit: NodeLimits.answerBytes, timeout: nil)
    }

    private func ask(
        _ method: String, _ parameters: [JSON], limit: Int = NodeLimits.answerBytes, timeout: Duration? = nil
    ) async throws(NodeError) -> Answer {
        do throws(NodeRequest.Unanswered) {
            return try await send(method, parameters, .allowed, limit: limit, timeout: timeout)
        } catch { throw error.error }
    }

    private func send(
        _ method: String, _ parameters: [JSON], _ repetition: HTTPRequest.Repetition, limit: Int, timeout: Duration?
    ) async throws(NodeRequest.Unanswered) -> Answer {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let question: JSON = [
            "jsonrpc": "2.0", "id": JSON(id), "method": .string(method), "params": .array(parameters),
        ]
        let request = NodeRequest(
            method: .post(question.encoded, type: "application/json", repetition), limit: limit,
            timeout: timeout ?? patience.answerTimeout)
        let response = try await request.send(to: address, over: transport)
        do throws(NodeError) { return try Self.answer(in: response, to: id, limit: limit) } catch {
            throw NodeRequest.Unanswered(error: error, mayHaveArrived: true)
        }
    }

    private static func answer(in response: HTTPResponse, to id: Int64, limit: Int) throws(NodeError) -> Answer {
        // A node's error may have any status. These four come from a gateway, before the node.
        guard ![429, 502, 503, 504].contains(response.status),
            let envelope = try? JSON(decoding: response.body, limit: limit, depth: NodeLimits.answerDepth)
        else {
            guard response.isSuccess else { throw .status(response.status) }
            throw .notJSON(looksLikeHTML: response.looksLikeHTML)
        }
        guard envelope.object != nil else { throw .unexpected(.envelope) }
        if let version = envelope["jsonrpc"], version.string != "2.0" { throw .unexpected(.envelope) }
        // An answer to another request would be taken for the answer to this one.
        guard envelope["id"]?.number?.integer(as: Int64.self) == id else { throw .inconsistent(.id) }
        if let error = envelope["error"], !error.isNull {
            guard let code = error["code"]?.number?.integer(as: Int64.self), let words = error["message"]?.string,
                envelope["result"]?.isNull ?? true
            else { throw .unexpected(.envelope) }
            return .fault(Fault(code: code, words: words, data: error["data"]))
        }
        guard response.isSuccess else { throw .status(response.status) }
        guard let result = envelope["result"] else { throw .unexpected(.envelope) }
        return .result(result)
    }
}
