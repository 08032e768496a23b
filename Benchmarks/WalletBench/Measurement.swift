internal import Foundation

/// A benchmark: one operation with its preparation.
struct Measurement {
    let name: String
    /// Prepares a run. Its time is not measured.
    var prepare: () async throws -> Void = {}
    /// Performs the operation once. The round number makes the inputs differ.
    let run: (Int) async throws -> Void
    /// The interval between runs in rounds: slow operations do not run in every round.
    var every = 1
    /// The number of parties that perform the operation one after another. The reported time is the time of one party.
    var parties = 1
    /// The number of bytes that one party sent in the last run.
    var sent: (() throws -> Int)?
}

/// The duration of an operation over several rounds.
struct Timing: Encodable {
    let op: String
    let n: Int
    let median_ns: Int
    let fastest_ns: Int
    /// The median divided by the median of the single-key signature in the same run. This ratio makes machines
    /// comparable.
    let single_signatures: Double
    /// The number of bytes that one party sends; nil for operations without messages or without a bound on them.
    let sent_bytes: Int?
    /// The peak memory of this process in KiB: an upper bound for each operation.
    let peak_memory_kib: Int

    init(_ name: String, _ samples: [Int], reference: Int, sent: Int? = nil) {
        let sorted = samples.sorted()
        op = name
        n = sorted.count
        median_ns = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        fastest_ns = sorted.first ?? 0
        sent_bytes = sent
        peak_memory_kib = Self.peakMemory
        single_signatures = reference == 0 ? 0 : (Double(median_ns) / Double(reference) * 100).rounded() / 100
    }

    private static var peakMemory: Int {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss / 1_024
        #else
            getrusage(RUSAGE_SELF.rawValue, &usage)
            return usage.ru_maxrss
        #endif
    }

    /// Runs all operations in turn, round by round, so that other load on the machine affects all of them alike. Each
    /// operation runs once untimed before its timed run. Otherwise the shortest operation would pay for the cache lines
    /// that the others evicted, and the ratios would look better than they are.
    ///
    /// - Parameter reference: the name of the operation that is the unit of the ratios.
    static func measure(_ operations: [Measurement], rounds: Int, reference: String) async throws -> [Timing] {
        var samples = [[Int]](repeating: [], count: operations.count)
        let clock = ContinuousClock()
        for round in 0..<rounds {
            for (number, operation) in operations.enumerated() where round % operation.every == 0 {
                try await operation.prepare()
                try await operation.run(round)
                try await operation.prepare()
                let start = clock.now
                try await operation.run(round)
                let duration = (clock.now - start).components
                samples[number].append(
                    (Int(duration.seconds) * 1_000_000_000 + Int(duration.attoseconds / 1_000_000_000))
                        / operation.parties)
            }
        }
        let index = operations.firstIndex { $0.name == reference }
        let median = index.map { Timing("", samples[$0], reference: 0).median_ns } ?? 0
        return try zip(operations, samples).map { Timing($0.name, $1, reference: median, sent: try $0.sent?()) }
    }
}
