internal import Foundation
internal import Terminal

/// One operation that is measured.
struct Measurement {
    let name: String
    /// What has to be there before each run, and does not count.
    var prepare: () async throws -> Void = {}
    /// Does the operation once; the round's number makes inputs differ.
    let run: (Int) async throws -> Void
    /// An operation that takes long is run only in every so many-th round.
    var every = 1
    /// How many parties do it, in turn: what is told is the time of one of them.
    var parties = 1
    /// Bytes that one party has sent in the last run.
    var sent: (() throws -> Int)?
}

/// How long an operation took, over several rounds.
struct Timing: Encodable {
    let op: String
    let n: Int
    let median_ns: Int
    let fastest_ns: Int
    /// The median as a multiple of the single-key signature's in the same run. That is what compares machines.
    let single_signatures: Double
    /// What one party sends, where parties send something and it is bounded.
    let sent_bytes: Int?
    /// The most memory that this process ever had, in KiB: an upper bound for each of the operations.
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

    /// Runs all operations in turn, round by round, so that a busy moment of the machine hits all of them alike. Each runs once
    /// untimed before it is timed: or the shortest one would pay for what the others drove out of the caches, and make the
    /// ratios look better than they are.
    ///
    /// - Parameter reference: the operation that the others are compared with.
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
