internal import PinnedHTTP
internal import Synchronization

/// The life of a stream: connections one after the other, at times two of them.
final class WebSocketRunner: Sendable {
    /// A connection that is read, with the outcome of the reading.
    private struct Followed: Sendable {
        let connection: WebSocketConnection
        let reading: Task<Reading, Never>
    }

    private enum Reading: Sendable {
        case end(WebSocketEnd)
        case violation(WebSocketViolation)
        /// The stream is over, and takes no more events.
        case stopped
    }

    private struct State {
        var lastNumber = 0
        /// The connection that messages are sent on.
        var current: WebSocketConnection?
        /// All open connections.
        var live: [WebSocketConnection] = []
        /// The replacement that is being made.
        var replacement: Task<WebSocketConnection?, Never>?
        /// The connection that took over from the current one, which is ending.
        var successor: Followed?
        var isClosing = false
        var running: Task<Void, Never>?
    }

    let events: WebSocketEvents
    private let dialer: WebSocketDialer
    private let state = Mutex(State())

    private var policy: WebSocketPolicy { dialer.policy }
    private var clock: any Clock<Duration> { dialer.client.clock }

    init(_ dialer: WebSocketDialer) {
        self.dialer = dialer
        events = WebSocketEvents(dialer.policy)
    }

    func start() {
        let running = Task { await run() }
        state.withLock { $0.running = running }
    }

    // MARK: - The caller's wishes

    func send(_ message: WebSocketMessage) async -> WebSocketSending {
        var tried: WebSocketConnection?
        while let current = state.withLock({ $0.current }), current !== tried {
            let sending = await current.send(message)
            // Another connection may have taken over meanwhile.
            guard sending == .notSent(.notConnected) else { return sending }
            tried = current
        }
        return .notSent(.notConnected)
    }

    func replace() -> WebSocketReplacement {
        state.withLock { state in
            guard let old = state.current, !state.isClosing else { return .notConnected }
            guard state.replacement == nil, state.successor == nil, state.live.count == 1 else { return .unfinished }
            state.replacement = Task { await self.replace(old) }
            return .begun
        }
    }

    /// Closes the connections and waits for their end, for a limited time.
    func close() async {
        let (live, replacement, running) = state.withLock { state in
            state.isClosing = true
            state.current = nil
            return (state.live, state.replacement, state.running)
        }
        for connection in live { await connection.close(.byCaller) }
        running?.cancel()
        replacement?.cancel()
        let timer = Task { [policy, clock] in
            guard (try? await clock.sleep(for: policy.closeTimeout)) != nil else { return }
            self.events.stopWaiting()
            for connection in self.state.withLock({ $0.live }) { connection.cut(.byCaller) }
        }
        await running?.value
        timer.cancel()
    }

    /// Ends the stream at once.
    func end(_ end: Result<Void, WebSocketFailure>) {
        events.finish(end)
        let (live, replacement, running) = state.withLock { state in
            state.isClosing = true
            state.current = nil
            return (state.live, state.replacement, state.running)
        }
        for connection in live { connection.cut(.byCaller) }
        replacement?.cancel()
        running?.cancel()
    }

    // MARK: - One connection after the other

    private func run() async {
        var failures = 0
        while var followed = await establish(&failures) {
            while true {
                let reading = await followed.reading.value
                guard let next = await conclude(followed, reading) else { break }
                followed = next
            }
            guard !isOver else { break }
            failures = followed.connection.isUseful ? 1 : failures + 1
            guard failures < policy.retries.attempts else {
                end(.failure(.lost(await lastEnd(of: followed))))
                break
            }
        }
        end(.success(()))
    }

    /// Whether the present connection has worked for a while, so that earlier failures are forgotten when it ends.
    var isUseful: Bool { state.withLock { $0.current }?.isUseful == true }

    private func lastEnd(of followed: Followed) async -> WebSocketEnd {
        if case .end(let end) = await followed.reading.value { end } else { .cut }
    }

    /// Whether the stream has ended, or ends because the caller closed it.
    private var isOver: Bool { state.withLock { $0.isClosing } || events.isFinished }

    /// Makes a connection, with as many attempts as allowed.
    ///
    /// - Returns: nil if the stream is over.
    private func establish(_ failures: inout Int) async -> Followed? {
        var last: WebSocketDialer.Refused?
        while !isOver {
            if failures > 0 {
                let pause = policy.retries.pause(after: failures, random: dialer.client.random) + (last?.asked ?? .zero)
                if let last { await push(.attemptFailed(last.failure, next: pause)) }
                guard (try? await clock.sleep(for: pause)) != nil else { return nil }
            }
            do throws(WebSocketDialer.Refused) {
                let connection = try await open(losesMessages: true)
                return follow(connection)
            } catch {
                failures += 1
                guard !isOver else { return nil }
                guard error.mayPass, failures < policy.retries.attempts else {
                    end(.failure(error.failure))
                    return nil
                }
                last = error
            }
        }
        return nil
    }

