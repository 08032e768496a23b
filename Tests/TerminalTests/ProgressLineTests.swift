internal import Synchronization
internal import Testing
internal import Texts

@testable internal import Terminal

/// A clock that a test moves.
private final class HandClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        var now = ContinuousClock.now
        var sleepers: [(deadline: Instant, wake: CheckedContinuation<Void, Never>)] = []
        var sleeps = 0
        var waiters: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []

        /// Takes those who wait for a number of sleeps that is reached.
        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            let woken = waiters.filter { $0.count <= sleeps }
            waiters.removeAll { $0.count <= sleeps }
            return woken.map(\.wake)
        }
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    /// How often somebody has begun to sleep.
    var sleeps: Int { state.withLock(\.sleeps) }

    /// Waits until sleeps have begun so many times.
    func waitForSleeps(_ count: Int) async {
        await withCheckedContinuation { wake in
            let woken = state.withLock { state in
                state.waiters.append((count, wake))
                return state.takeWaiters()
            }
            for wake in woken { wake.resume() }
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { wake in
            let woken = state.withLock { state in
                state.sleeps += 1
                state.sleepers.append((deadline, wake))
                return state.takeWaiters()
            }
            for wake in woken { wake.resume() }
        }
    }

    func advance(by time: Duration) {
        let woken = state.withLock { state in
            state.now += time
            let woken = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.wake.resume() }
    }
}

@Suite("The line of the present step", .timeLimit(.minutes(20)))
struct ProgressLineTests {
    private final class Screen: Sendable {
        private let bytes = Mutex("")
        var text: String { bytes.withLock(\.self) }
        func write(_ text: String) { bytes.withLock { $0 += text } }
    }

    private let clock = HandClock()
    private let screen = Screen()
    private let clear = "\r\u{1B}[K"

    private func line(isRewritten: Bool = true, columns: Int = 80) -> ProgressLine {
        ProgressLine(isRewritten: isRewritten, clock: clock, columns: { columns }) { [screen] in screen.write($0) }
    }

    @Test("a step stands with a running clock, and stays with its mark and its time")
    func steps() async {
        let line = line()
        line.begin(StepText("opening the phone share", done: "opened the phone share"))
        await clock.waitForSleeps(1)
        #expect(screen.text == "\(clear)  opening the phone share")
        clock.advance(by: .seconds(1))
        await clock.waitForSleeps(2)
        #expect(screen.text.hasSuffix("\(clear)  opening the phone share\u{1B}[2m 1 s\u{1B}[0m"))
        clock.advance(by: .milliseconds(460))
        line.begin(StepText("signing", done: "signed"))
        #expect(
            screen.text.hasSuffix(
                "\(clear)\u{1B}[32m✓\u{1B}[0m opened the phone share\u{1B}[2m 1.4 s\u{1B}[0m\n\(clear)  signing"))
        clock.advance(by: .seconds(125))
        line.finish()
        #expect(screen.text.hasSuffix("\(clear)\u{1B}[32m✓\u{1B}[0m signed\u{1B}[2m 2 min 5 s\u{1B}[0m\n"))
        // Nothing is drawn after the end.
        let end = screen.text
        clock.advance(by: .seconds(5))
        for _ in 0..<100 { await Task.yield() }
        line.finish()
        #expect(screen.text == end)
    }

    @Test("a note clears the line, and the step stands below it again; an error ends the step with another mark")
    func interruption() {
        let line = line()
        line.begin(StepText("signing", done: "signed"))
        line.interrupt { screen.write("note: it is late\n") }
        #expect(screen.text == "\(clear)  signing\(clear)note: it is late\n\(clear)  signing")
        line.fail()
        #expect(screen.text.hasSuffix("\(clear)\u{1B}[31m✗\u{1B}[0m signing\u{1B}[2m 0.0 s\u{1B}[0m\n"))
        let end = screen.text
        line.interrupt { screen.write("fueki: it failed\n") }
        #expect(screen.text == end + "fueki: it failed\n")
    }

    @Test("in a pipe each step is one plain line, and nothing else is written")
    func pipe() {
        let line = line(isRewritten: false)
        line.begin(StepText("opening the phone share", done: "opened the phone share"))
        clock.advance(by: .seconds(3))
        line.begin(StepText("signing\u{7}", done: "signed"))
        line.go(on: "still waiting (15 s)")
        line.interrupt { screen.write("note: it is late\n") }
        line.fail()
        line.finish()
        #expect(
            screen.text
                == "opening the phone share\nsigning\u{FFFD}\nstill waiting (15 s)\nnote: it is late\n")
        #expect(clock.sleeps == 0)
    }

    @Test("a long step is cut with a mark, and never reaches the last column", arguments: [20, 40, 80])
    func width(columns: Int) async {
        let line = line(columns: columns)
        let words = String(repeating: "long words ", count: 12)
        line.begin(StepText(words, done: words))
        await clock.waitForSleeps(1)
        clock.advance(by: .seconds(1))
        await clock.waitForSleeps(2)
        clock.advance(by: .seconds(100))
        line.finish()
        let rows = screen.text.split(whereSeparator: { $0 == "\n" || $0 == "\r" }).map {
            $0.replacing("\u{1B}[K", with: "").replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }
        #expect(rows.count >= 3)
        for row in rows where !row.isEmpty { #expect(row.count == columns - 1 && row.contains("…"), "\(row)") }
    }

    @Test("text of others cannot rewrite the screen")
    func foreign() {
        let line = line()
        line.begin(StepText("opening \u{1B}[2Ja\rb\nc", done: ""))
        #expect(screen.text == "\(clear)  opening \u{FFFD}[2Ja\u{FFFD}b c")
    }
}
