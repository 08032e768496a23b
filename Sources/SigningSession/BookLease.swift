internal import Custody
internal import Time
internal import WalletBooks

/// The times at which a ``SigningFlow`` has the wallet's book open.
///
/// The book is open while a step of the flow needs it. Between steps it stays open until the flow is closed, or waits
/// for a block: then another program may have it, and the next step opens it again. Several tasks may take steps and
/// wait at once: the book is never closed during a step.
actor BookLease {
    private let book: WalletBook
    /// The number of steps in progress.
    private var steps = 0
    /// Whether the book stays open between steps.
    private var isKept = true
    private var isOpen = true
    private var isClosed = false
    /// Held while the book is being opened or closed, which takes a while: other callers wait.
    private let lock = AsyncLock()
    /// The callers of ``close()`` that wait for the last step.
    private var closers: [CheckedContinuation<Void, Never>] = []

    /// Creates a lease.
    ///
    /// - Parameter book: the open book.
    init(of book: WalletBook) { self.book = book }

    /// Begins a step. Each successful call needs an ``end()``.
    ///
    /// - Parameters:
    ///   - isKept: whether the book stays open after the step: not for a read during a wait.
    ///   - open: opens the book again.
    /// - Throws: ``SigningError/flow(_:)`` with ``FlowFault/closed``, and the errors of `open`.
    func begin(
        keeping isKept: Bool, _ open: @Sendable () async throws(CustodyError) -> Void
    ) async throws(SigningError) {
        await lock.lock()
        defer { lock.unlock() }
        // A step that began before the flow was closed is completed, with all of its parts.
        guard !isClosed || steps > 0 else { throw .flow(.closed) }
        if !isOpen {
            try await attempt(open)
            isOpen = true
        }
        steps += 1
        if isKept, !isClosed { self.isKept = true }
    }

    /// Ends a step.
    func end() async {
        await lock.lock()
        defer { lock.unlock() }
        steps -= 1
        await closeIfIdle()
    }

    /// Releases the book for a wait, as soon as no step needs it.
    func lend() async {
        await lock.lock()
        defer { lock.unlock() }
        isKept = false
        await closeIfIdle()
    }

    /// Closes the book for good, when the steps in progress have ended. A second call changes nothing.
    func close() async {
        await lock.lock()
        isClosed = true
        isKept = false
        await closeIfIdle()
        lock.unlock()
        while steps > 0 { await withCheckedContinuation { closers.append($0) } }
    }

    private func closeIfIdle() async {
        guard steps == 0 else { return }
        if !isKept, isOpen {
            isOpen = false
            await book.close()
        }
        if isClosed {
            for closer in closers { closer.resume() }
            closers = []
        }
    }
}
