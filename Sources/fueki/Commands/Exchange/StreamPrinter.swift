internal import ErrorTexts
internal import Exchange
internal import ExchangeViews
internal import Terminal
internal import Texts

/// Prints the events of a stream until it ends, its reader goes away or stalls, or a signal arrives.
struct StreamPrinter: Sendable {
    /// The time for which the reader may take nothing.
    private static let patience = Duration.seconds(30)
    /// The pause between two looks for a signal or a reader that went away.
    private static let look = Duration.milliseconds(100)

    private let output: Output
    private let writer = SteadyWriter(patience: Self.patience, clock: ContinuousClock())
    private let clock = ExchangeClock.system

    init(_ output: Output) { self.output = output }

    func run(_ stream: ExchangeStream) async throws(Failure) {
        let watcher = Task {
            while !HeldSignals.isPending, !writer.isAbandoned {
                do { try await Task.sleep(for: Self.look) } catch { return }
            }
            await stream.close()
        }
        defer { watcher.cancel() }
        do throws(Failure) {
            try await print(stream)
        } catch {
            await stream.close()
            throw error
        }
        await stream.close()
    }

    private func print(_ stream: ExchangeStream) async throws(Failure) {
        var events = stream.makeAsyncIterator()
        while !HeldSignals.isPending {
            let event: StreamEvent
            do throws(ExchangeError) {
                guard let next = try await events.next() else { return }
                event = next
            } catch { throw error.failure }
            let view = StreamEventView(event, now: clock.now(), zone: .ofSystem)
            let bytes = output.bytes(ofLine: view) { view.text }
            switch try await writer.write(bytes, unless: { HeldSignals.isPending }) {
            case .written: continue
            case .abandoned, .stopped: return
            case .stalled: throw .stalledOutput
            }
        }
    }
}
