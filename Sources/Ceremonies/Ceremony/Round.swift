internal import Synchronization

/// The answers of one round, in which all participants are asked at the same time.
///
/// The result does not depend on the order in which answers arrive: the first participant, by position, that does not
/// answer correctly decides it, once all before it have answered.
final class Round<Answer: Sendable>: Sendable {
    /// A participant's answer or error.
    typealias Outcome = Result<Answer, CeremonyError>

    /// The condition that ends a round.
    enum End: Sendable {
        /// The round ends when all have answered, or one has failed and all before it have answered.
        case decided
        /// The round ends when all have answered or failed.
        case complete
    }

    private struct State {
        var outcomes: [Outcome?]
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let end: End

    /// - Parameter count: the number of participants that are asked.
    init(count: Int, until end: End) {
        state = Mutex(State(outcomes: [Outcome?](repeating: nil, count: count)))
        self.end = end
    }

    /// Asks all at once. Returns when the round ends, or at the deadline. Open questions are then cancelled, and their
    /// answers are not waited for. If the task is cancelled, so are the questions, and their results are waited for.
    ///
    /// - Parameter questions: one for each participant.
    /// - Returns: the outcomes in the order of the questions; nil for a participant that has not answered.
    static func run(
        _ questions: [@Sendable () async -> Outcome], until end: End, within deadline: Deadline
    ) async -> [Outcome?] {
        let round = Round(count: questions.count, until: end)
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

    /// The outcomes until now.
    var outcomes: [Outcome?] { state.withLock(\.outcomes) }

    /// Records a participant's outcome.
    func note(_ outcome: Outcome, at position: Int) {
        change { state in
            // Outcomes after the end are ignored.
            guard !state.isOver else { return }
            state.outcomes[position] = outcome
            state.isOver = isAtEnd(state.outcomes)
        }
    }

    /// Ends the round with the outcomes until now.
    func stop() { change { $0.isOver = true } }

    private func isAtEnd(_ outcomes: [Outcome?]) -> Bool {
        for outcome in outcomes {
            switch outcome {
            case nil: return false
            case .success: break
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
