internal import PinnedHTTP

/// Makes connections of a stream: TLS with the pin, the upgrade, the subscription.
struct WebSocketDialer: Sendable {
    /// A failure, and whether another attempt is made.
    struct Refused: Error {
        let failure: WebSocketFailure
        let mayPass: Bool
        /// The pause that the server asks for, in addition to that of the policy.
        var asked = Duration.zero
    }

    let client: PinnedClient
    let request: WebSocketRequest
    let policy: WebSocketPolicy
    let subscribe: @Sendable (WebSocketOpening) async throws -> Void

    /// Connects, with the same checks as a request, and changes the protocol.
    ///
    /// - Parameter number: returns the number of the connection once it is there.
    func connect(_ number: @escaping @Sendable () -> Int) async throws(Refused) -> WebSocketConnection {
        let wire: Wire
        do throws(HTTPFailure) { wire = try await client.connect(to: request.origin) } catch {
            throw Refused(
                failure: .connection(error.reason), mayPass: RetryPolicy.mayPass(error.reason))
        }
        let outcome = await TimeLimit.run(client.configuration.connectTimeout, client.clock) {
            await upgrade(wire, number)
        }
        switch outcome.value {
        case .success(let connection): return connection
        case .failure(let refused):
            wire.close()
            guard outcome.isOver else { throw refused }
            throw Refused(failure: .connection(.timedOut(.connecting)), mayPass: true)
        }
    }

    private func upgrade(
        _ wire: Wire, _ number: @Sendable () -> Int
    ) async -> Result<WebSocketConnection, Refused> {
        var upgrade = WebSocketUpgrade(request, random: client.random)
        let request = upgrade.encoded(userAgent: client.configuration.userAgent)
        guard await wire.send(request, ifQuiet: true) else {
            return .failure(Refused(failure: .connection(.closed), mayPass: true))
        }
        while true {
            guard case .bytes(let bytes) = await wire.receive() else {
                let reason: HTTPFailure.Reason = Task.isCancelled ? .cancelled : .closed
                return .failure(Refused(failure: .connection(reason), mayPass: RetryPolicy.mayPass(reason)))
            }
            do throws(WebSocketHandshakeFault) {
                switch try upgrade.append(bytes) {
                case nil: continue
                case .refused(let response): return .failure(refusal(response))
                case .upgraded(let rest):
                    return .success(
                        WebSocketConnection(
                            number(), on: wire, rest: rest, limit: policy.messageBytes, random: client.random,
                            now: client.now, policy: { [client] in client.allows($0) }))
                }
            } catch {
                return .failure(Refused(failure: .handshake(error), mayPass: false))
            }
        }
    }

    /// Decides by the status as `RetryPolicy` does for a request.
    private func refusal(_ response: HTTPResponse) -> Refused {
        let delay = policy.retries.delay(asked: response, now: client.now())
        return Refused(failure: .refused(status: response.status), mayPass: delay != nil, asked: delay ?? .zero)
    }

    /// Runs the caller's subscription on a new connection.
    func runSubscription(on opening: WebSocketOpening) async throws(Refused) {
        let subscribe = subscribe
        let outcome = await TimeLimit.run(policy.subscribeTimeout, client.clock) { () async -> Refused? in
            do {
                try await subscribe(opening)
                return nil
            } catch let failure as WebSocketFailure {
                let isLost = if case .lost = failure { true } else { false }
                return Refused(failure: failure, mayPass: isLost)
            } catch {
                return Refused(failure: .subscriptionFailed, mayPass: false)
            }
        }
        if outcome.isOver { throw Refused(failure: .subscriptionTimedOut, mayPass: true) }
        if let refused = outcome.value { throw refused }
    }
}
