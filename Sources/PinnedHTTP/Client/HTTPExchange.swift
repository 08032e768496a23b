internal import Synchronization

/// One request and its answer on a connection.
struct HTTPExchange: Sendable {
    /// Whether bytes of the request have been handed to the network.
    final class Departure: Sendable {
        private let flag = Atomic(false)
        var hasHappened: Bool { flag.load(ordering: .acquiring) }
        func happen() { flag.store(true, ordering: .releasing) }
    }

    let request: HTTPRequest
    let bytes: [UInt8]

    /// The outcome of an exchange.
    enum Outcome: Sendable {
        /// The answer, and whether the connection can carry another request.
        case answered(HTTPResponse, isReusable: Bool)
        case failed(HTTPFailure.Reason)
    }

    /// Sends the request and reads the answer.
    func run(on wire: Wire, _ departure: Departure) async -> Outcome {
        guard !Task.isCancelled else { return .failed(.cancelled) }
        guard await wire.send(bytes, ifQuiet: true, departing: { departure.happen() }) else { return .failed(.closed) }
        var decoder = AnswerDecoder(toHead: request.method == .head, limit: request.limit)
        do throws(AnswerDecoder.Fault) {
            while true {
                if let answer = decoder.answer { return .answered(answer, isReusable: decoder.isReusable) }
                switch await wire.receive() {
                case .bytes(let bytes): try decoder.append(bytes)
                case .end(let end): try decoder.end(isWhole: end == .closed)
                }
            }
        } catch { return .failed(reason(error)) }
    }

    private func reason(_ fault: AnswerDecoder.Fault) -> HTTPFailure.Reason {
        switch fault {
        case .notHTTP: .notHTTP
        case .tooLarge: .tooLarge(limit: request.limit)
        case .closed: Task.isCancelled ? .cancelled : .closed
        }
    }
}
