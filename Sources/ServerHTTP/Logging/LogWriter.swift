internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes log lines on a thread of its own, through a bounded queue. A stalled or closed reader, or a full disk, loses
/// lines and never stops the program.
///
/// A line that finds no room, or cannot be written, is dropped and counted. Before the next line that is written, a
/// line reports the number of missing lines.
package final class LogWriter: Sendable {
    private let queue: LogQueue

    /// - Parameters:
    ///   - descriptor: the file descriptor for the lines. The caller owns it and keeps it open.
    ///   - tellingOfDropped: returns the line, with its line feed, that reports the number of dropped lines before it.
    package convenience init(to descriptor: Int32, tellingOfDropped: @escaping @Sendable (Int) -> [UInt8]) {
        self.init(to: descriptor, capacity: ServerHTTPLimits.logBytes, tellingOfDropped: tellingOfDropped)
    }

    /// - Parameter capacity: the highest number of waiting bytes.
    package init(to descriptor: Int32, capacity: Int, tellingOfDropped: @escaping @Sendable (Int) -> [UInt8]) {
        let queue = LogQueue(capacity: capacity)
        self.queue = queue
        let thread = Thread {
            // A write to a pipe without a reader is handled here as an error, whatever the program does with the
            // signal.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            var output = LogOutput(descriptor: descriptor)
            while let entries = queue.next() {
                output.put(entries, of: queue, tellingOfDropped)
                queue.gather()
            }
        }
        thread.name = "log"
        thread.start()
    }

    deinit { queue.end() }

    /// Queues a line, including its line feed. Returns at once, even if the reader stalls.
    package func write(_ line: [UInt8]) { queue.add(line) }

    /// The number of lines dropped since the start.
    package var dropped: Int { queue.dropped }

    /// Waits until the queue is empty, for at most ``Limits/logFlushSeconds``.
    ///
    /// - Returns: whether the queue is empty.
    @discardableResult
    package func flush() -> Bool { flush(within: ServerHTTPLimits.logFlushSeconds) }

    @discardableResult
    package func flush(within seconds: Double) -> Bool { queue.drain(within: seconds) }
}

