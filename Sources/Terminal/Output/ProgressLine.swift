internal import Synchronization
package import Texts

/// A line on standard error that shows the running step.
///
/// On a terminal the line is rewritten with a clock every second. When the step ends, the line stays, with a mark and the
/// time that the step took. In a pipe or a file, each step is one plain line at its beginning.
package final class ProgressLine: Sendable {
    /// The line of this process. A process has one terminal, and code without an `Output` asks questions on it, too.
    package static let ofProcess = ProgressLine(
        isRewritten: TerminalStyles.areShown(on: StandardStream.errors.rawValue), clock: ContinuousClock(),
        columns: { TerminalWidth.known ?? 40 }, write: { try? StandardStream.errors.write($0) })

    /// A step, and the time since its beginning.
    private struct Step {
        let text: StepText
        let elapsed: @Sendable () -> Duration
        let number: Int
    }

    private struct State {
        var step: Step?
        var count = 0
    }

    private let isRewritten: Bool
    private let clock: any Clock<Duration>
    private let columns: @Sendable () -> Int
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - isRewritten: whether the line is on a terminal that supports escape codes.
    ///   - columns: the width of the terminal, which the user may change at any time.
    package init(
        isRewritten: Bool, clock: any Clock<Duration>, columns: @escaping @Sendable () -> Int,
        write: @escaping @Sendable (String) -> Void
    ) {
        (self.isRewritten, self.clock, self.columns, self.write) = (isRewritten, clock, columns, write)
    }

    /// Ends the present step, and begins another one.
    package func begin(_ text: StepText) {
        guard isRewritten else { return write(VisibleText.of(text.doing) + "\n") }
        let number = state.withLock { state in
            end(&state)
            state.count += 1
            state.step = Step(text: text, elapsed: Self.start(clock), number: state.count)
            draw(state.step)
            return state.count
        }
        Task.detached { [self] in while await tick(number) {} }
    }

    /// Reports that the present step continues. Outputs that show a clock need no report.
    package func go(on text: String) { if !isRewritten { write(VisibleText.of(text) + "\n") } }

    /// Ends the present step before a result or a question is shown.
    package func finish() { state.withLock { end(&$0) } }

    /// Ends the present step as failed.
    package func fail() { state.withLock { end(&$0, isDone: false) } }

    /// Clears the line, writes other text in its place, and shows the line again below.
    package func interrupt(_ body: () -> Void) {
        state.withLock { state in
            if state.step != nil { write(Self.clear) }
            body()
            draw(state.step)
        }
    }

    /// Waits a second, and shows the time that has passed.
    ///
    /// - Returns: whether the step still runs.
    private func tick(_ number: Int) async -> Bool {
        do { try await clock.sleep(for: .seconds(1)) } catch { return false }
        return state.withLock { state in
            guard state.step?.number == number else { return false }
            draw(state.step)
            return true
        }
    }

    private func end(_ state: inout State, isDone: Bool = true) {
        guard let step = state.step else { return }
        state.step = nil
        let time = Self.text(step.elapsed())
        let mark = isDone ? StyledText("✓", .success) : StyledText("✗", .refusal)
        let text = cut(isDone ? step.text.done : step.text.doing, besides: 3 + time.count)
        write(Self.clear + (mark + StyledText(" \(text)") + StyledText(" \(time)", .faint)).text(isStyled: true) + "\n")
    }

    private func draw(_ step: Step?) {
        guard let step else { return }
        let seconds = step.elapsed().components.seconds
        let time = seconds == 0 ? "" : " \(Self.text(.seconds(seconds), isRunning: true))"
        let text = cut(step.text.doing, besides: 2 + time.count)
        write(Self.clear + (StyledText("  \(text)") + StyledText(time, .faint)).text(isStyled: true))
    }

    /// Returns the line, cut to one row of the terminal: a longer line could not be cleared.
    private func cut(_ text: String, besides others: Int) -> String {
        let line = text.replacing("\n", with: " ")
        // The last column stays empty: some terminals move to the next row when it is filled.
        let most = max(1, columns() - 1 - others)
        return line.count <= most ? line : line.prefix(most - 1) + "…"
    }

    /// The codes that move the cursor to the first column and erase the row (ECMA-48, EL).
    private static let clear = "\r\u{1B}[K"

    /// Returns a duration such as `0.4 s`, `12 s` or `2 min 5 s`; whole seconds for a running step.
    private static func text(_ time: Duration, isRunning: Bool = false) -> String {
        let tenths = time.components.seconds * 10 + time.components.attoseconds / 100_000_000_000_000_000
        let seconds = tenths / 10
        if seconds >= 60 { return "\(seconds / 60) min \(seconds % 60) s" }
        return isRunning || seconds >= 10 ? "\(seconds) s" : "\(seconds).\(tenths % 10) s"
    }

    private static func start<Time: Clock>(_ clock: Time) -> @Sendable () -> Duration
    where Time.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
