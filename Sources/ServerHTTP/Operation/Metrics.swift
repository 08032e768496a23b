internal import Synchronization

/// The counters and measurements of the server, in the text format of Prometheus (version 0.0.4). They name no person,
/// device or token.
///
/// A part of the server registers its own numbers once, as a closure that is called at each collection. Such a closure
/// answers from memory, and waits for no disk, store or other server.
package final class Metrics: Sendable {
    /// Upper bounds of the histogram of durations, in seconds.
    package static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

    private struct Route: Hashable {
        let method: String
        let path: String
        let status: Int
    }

    private struct Durations {
        var counts = [Int](repeating: 0, count: buckets.count + 1)
        var seconds = 0.0
    }

    /// A family of numbers that is read at each collection.
    private struct Family {
        let name: String
        let help: String
        let type: String
        /// Returns the labels of each series, as written in braces, and its value.
        let values: @Sendable () -> [(labels: String, value: Double)]
    }

    private struct State {
        var requests: [Route: Int] = [:]
        var durations: [String: Durations] = [:]
        var events: [String: Int] = [:]
        var limits: [String: Int] = [:]
        var families: [Family] = []
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Counted here

    /// Counts a request.
    ///
    /// - Parameter path: the route's pattern, so that a path that a client invents makes no new series.
    package func count(method: String, path: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.requests[Route(method: method, path: path, status: status), default: 0] += 1
            let bucket = Self.buckets.firstIndex { seconds <= $0 } ?? Self.buckets.count
            state.durations[path, default: Durations()].counts[bucket] += 1
            state.durations[path, default: Durations()].seconds += seconds
        }
    }

    /// Counts one security event, by its kind.
    package func count(event: String) {
        state.withLock { $0.events[event, default: 0] += 1 }
    }

    /// Counts one request that a limit refused, by the kind of the limit.
    package func count(limit: String) {
        state.withLock { $0.limits[limit, default: 0] += 1 }
    }

    /// Adds events and limits to the text with zero counts: otherwise an alert on an increase would miss the first one.
    package func begin(events: [String], limits: [String]) {
        state.withLock { state in
            for event in events { state.events[event, default: 0] += 0 }
            for limit in limits { state.limits[limit, default: 0] += 0 }
        }
    }

    // MARK: Registered by other parts

    /// Registers a number that can rise and fall.
    ///
    /// - Parameter value: called at each collection; nil omits the number.
    package func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double?) {
        add(name, help, type: "gauge") { value().map { [("", $0)] } ?? [] }
    }

    /// Registers numbers that can rise and fall, one for each value of a label. The values are the server's own words.
    package func gauge(
        _ name: String, _ help: String, label: String, _ values: @escaping @Sendable () -> [String: Double]
    ) {
        add(name, help, type: "gauge") { Self.labelled(label, values()) }
    }

    /// Registers a number that only rises while the server runs. Its name ends in `_total`.
    package func counter(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double?) {
        add(name, help, type: "counter") { value().map { [("", $0)] } ?? [] }
    }

    /// Registers numbers that only rise while the server runs, one for each value of a label.
    package func counter(
        _ name: String, _ help: String, label: String, _ values: @escaping @Sendable () -> [String: Double]
    ) {
        add(name, help, type: "counter") { Self.labelled(label, values()) }
    }

    private static func labelled(_ label: String, _ values: [String: Double]) -> [(labels: String, value: Double)] {
        values.sorted { $0.key < $1.key }.map { ("{\(label)=\"\($0.key)\"}", $0.value) }
    }

    private func add(
        _ name: String, _ help: String, type: String,
        _ values: @escaping @Sendable () -> [(labels: String, value: Double)]
    ) {
        state.withLock { state in
            precondition(!state.families.contains { $0.name == name }, "a metric is registered once")
            state.families.append(Family(name: name, help: help, type: type, values: values))
        }
    }

    // MARK: The text

    package var text: String {
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
        lines += [
            "# HELP fuekid_limit_refusals_total Requests that a limit refused, by the kind of the limit.",
            "# TYPE fuekid_limit_refusals_total counter",
        ]
        lines += state.limits.map { "fuekid_limit_refusals_total{limit=\"\($0.key)\"} \($0.value)" }.sorted()
        for family in state.families {
            lines.append("# HELP \(family.name) \(family.help)")
            lines.append("# TYPE \(family.name) \(family.type)")
            lines += family.values().map { "\(family.name)\($0.labels) \(Self.number($0.value))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the text of a number; whole numbers have no decimal point.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// A number that a part of the server sets when it changes, for a gauge.
package final class Reading: Sendable {
    private let number = Mutex<Double?>(nil)

    package init() {}

    /// The number; nil until it is known.
    package var value: Double? { number.withLock { $0 } }

    package func set(_ value: Double?) { number.withLock { $0 = value } }
}