/// The queue of lines for the writing thread.
package final class LogQueue: Sendable {
    package enum Entry {
        case line([UInt8])
        /// The number of lines that are missing at this position.
        case gap(Int)

        /// The memory of the entry, including the queue's overhead.
        fileprivate var bytes: Int {
            switch self {
            case .line(let line): line.count + 32
            case .gap: 32
            }
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// The memory of all entries, including those that are being written.
        var bytes = 0
        var dropped = 0
        /// The number of dropped lines that no ``Entry/gap(_:)`` reports yet.
        var untold = 0
        var isWriting = false
        var isOver = false
        var waiting: [DispatchSemaphore] = []

        mutating func append(_ entry: Entry) {
            entries.append(entry)
            bytes += entry.bytes
        }

        mutating func tellOfDropped() {
            guard untold > 0 else { return }
            append(.gap(untold))
            untold = 0
        }
    }

    private let capacity: Int
    private let state = Mutex(State())
    /// Signalled when an entry arrives that the thread may be waiting for.
    private let wake = DispatchSemaphore(value: 0)
    /// Signalled when the thread must not wait for more entries.
    private let hurry = DispatchSemaphore(value: 0)

    package init(capacity: Int) { self.capacity = capacity }

    package var dropped: Int { state.withLock(\.dropped) }

    package func add(_ line: [UInt8]) {
        let entry = Entry.line(line)
        let (isFirst, isPressing) = state.withLock { state in
            // A gap entry that reports dropped lines may precede it.
            guard state.bytes + entry.bytes + Entry.gap(0).bytes <= capacity else {
                state.dropped += 1
                state.untold += 1
                return (false, false)
            }
            let (isFirst, hadRoom) = (state.entries.isEmpty, state.bytes <= capacity / 2)
            state.tellOfDropped()
            state.append(entry)
            return (isFirst, hadRoom && state.bytes > capacity / 2)
        }
        if isFirst { wake.signal() }
        if isPressing { hurry.signal() }
    }

    /// Waits for entries and returns them; nil when the queue has ended. The caller has written the entries of the
    /// previous call.
    package func next() -> [Entry]? {
        while true {
            let (entries, isOver) = state.withLock { state in
                let entries = state.entries
                state.entries = []
                state.isWriting = !entries.isEmpty
                if entries.isEmpty {
                    for waiting in state.waiting { waiting.signal() }
                    state.waiting = []
                }
                return (entries, state.isOver)
            }
            if !entries.isEmpty { return entries }
            if isOver { return nil }
            wake.wait()
        }
    }

    /// Waits a moment for more entries, so that many are written with one call and the thread wakes less often. Returns
    /// at once if the queue is half full, or if a caller is waiting until all entries are written.
    package func gather() {
        let deadline = DispatchTime.now() + .milliseconds(ServerHTTPLimits.logGatherMilliseconds)
        while state.withLock({ $0.waiting.isEmpty && !$0.isOver && $0.bytes <= capacity / 2 }),
            hurry.wait(timeout: deadline) == .success
        {}
    }

    /// Records the result for entries that ``next()`` has returned.
    ///
    /// - Parameter written: the number of entries, from the first on, that were written completely.
    package func finish(_ entries: ArraySlice<Entry>, written: Int) {
        state.withLock { state in
            for entry in entries { state.bytes -= entry.bytes }
            for entry in entries.dropFirst(written) {
                switch entry {
                case .line:
                    state.dropped += 1
                    state.untold += 1
                case .gap(let count): state.untold += count
                }
            }
        }
    }

    package func drain(within seconds: Double) -> Bool {
        let waiting = DispatchSemaphore(value: 0)
        let isEmpty = state.withLock { state in
            state.tellOfDropped()
            if state.entries.isEmpty, !state.isWriting { return true }
            state.waiting.append(waiting)
            return false
        }
        if isEmpty { return true }
        hurry.signal()
        wake.signal()
        return waiting.wait(timeout: .now() + seconds) == .success
    }

    /// Lets the thread end when all lines are written.
    package func end() {
        state.withLock { $0.isOver = true }
        hurry.signal()
        wake.signal()
    }
}

/// The descriptor as used by the writing thread.
private struct LogOutput {
    let descriptor: Int32
    /// Whether the last line was written only in part: the next line then begins on a new line.
    private var isMidLine = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes many lines with one call. If a call fails, its remaining lines are dropped, and the next call is tried.
    mutating func put(_ entries: [LogQueue.Entry], of queue: LogQueue, _ tellingOfDropped: (Int) -> [UInt8]) {
        var rest = entries[...]
        while !rest.isEmpty {
            var buffer: [UInt8] = isMidLine ? [UInt8(ascii: "\n")] : []
            var ends: [Int] = []
            for entry in rest {
                switch entry {
                case .line(let line): buffer += line
                case .gap(let count): buffer += tellingOfDropped(count)
                }
                ends.append(buffer.count)
                if buffer.count >= ServerHTTPLimits.logWriteBytes { break }
            }
            let count = put(buffer)
            if count > 0 { isMidLine = count < buffer.count && !ends.contains(count) }
            queue.finish(rest.prefix(ends.count), written: ends.count { $0 <= count })
            rest = rest.dropFirst(ends.count)
        }
    }

    /// Writes bytes.
    ///
    /// - Returns: how many were written: all, or those before an error.
    private func put(_ bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                // The descriptor was inherited in non-blocking mode.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else {
                // No reader (EPIPE), no room (ENOSPC), or another error: these lines are lost, but the next ones may
                // succeed.
                break
            }
        }
        return bytes.count - rest.count
    }
}
