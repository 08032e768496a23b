internal import Synchronization

/// The events that wait for the reader of a stream: a bounded queue.
final class WebSocketEvents: Sendable {
    private struct Reader {
        let id: UInt64
        let continuation: CheckedContinuation<Result<WebSocketEvent?, WebSocketFailure>, Never>
    }

    private struct State {
        var events: [WebSocketEvent] = []
        /// The position of the next event in `events`.
        var position = 0
        var bytes = 0
        var readers: [Reader] = []
        var writers: [CheckedContinuation<Void, Never>] = []
        var end: Result<Void, WebSocketFailure>?
        /// Whether nothing waits for room.
        var isClosing = false
        var nextID: UInt64 = 0
        /// Readers that were cancelled before they waited.
        var cancelled: Set<UInt64> = []

        var count: Int { events.count - position }

        mutating func take() -> WebSocketEvent? {
            guard position < events.count else { return nil }
            let event = events[position]
            position += 1
            bytes -= event.size
            // Each event moves at most once: the removed half is as large as the kept one.
            if position * 2 >= events.count {
                events.removeFirst(position)
                position = 0
            }
            return event
        }
    }

    private enum Offer {
        case taken
        case full
        case over
    }

    private let maximumCount: Int
    private let maximumBytes: Int
    private let state = Mutex(State())

    init(_ policy: WebSocketPolicy) {
        maximumCount = policy.bufferedEvents
        maximumBytes = policy.bufferedBytes
    }

    // MARK: - The stream's side

    /// Adds an event. If the queue is full, waits for room.
    ///
    /// - Parameter waiting: is called with true before the first wait, and with false after the last.
    /// - Returns: false if the stream is over, or closes while the queue is full: then the event is dropped.
    func push(_ event: WebSocketEvent, waiting: (Bool) -> Void) async -> Bool {
        var hasWaited = false
        defer { if hasWaited { waiting(false) } }
        while true {
            switch offer(event) {
            case .taken: return true
            case .over: return false
            case .full:
                if !hasWaited { waiting(true) }
                hasWaited = true
                await room(for: event)
            }
        }
    }

    private func offer(_ event: WebSocketEvent) -> Offer {
        let (offer, reader): (Offer, Reader?) = state.withLock { state in
            guard state.end == nil else { return (.over, nil) }
            if !state.readers.isEmpty { return (.taken, state.readers.removeFirst()) }
            guard fits(event, state) else { return (state.isClosing ? .over : .full, nil) }
            state.events.append(event)
            state.bytes += event.size
            return (.taken, nil)
        }
        reader?.continuation.resume(returning: .success(event))
        return offer
    }

    private func fits(_ event: WebSocketEvent, _ state: State) -> Bool {
        state.count == 0 || state.count < maximumCount && state.bytes + event.size <= maximumBytes
    }

    private func room(for event: WebSocketEvent) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.end != nil || state.isClosing || fits(event, state) { return true }
                state.writers.append(continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Makes a full queue drop events in place of waiting.
    func stopWaiting() { wakeWriters { $0.isClosing = true } }

    /// Ends the stream. The reader first gets the events that are here.
    func finish(_ end: Result<Void, WebSocketFailure>) {
        wakeWriters { if $0.end == nil { $0.end = end } }
        let readers: [Reader] = state.withLock { state in
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.resume(returning: end.map { nil }) }
    }

    /// Whether the stream is over.
    var isFinished: Bool { state.withLock { $0.end != nil } }

    private func wakeWriters(_ change: (inout State) -> Void) {
        let writers: [CheckedContinuation<Void, Never>] = state.withLock { state in
            change(&state)
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.resume() }
    }

    // MARK: - The reader's side

    /// Waits for the next event; nil at the end.
    func next() async throws(WebSocketFailure) -> WebSocketEvent? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = takeOrWait(Reader(id: id, continuation: continuation)) {
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            let reader: Reader? = state.withLock { state in
                guard let index = state.readers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.readers.remove(at: index)
            }
            reader?.continuation.resume(returning: .failure(.cancelled))
        }
        _ = state.withLock { $0.cancelled.remove(id) }
        return try result.get()
    }

    private func takeOrWait(_ reader: Reader) -> Result<WebSocketEvent?, WebSocketFailure>? {
        var result: Result<WebSocketEvent?, WebSocketFailure>?
        wakeWriters { state in
            if state.cancelled.contains(reader.id) {
                result = .failure(.cancelled)
            } else if let event = state.take() {
                result = .success(event)
            } else if let end = state.end {
                result = end.map { nil }
            } else {
                state.readers.append(reader)
            }
        }
        return result
    }
}

extension WebSocketEvent {
    /// The size of the message in the buffer.
    var size: Int { if case .message(_, let message) = self { message.count } else { 0 } }
}
