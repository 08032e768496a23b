internal import Synchronization

/// What the server counts, in the text format of Prometheus (version 0.0.4). Nothing in it names a person, a device or a token.
final class Metrics: Sendable {
    /// Upper bounds of the histogram of durations, in seconds.
    static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    private struct Route: Hashable {
        let method: String
        let path: String
        let status: Int
    }

    private struct Durations {
        var counts = [Int](repeating: 0, count: buckets.count + 1)
        var seconds = 0.0
    }

    private struct State {
        var requests: [Route: Int] = [:]
        var durations: [String: Durations] = [:]
        var events: [String: Int] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter path: the route's pattern, so that what a client writes into an address makes no new series.
    func count(method: String, path: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.requests[Route(method: method, path: path, status: status), default: 0] += 1
            let bucket = Self.buckets.firstIndex { seconds <= $0 } ?? Self.buckets.count
            state.durations[path, default: Durations()].counts[bucket] += 1
            state.durations[path, default: Durations()].seconds += seconds
        }
    }

    /// One security event, by its kind.
    func count(event: String) {
        state.withLock { $0.events[event, default: 0] += 1 }
    }

    var text: String {
        let state = state.withLock { $0 }
        var lines = [
            "# HELP fuekid_requests_total Requests answered.", "# TYPE fuekid_requests_total counter",
        ]
        lines += state.requests.map { route, count in
            "fuekid_requests_total{method=\"\(route.method)\",path=\"\(route.path)\",status=\"\(route.status)\"} \(count)"
        }.sorted()
        lines += [
            "# HELP fuekid_request_duration_seconds How long answers took.",
            "# TYPE fuekid_request_duration_seconds histogram",
        ]
        for (path, durations) in state.durations.sorted(by: { $0.key < $1.key }) {
            var sum = 0
            for (count, bound) in zip(durations.counts, Self.buckets.map { "\($0)" } + ["+Inf"]) {
                sum += count
                lines.append("fuekid_request_duration_seconds_bucket{path=\"\(path)\",le=\"\(bound)\"} \(sum)")
            }
            lines.append("fuekid_request_duration_seconds_sum{path=\"\(path)\"} \(durations.seconds)")
            lines.append("fuekid_request_duration_seconds_count{path=\"\(path)\"} \(sum)")
        }
        lines += [
            "# HELP fuekid_security_events_total Security events, by kind.",
            "# TYPE fuekid_security_events_total counter",
        ]
        lines += state.events.map { "fuekid_security_events_total{kind=\"\($0.key)\"} \($0.value)" }.sorted()
        return lines.joined(separator: "\n") + "\n"
    }
}
