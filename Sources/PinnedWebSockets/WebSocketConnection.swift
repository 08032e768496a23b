internal import PinnedHTTP
internal import Secrets
internal import Synchronization

/// One established WebSocket connection. One task reads at a time; several may send.
final class WebSocketConnection: Sendable {
    /// The outcome of a read.
    enum Received: Sendable {
        case message(WebSocketMessage)
        case end(WebSocketEnd)
        case violation(WebSocketViolation)
    }

    private struct Ping {
        let payload: [UInt8]
        let isFromHeartbeat: Bool
    }

    private struct State {
        var decoder: WebSocketDecoder
        /// The end that this side began, and the reason for it.
        var ending: WebSocketEnd?
        var hasSentClose = false
        var unsentBytes = 0
        /// The pings without a pong, the oldest first: at most one of each kind.
        var pings: [Ping] = []
        /// Whether the server still served this connection when its replacement was subscribed; nil before it is known.
        var hasOverlapped: Bool?
        var overlapWaiter: CheckedContinuation<Bool, Never>?
        var messages = 0
        var isOld = false
        /// How often the reader's side was waited for, and whether it is now.
        var stalls = 0
        var isStalled = false
        var caughtUp: UInt64
    }

    /// The number within the stream.
    let number: Int
    private let wire: Wire
    private let random: any RandomSource
    private let now: @Sendable () -> UInt64
    private let policy: @Sendable (Wire) -> Bool
    private let limit: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - rest: the bytes that came with the server's answer to the upgrade.
    ///   - policy: returns whether the pin policy in use allows a connection that exists.
    init(
        _ number: Int, on wire: Wire, rest: [UInt8], limit: Int, random: any RandomSource,
        now: @escaping @Sendable () -> UInt64, policy: @escaping @Sendable (Wire) -> Bool
    ) {
        self.number = number
        self.wire = wire
        self.random = random
        self.now = now
        self.policy = policy
        self.limit = limit
        var decoder = WebSocketDecoder(limit: limit)
        decoder.append(rest)
        state = Mutex(State(decoder: decoder, caughtUp: now()))
    }

    // MARK: - Receiving

    /// Waits for the next message or the end. Pings are answered meanwhile: their answers are waited for, so that a
    /// server that sends pings and reads nothing fills no memory.
    func receive() async -> Received {
        let received = await message()
        if case .message = received { return received }
        wire.close()
        settleOverlap(false)
        return received
    }

    private func message() async -> Received {
        while true {
            switch item() {
            case .failure(let violation):
                await sendClose(violation.closeCode)
                return .violation(violation)
            case .success(.message(let message)?):
                state.withLock { $0.messages += 1 }
                return .message(message)
            case .success(.ping(let payload)?): await answer(payload)
            case .success(.pong(let payload)?): take(pong: payload)
            case .success(.close(let code)?):
                await sendClose(code)
                return .end(ending ?? .byServer(code: code))
            case .success(nil):
                if wire.isIdle {
                    let time = now()
                    state.withLock { $0.caughtUp = time }
                }
                guard case .bytes(let bytes) = await wire.receive() else { return .end(ending ?? .cut) }
                state.withLock { $0.decoder.append(bytes) }
            }
        }
    }

    private func item() -> Result<WebSocketDecoder.Item?, WebSocketViolation> {
        state.withLock { state in
            do throws(WebSocketViolation) { return .success(try state.decoder.next()) } catch { return .failure(error) }
        }
    }

    private func answer(_ ping: [UInt8]) async {
        guard state.withLock({ !$0.hasSentClose }) else { return }
        let wire = wire
        await withTaskCancellationHandler {
            _ = await wire.deliver(frame(.pong, ping))
        } onCancel: {
            wire.close()
        }
    }

    /// A server may answer several pings with the pong of the last one (section 5.5.3).
    private func take(pong: [UInt8]) {
        let isLast = state.withLock { state in
            guard let index = state.pings.firstIndex(where: { $0.payload == pong }) else { return false }
            let answered = state.pings[...index]
            state.pings.removeFirst(answered.count)
            return answered.contains { !$0.isFromHeartbeat }
        }
        if isLast { settleOverlap(true) }
    }

    // MARK: - Sending

