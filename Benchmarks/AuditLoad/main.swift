// Measures an audit log on one disk: flushes, durable appends one by one and from many tasks, opening and verification.
//
//     AuditLoad FOLDER EVENTS
//
// FOLDER is made and removed. It prints one line of JSON for each measurement.

internal import AuditLog
internal import Foundation
internal import Secrets
internal import Time

/// Keeps what the ports keep in memory: the measurements are of the log alone.
actor Kept: CheckpointStore, EpochSecretStore {
    private var note: SignedNote?
    private var bytes: [UInt8]?

    func last(of origin: String) -> SignedNote? { note }
    func keep(_ note: SignedNote, of checkpoint: Checkpoint) { self.note = note }

    func load() -> SecretBytes? {
        guard var copy = bytes else { return nil }
        return SecretBytes(moving: &copy)
    }

    func replace(with secret: borrowing SecretBytes) { bytes = secret.withUnsafeBytes { Array($0) } }
}

struct Load {
    let folder: String
    let events: Int
    let kept = Kept()
    let clock = ContinuousClock()

    static func secret(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { memory in for index in memory.indices { memory[index] = byte } }
    }

    private func setup() throws -> AuditLogSetup {
        try AuditLogSetup(
            folder: folder + "/log", reader: ReaderKey(Self.secret(2)).publicKey, secrets: kept,
            signer: Ed25519Signer(name: "bench.example/log", seed: Self.secret(1)), checkpoints: kept,
            epochLength: .init(entries: 1 << 16, seconds: 86_400), random: SystemRandom(),
            now: ClockReading.now)
    }

    private func event(_ number: Int) throws -> AuditEvent {
        .server(
            ServerEvent(
                .signedIn, id: try ServerEventID([UInt8](repeating: 6, count: 16)), at: 1_700_000_000_000,
                account: try AuditIdentifier(withUnsafeBytes(of: number, Array.init) + [0, 1, 2, 3]),
                device: try AuditIdentifier([UInt8](repeating: 7, count: 16))))
    }

    private func seconds(since start: ContinuousClock.Instant) -> Double {
        let duration = (clock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
    }

    /// The processor time of this program, which other programs on the machine hardly change.
    private var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private func say(_ name: String, _ values: [(String, Double)]) {
        let fields = values.map { "\"\($0)\":\(($1 * 1_000).rounded() / 1_000)" }
        print("{\"op\":\"\(name)\",\(fields.joined(separator: ","))}")
        fflush(nil)
    }

    /// The rate of flushes of a file that grows, which bounds single appends.
    func flushes() throws {
        let path = folder + "/flushes"
        let file = open(path, O_CREAT | O_RDWR, 0o600)
        defer { close(file) }
        let bytes = [UInt8](repeating: 1, count: 256)
        let start = clock.now
        for number in 0..<1_000 {
            pwrite(file, bytes, bytes.count, off_t(number * bytes.count))
            fdatasync(file)
        }
        say("write_and_fdatasync", [("per_second", 1_000 / seconds(since: start))])
    }

    func run() async throws {
        try flushes()
        var log = try await AuditLog.create(setup())
        let single = min(5_000, events)
        var start = clock.now
        for number in 0..<single { try await log.append(event(number)) }
        say("append_single_durable", [("n", Double(single)), ("per_second", Double(single) / seconds(since: start))])

        for (name, tasks, size) in [("append_256_tasks", 256, 1), ("append_64_tasks_of_64", 64, 64)] {
            start = clock.now
            let cpu = cpuSeconds
            let each = max(1, events / tasks / size)
            let (log, clock) = (log, clock)
            let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
                for task in 0..<tasks {
                    group.addTask {
                        var latencies: [Double] = []
                        latencies.reserveCapacity(each)
                        for round in 0..<each {
                            let batch = try (0..<size).map { try event(task * each + round * size + $0) }
                            let before = clock.now
                            try await log.append(contentsOf: batch)
                            latencies.append(seconds(since: before))
                        }
                        return latencies
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }.sorted()
            }
            let total = seconds(since: start)
            let used = cpuSeconds - cpu
            func percentile(_ share: Double) -> Double { latencies[Int(Double(latencies.count - 1) * share)] * 1_000 }
            say(
                name,
                [
                    ("n", Double(each * tasks * size)), ("per_second", Double(each * tasks * size) / total),
                    ("cpu_us_each", used * 1e6 / Double(each * tasks * size)), ("p50_ms", percentile(0.5)),
                    ("p99_ms", percentile(0.99)), ("max_ms", percentile(1)),
                ])
        }
        start = clock.now
        let note = try await log.close()
        say("close_with_checkpoint", [("seconds", seconds(since: start))])
        start = clock.now
        log = try await AuditLog.open(setup())
        say("open", [("seconds", seconds(since: start))])
        let proved = try await log.checkpoint()
        start = clock.now
        for number in 0..<100 { _ = try await log.proof(of: UInt64(number * 7), in: proved) }
        say("inclusion_proof", [("per_second", 100 / seconds(since: start))])
        try await log.close()

        let reader = try LogReader(at: folder + "/log")
        let checkpoints = [try Checkpoint(parsing: note.text)]
        for (name, key) in [("verify_tree", nil), ("verify_and_open", try ReaderKey(Self.secret(2)))] {
            start = clock.now
            let cpu = cpuSeconds
            let report = try LogVerification.report(
                on: reader, identity: reader.identity, checkpoints: checkpoints, key: key)
            let time = seconds(since: start)
            guard report.findings.isEmpty else { throw AuditLogError.damaged(sequence: report.firstBad ?? 0) }
            say(
                name,
                [
                    ("n", Double(report.size)), ("seconds", time), ("cpu_seconds", cpuSeconds - cpu),
                    ("per_second", Double(report.size) / time),
                ])
        }
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let folder = arguments.first, let events = arguments.last.flatMap(Int.init) else {
    print("usage: AuditLoad FOLDER EVENTS")
    exit(2)
}
try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
do {
    try await Load(folder: folder, events: events).run()
    try FileManager.default.removeItem(atPath: folder)
} catch {
    print("failed: \(error)")
    exit(1)
}
