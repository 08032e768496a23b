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

    /// Sends the request and reads the answer.
    ///
    /// - Returns: the answer, and whether the connection can carry another request.
    func run(on wire: Wire, _ departure: Departure) async -> Result<(HTTPResponse, isReusable: Bool), HTTPFailure> {
        guard await wire.send(bytes, departing: { departure.happen() }) else {
            return .failure(HTTPFailure(.closed, mayHaveArrived: departure.hasHappened))
        }
        var decoder = AnswerDecoder(toHead: request.method == .head, limit: request.limit)
        do throws(AnswerDecoder.Fault) {
            while true {
                if let answer = decoder.answer { return .success((answer, decoder.isReusable)) }
                switch await wire.receive() {
                case .bytes(let bytes): try decoder.append(bytes)
                case .end(let end): try decoder.end(isWhole: end == .closed)
                }
            }
        } catch {
            return .failure(HTTPFailure(reason(error), mayHaveArrived: departure.hasHappened))
        }
    }

    private func reason(_ fault: AnswerDecoder.Fault) -> HTTPFailure.Reason {
        switch fault {
        case .notHTTP: .notHTTP
        case .tooLarge: .tooLarge(limit: request.limit)
        case .closed: Task.isCancelled ? .cancelled : .closed
        }
    }
}
