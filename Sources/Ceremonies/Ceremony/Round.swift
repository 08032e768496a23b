internal import Synchronization

/// What the participants say in one round, all of which are asked at the same time.
///
/// What a round comes to does not depend on the order in which the answers come: it is decided by the first participant, by
/// position, that does not answer as it was asked, once all before it have answered.
final class Round<Answer: Sendable>: Sendable {
    /// What a participant has said.
    typealias Outcome = Result<Answer, CeremonyError>

    /// What a round waits for.
    enum End: Sendable {
        /// Until all have answered, or one has not answered as it was asked and all before it have answered.
        case decided
        /// Until all have said something.
        case complete
    }

    private struct State {
        var outcomes: [Outcome?]
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let end: End
    private let isExpected: @Sendable (Answer) -> Bool

    /// - Parameter count: how many participants are asked.
    init(count: Int, until end: End, isExpected: @escaping @Sendable (Answer) -> Bool = { _ in true }) {
        state = Mutex(State(outcomes: [Outcome?](repeating: nil, count: count)))
        self.end = end
        self.isExpected = isExpected
    }

    /// Asks all at once. Returns when the round has its end, or the deadline has come. Questions that are open then are cancelled,
    /// and their answers are not waited for. If the task is cancelled, the questions are, and what they come to is waited for.
    ///
    /// - Parameters:
    ///   - questions: one for each participant.
    ///   - isExpected: whether an answer is the one that the round is for. Another one decides it, as a failure does.
    /// - Returns: what each participant has said, in the order of the questions; nil for one that has said nothing.
    static func run(
        _ questions: [@Sendable () async -> Outcome], until end: End, within deadline: Deadline,
        isExpected: @escaping @Sendable (Answer) -> Bool = { _ in true }
    ) async -> [Outcome?] {
        let round = Round(count: questions.count, until: end, isExpected: isExpected)
        let tasks = questions.enumerated().map { position, question in
            Task { round.note(await question(), at: position) }
        }
        let timer = Task {
            await deadline.wait()
            round.stop()
        }
        await withTaskCancellationHandler {
            await round.wait()
        } onCancel: {
            for task in tasks { task.cancel() }
        }
        let outcomes = round.outcomes
        timer.cancel()
        for task in tasks { task.cancel() }
        return outcomes
    }

    /// What each participant has said until now.
    var outcomes: [Outcome?] { state.withLock(\.outcomes) }

    /// Notes what a participant has said.
    func note(_ outcome: Outcome, at position: Int) {
        change { state in
            // What comes after the end changes nothing.
            guard !state.isOver else { return }
            state.outcomes[position] = outcome
            state.isOver = isAtEnd(state.outcomes)
        }
    }

    /// Ends the round with what was said until now.
    func stop() { change { $0.isOver = true } }

    private func isAtEnd(_ outcomes: [Outcome?]) -> Bool {
        for outcome in outcomes {
            switch outcome {
            case nil: return false
            case .success(let answer): if end == .decided, !isExpected(answer) { return true }
            case .failure: if end == .decided { return true }
            }
        }
        return true
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            guard state.isOver else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns at the end of the round.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }
}