    /// Opens and subscribes a connection.
    ///
    /// - Parameter losesMessages: whether a failed subscription is a gap: true without another connection.
    private func open(losesMessages: Bool) async throws(WebSocketDialer.Refused) -> WebSocketConnection {
        let connection = try await dialer.connect {
            self.state.withLock { state in
                state.lastNumber += 1
                return state.lastNumber
            }
        }
        let number = connection.number
        let isWanted = state.withLock { state in
            guard !state.isClosing else { return false }
            state.live.append(connection)
            return true
        }
        guard isWanted else {
            connection.cut(.byCaller)
            throw WebSocketDialer.Refused(failure: .cancelled, mayPass: false)
        }
        await push(.opened(number))
        let opening = WebSocketOpening(connection: connection) { message in
            await self.push(.message(number, message), of: connection)
        }
        do throws(WebSocketDialer.Refused) { try await dialer.runSubscription(on: opening) } catch {
            connection.cut(.notSubscribed)
            retire(connection)
            let end: WebSocketEnd = if case .lost(let end) = error.failure { end } else { .notSubscribed }
            await push(.closed(number, state.withLock { $0.isClosing } ? .byCaller : end))
            if losesMessages, error.mayPass, !isOver {
                await push(.gap(WebSocketGap(after: number, reason: end, since: connection.caughtUp)))
            }
            throw error
        }
        return connection
    }

    /// Makes a connection the present one, and reads it.
    private func follow(_ connection: WebSocketConnection) -> Followed {
        state.withLock { state in
            if !state.isClosing { state.current = connection }
            return read(connection)
        }
    }

    /// Reads a connection in the background until its end, supervised.
    private func read(_ connection: WebSocketConnection) -> Followed {
        let heartbeat = WebSocketHeartbeat(connection: connection, policy: policy, clock: clock)
        let supervision = Task { await heartbeat.run() }
        let reading = Task { () -> Reading in
            defer { supervision.cancel() }
            await push(.subscribed(connection.number), of: connection)
            while true {
                switch await connection.receive() {
                case .message(let message):
                    guard await push(.message(connection.number, message), of: connection) else {
                        connection.cut(.byCaller)
                        return .stopped
                    }
                case .end(let end): return .end(end)
                case .violation(let violation): return .violation(violation)
                }
            }
        }
        return Followed(connection: connection, reading: reading)
    }

    /// Tells the end of a connection.
    ///
    /// - Returns: the connection that goes on; nil without one.
    private func conclude(_ followed: Followed, _ reading: Reading) async -> Followed? {
        let connection = followed.connection
        let (successor, replacement, isClosing) = state.withLock { state in
            state.live.removeAll { $0 === connection }
            if state.current === connection { state.current = nil }
            return (state.successor.take(), state.replacement.take(), state.isClosing)
        }
        let end: WebSocketEnd
        switch reading {
        case .stopped: end = .byCaller
        case .violation(let violation):
            self.end(.failure(.violation(violation)))
            return nil
        case .end(let read): end = read
        }
        let number = connection.number
        let gap = WebSocketEvent.gap(WebSocketGap(after: number, reason: end, since: connection.caughtUp))
        if isClosing {
            await push(.closed(number, .byCaller))
            if let orphan = await replacement?.value {
                orphan.cut(.byCaller)
                await push(.closed(orphan.number, .byCaller))
            }
            return successor
        }
        await push(.closed(number, end))
        if !connection.hasOverlapped { await push(gap) }
        if let successor { return successor }
        guard let orphan = await replacement?.value else { return nil }
        return follow(orphan)
    }

    // MARK: - Make before break

    /// Makes a connection that takes over from another one.
    ///
    /// - Returns: the connection, if the old one ended before it was subscribed: then it is not read yet.
    private func replace(_ old: WebSocketConnection) async -> WebSocketConnection? {
        let new: WebSocketConnection
        do throws(WebSocketDialer.Refused) { new = try await open(losesMessages: false) } catch {
            state.withLock { $0.replacement = nil }
            if !isOver { await push(.replacementFailed(error.failure)) }
            return nil
        }
        // Until the old connection has shown that it overlaps, nothing is read of the new one: if there is a gap, it is
        // told first.
        let heartbeat = WebSocketHeartbeat(connection: old, policy: policy, clock: clock)
        let timer = Task { await heartbeat.overlap() }
        let overlaps = await old.overlaps()
        timer.cancel()
        let hasTakenOver = state.withLock { state in
            // Otherwise the end of the old connection, which comes or has come, finds the replacement here.
            guard overlaps, state.current === old, !state.isClosing else { return false }
            state.replacement = nil
            state.current = new
            state.successor = read(new)
            return true
        }
        guard hasTakenOver else { return new }
        await old.close(.replaced)
        Task { [policy, clock] in
            guard (try? await clock.sleep(for: policy.closeTimeout)) != nil else { return }
            old.cut(.replaced)
        }
        return nil
    }

    private func retire(_ connection: WebSocketConnection) {
        state.withLock { state in state.live.removeAll { $0 === connection } }
    }

    // MARK: - Events

    /// Adds an event, and waits for the reader if it has to, but not longer than the policy says.
    @discardableResult
    private func push(_ event: WebSocketEvent, of connection: WebSocketConnection? = nil) async -> Bool {
        var timer: Task<Void, Never>?
        return await events.push(event) { isWaiting in
            connection?.stall(isWaiting)
            timer?.cancel()
            guard isWaiting else { return }
            timer = Task { [policy, clock] in
                guard (try? await clock.sleep(for: policy.readerPatience)) != nil else { return }
                self.end(.failure(.readerTooSlow))
            }
        }
    }
}
