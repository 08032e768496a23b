internal import Foundation
internal import Synchronization

/// A load of requests on several connections at once, each with its own thread, and its cost to the server.
struct Load {
    /// The times until an answer, in seconds, in ascending order.
    let latencies: [Double]
    /// The number of connections that ended with a wrong answer.
    let failures: Int
    /// The number of answers per second of the load.
    let perSecond: Double
    /// The number of answers per second of the server's CPU time.
    let perCPUSecond: Double
    /// The same in the best second: in the others another program may have used the machine.
    let bestPerCPUSecond: Double

    private final class Tally: Sendable {
        let results = Mutex<(latencies: [Double], failures: Int)>(([], 0))
        let answered = Atomic<Int>(0)
    }

    /// Sends requests until the time is over or no more are left, and waits for the answers.
    ///
    /// - Parameters:
    ///   - rate: requests a second on all connections together; nil for as many as the server answers.
    ///   - begin: makes the requests of one connection: it returns a closure that takes the number of the request, and
    ///     returns whether the answer was right, or nil if no requests are left.
    init(
        on server: ServerProcess, port: UInt16, connections: Int, seconds: Int, rate: Int? = nil,
        _ begin: @escaping @Sendable (_ index: Int) -> (Connection, Int) -> Bool?
    ) {
        let tally = Tally()
        let start = Clock.monotonic
        let computed = server.seconds
        let threads = (0..<connections).map { index in
            let thread = Thread {
                let request = begin(index)
                var latencies: [Double] = []
                var failures = 0
                if let connection = try? Connection(port: port) {
                    var number = 0
                    while true {
                        var time = Clock.monotonic
                        if let rate {
                            // Each connection sends at fixed times, and a late start counts as waiting for an answer:
                            // slow answers do not thin out the load, and the delay that they cause to later requests
                            // counts.
                            let due = start + Double(number * connections + index) / Double(rate)
                            if due > time { Thread.sleep(forTimeInterval: due - time) }
                            time = due
                        }
                        guard time - start < Double(seconds), let isRight = request(connection, number) else { break }
                        guard isRight else {
                            failures += 1
                            break
                        }
                        latencies.append(Clock.monotonic - time)
                        tally.answered.add(1, ordering: .relaxed)
                        number += 1
                    }
                } else {
                    failures += 1
                }
                tally.results.withLock {
                    $0.latencies += latencies
                    $0.failures += failures
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
            return thread
        }
        var best = 0.0
        var (lastTime, lastAnswered, lastComputed) = (start, 0, computed)
        while threads.contains(where: { !$0.isFinished }) {
            usleep(10_000)
            guard Clock.monotonic - lastTime >= 1 else { continue }
            let (answered, now) = (tally.answered.load(ordering: .relaxed), server.seconds)
            best = max(best, Double(answered - lastAnswered) / max(now - lastComputed, 0.001))
            (lastTime, lastAnswered, lastComputed) = (Clock.monotonic, answered, now)
        }
        (latencies, failures) = tally.results.withLock { ($0.latencies.sorted(), $0.failures) }
        perSecond = Double(latencies.count) / (Clock.monotonic - start)
        perCPUSecond = Double(latencies.count) / max(server.seconds - computed, 0.001)
        bestPerCPUSecond = max(best, perCPUSecond)
    }

    /// Returns the time within which a share of the requests was answered, in milliseconds; `null` without requests.
    func milliseconds(_ share: Double) -> String {
        guard !latencies.isEmpty else { return "null" }
        return String(format: "%.2f", latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))] * 1000)
    }
}