    /// Sends a message in one frame.
    func send(_ message: WebSocketMessage) async -> WebSocketSending {
        let size = message.count
        guard size <= limit else { return .notSent(.tooLarge) }
        let refusal: WebSocketSending.Refusal? = state.withLock { state in
            if state.hasSentClose || state.ending != nil { return .notConnected }
            if state.unsentBytes > 0, state.unsentBytes + size > WebSocketLimits.unsentBytes { return .congested }
            state.unsentBytes += size
            return nil
        }
        if let refusal { return .notSent(refusal) }
        defer { state.withLock { $0.unsentBytes -= size } }
        let isText = if case .text = message { true } else { false }
        switch await wire.deliver(frame(isText ? .text : .binary, message.bytes)) {
        case .taken: return .sent(connection: number)
        case .refused: return .notSent(.notConnected)
        case .lost: return .unknown(connection: number)
        }
    }

    /// Sends a ping, whose pong ``isPongAwaited`` waits for.
    func ping() async { await ping(isFromHeartbeat: true) }

    private func ping(isFromHeartbeat: Bool) async {
        let payload = random.publicBytes(count: 8)
        let isOpen = state.withLock { state in
            if !state.hasSentClose { state.pings.append(Ping(payload: payload, isFromHeartbeat: isFromHeartbeat)) }
            return !state.hasSentClose
        }
        if isOpen { _ = await wire.send(frame(.ping, payload)) }
    }

    /// Sends a close frame, unless one was sent. No message is sent after it.
    private func sendClose(_ code: UInt16?) async {
        let isFirst = state.withLock { state in
            defer { state.hasSentClose = true }
            return !state.hasSentClose
        }
        guard isFirst else { return }
        let payload = code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? []
        _ = await wire.send(frame(.close, payload))
    }

    private func frame(_ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]) -> [UInt8] {
        let mask = random.publicBytes(count: 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return WebSocketFrame.encode(opcode, payload, mask: mask)
    }

    // MARK: - Ending

    /// Begins the end by this side: the server's close frame ends the connection.
    func close(_ reason: WebSocketEnd) async {
        state.withLock { if $0.ending == nil { $0.ending = reason } }
        await sendClose(1000)
    }

    /// Waits until it is known whether the server still serves this connection, now that its replacement is subscribed.
    ///
    /// The pong of a ping shows it, and that all messages before were read. A server that had given up this connection
    /// earlier would leave a hole that two open sockets do not show.
    ///
    /// - Returns: false if the connection ended first.
    func overlaps() async -> Bool {
        await ping(isFromHeartbeat: false)
        return await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.hasOverlapped == nil { state.overlapWaiter = continuation }
                return state.hasOverlapped
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func settleOverlap(_ hasOverlapped: Bool) {
        let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
            if state.hasOverlapped == nil { state.hasOverlapped = hasOverlapped }
            return state.overlapWaiter.take()
        }
        waiter?.resume(returning: hasOverlapped)
    }

    /// Ends the connection at once. Its reader gets the reason.
    func cut(_ reason: WebSocketEnd) {
        state.withLock { if $0.ending == nil { $0.ending = reason } }
        wire.close()
        settleOverlap(false)
    }

    private var ending: WebSocketEnd? { state.withLock { $0.ending } }

    /// Whether the server still served this connection when its replacement was subscribed.
    var hasOverlapped: Bool { state.withLock { $0.hasOverlapped == true } }

    // MARK: - Supervision

    /// Whether the pong of the heartbeat's last ping is missing.
    var isPongAwaited: Bool { state.withLock { $0.pings.contains { $0.isFromHeartbeat } } }
    /// Whether the pin policy in use allows this connection.
    var isAllowed: Bool { policy(wire) }
    /// The number of messages that came.
    var messages: Int { state.withLock { $0.messages } }
    /// How often its reading has waited, or stopped to wait, for the stream's reader.
    var stalls: Int { state.withLock { $0.stalls } }
    /// Whether its reading waits for the stream's reader: then it sees neither pongs nor messages.
    var isStalled: Bool { state.withLock { $0.isStalled } }
    /// Seconds since 1970 at which all that was received had been read.
    var caughtUp: UInt64 { state.withLock { $0.caughtUp } }
    /// Whether it has worked for a while, and brought a message.
    var isUseful: Bool { state.withLock { $0.isOld && $0.messages > 0 } }

    func stall(_ isStalled: Bool) {
        state.withLock { state in
            state.isStalled = isStalled
            state.stalls += 1
        }
    }

    func age() { state.withLock { $0.isOld = true } }
}
