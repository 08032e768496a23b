internal import DisplayText
internal import Encoding
internal import Synchronization
internal import Wallet

/// Questions to one node by JSON-RPC (version 2.0, and what Bitcoin Core made of 1.0) over HTTP.
final class JSONRPC: Sendable {
    /// What a node says to a question that it understood.
    enum Answer {
        case result(JSON)
        case fault(Fault)
    }

    /// A node's no. Its words are for people; only to tell apart what is told apart in no other way they are looked at.
    struct Fault {
        let code: Int64
        let words: String
        /// What Ethereum nodes add to a call that was reverted.
        let data: JSON?

        var error: NodeError { .rpc(code: code, message: SanitizedText(ofNode: words)) }
    }

    private let address: NodeAddress
    private let transport: any HTTPTransport
    private let patience: RetryPolicy
    private let lastID = Atomic<Int64>(0)

    init(_ address: NodeAddress, over transport: any HTTPTransport, _ patience: RetryPolicy) {
        self.address = address
        self.transport = transport
        self.patience = patience
    }

    /// Asks until there is an answer, and returns its result.
    ///
    /// - Throws: ``NodeError/rpc(code:message:)`` if it is no, and all that can go wrong on the way.
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

    /// As ``read(_:_:limit:timeout:)``, where a no is an answer too.
    func readAnswer(_ method: String, _ parameters: [JSON]) async throws(NodeError) -> Answer {
        try await patience.read { () async throws(NodeError) -> Answer in
            let answer = try await self.ask(method, parameters)
            if case .fault(let fault) = answer, fault.error.mayMend { throw fault.error }
            return answer
        }
    }

    /// Asks once.
    func ask(
        _ method: String, _ parameters: [JSON], limit: Int = NodeLimits.answerBytes,
        timeout: Duration? = nil
    ) async throws(NodeError) -> Answer {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let question: JSON = [
            "jsonrpc": "2.0", "id": JSON(id), "method": .string(method), "params": .array(parameters),
        ]
        let response = try await transport.send(
            HTTPRequest(
                to: address, .post(question.encoded, type: "application/json"), limit: limit,
                timeout: timeout ?? patience.answerTimeout))
        return try Self.answer(in: response, to: id, limit: limit)
    }

    private static func answer(in response: HTTPResponse, to id: Int64, limit: Int) throws(NodeError) -> Answer {
        try response.checkStatus()
        // A no comes with many a status. Of these four a gateway speaks, before a node was asked.
        guard ![429, 502, 503, 504].contains(response.status),
            let envelope = try? JSON(decoding: response.body, limit: limit, depth: NodeLimits.answerDepth)
        else {
            guard response.isSuccess else { throw .status(response.status) }
            throw .notJSON(looksLikeHTML: response.looksLikeHTML)
        }
        guard envelope.object != nil else { throw .unexpected(.envelope) }
        if let version = envelope["jsonrpc"], version.string != "2.0" { throw .unexpected(.envelope) }
        // An answer to another question would be taken for the answer to this one.
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
