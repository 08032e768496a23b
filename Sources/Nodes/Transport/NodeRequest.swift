internal import PinnedHTTP

/// A request to a node.
struct NodeRequest {
    /// The method, with the body that belongs to it.
    enum Method {
        /// A request without a body. It may be sent again.
        case get
        /// A request with a body of this media type.
        case post([UInt8], type: String, HTTPRequest.Repetition)
    }

    /// The reason why a request has no answer.
    struct Unanswered: Error {
        let error: NodeError
        /// Whether the node may have acted on the request.
        let mayHaveArrived: Bool
    }

    let method: Method
    /// The path, appended to the address's own path.
    var path = ""
    /// The maximum size of the answer's body in bytes.
    var limit = NodeLimits.answerBytes
    let timeout: Duration

    /// Sends the request once, and checks the statuses that decide without the body.
    func send(to address: NodeAddress, over transport: any HTTPTransport) async throws(Unanswered) -> HTTPResponse {
        guard let request = request(to: address) else {
            throw Unanswered(error: .badAddress(.path), mayHaveArrived: false)
        }
        let response: HTTPResponse
        do throws(HTTPFailure) { response = try await transport.send(request) } catch {
            throw Unanswered(error: NodeError(error.reason), mayHaveArrived: error.mayHaveArrived)
        }
        // A node that redirects or asks for a password has read the request.
        do throws(NodeError) { try response.checkStatus() } catch {
            throw Unanswered(error: error, mayHaveArrived: true)
        }
        return response
    }

    private func request(to address: NodeAddress) -> HTTPRequest? {
        let target = address.path + path
        var headers = [HTTPHeader("Accept", "application/json, text/plain")]
        if let credentials = address.credentials { headers.append(HTTPHeader("Authorization", credentials.header)) }
        switch method {
        case .get:
            return HTTPRequest(
                .get, target.isEmpty ? "/" : target, at: address.origin, headers: headers, repetition: .allowed,
                limit: limit, timeout: timeout)
        case .post(let body, let type, let repetition):
            headers.append(HTTPHeader("Content-Type", type))
            return HTTPRequest(
                .post, target.isEmpty ? "/" : target, at: address.origin, headers: headers, body: body,
                repetition: repetition, limit: limit, timeout: timeout)
        }
    }
}

extension NodeError {
    /// The meaning of a connection's error.
    init(_ reason: HTTPFailure.Reason) {
        self =
            switch reason {
            case .notConnected: .unreachable(.notConnected)
            case .closed: .unreachable(.closed)
            case .notHTTP: .unreachable(.notHTTP)
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .timedOut(.connecting): .timedOut(.connecting)
            case .timedOut(.answering): .timedOut(.answering)
            case .untrusted(let fault): .untrusted(fault)
            case .notPinned(let fault): .notPinned(fault)
            case .notEncrypted: .badConnection(.notAllowed(.notEncrypted))
            case .cancelled: .cancelled
            }
    }
}

extension HTTPResponse {
    /// Throws the error of a status that decides without the body.
    fileprivate func checkStatus() throws(NodeError) {
        switch status {
        case 300..<400: throw .redirected
        case 401, 403: throw .unauthorised
        default: break
        }
    }

    /// Whether the body looks like an HTML page.
    var looksLikeHTML: Bool {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        return body.first { !space.contains($0) } == UInt8(ascii: "<")
    }
}
