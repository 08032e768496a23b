// Redeems refresh tokens at a running server, as fast as it answers or at a given rate, and prints one line of JSON.
// scripts/bench-auth starts the server and runs this.
//
//   AuthLoad PORT PROCESS CONNECTIONS SECONDS [RATE [STORE]]
//
// With STORE, the server's SQLite file, another user does meanwhile all that costs the store much: see Adversary.

internal import Encoding
internal import Foundation
internal import Synchronization
internal import Tokens

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count >= 4 else { fatalError("AuthLoad PORT PROCESS CONNECTIONS SECONDS [RATE [STORE]]") }
let port = UInt16(arguments[0])
let server = ServerProcess(id: arguments[1])
let (connections, seconds) = (arguments[2], arguments[3])
let rate = arguments.count > 4 ? arguments[4] : nil
let adversary = CommandLine.arguments.count > 6 ? Adversary(port: port, store: CommandLine.arguments[6]) : nil

var client = try Client(port: port, url: "http://localhost:\(port)")
try client.signUp()
let tokens = try (0..<connections).map { _ in try client.signIn() }

// Signed before, so that the load does not compete with the server for more than it must. What signing costs is the
// primitive that everything else is held against.
let proofCount = min(200_000, seconds * (rate ?? 6_000)) / connections
let signingStart = Clock.thread
let proofs = try (0..<connections).map { _ in try (0..<proofCount).map { _ in try client.proof(Client.validation) } }
let signing = (Clock.thread - signingStart) / Double(proofCount * connections)

let results = Mutex<(latencies: [Double], failures: Int)>(([], 0))
let start = Clock.monotonic
let computed = server.seconds
let threads = (0..<connections).map { index in
    let thread = Thread { [token = tokens[index], proofs = proofs[index]] in
        var token = token
        var latencies: [Double] = []
        var failures = 0
        if let connection = try? Connection(port: port) {
            for (number, proof) in proofs.enumerated() {
                var begin = Clock.monotonic
                if let rate {
                    // Each connection has its turns at fixed times, and who has to wait for their turn waits for an answer: slow
                    // answers do not thin out the load, and the delay that they bring to later ones counts.
                    let due = start + Double(number * connections + index) / Double(rate)
                    if due > begin { Thread.sleep(forTimeInterval: due - begin) }
                    begin = due
                }
                guard begin - start < Double(seconds) else { break }
                guard
                    let answer = try? connection.post(
                        Client.validation, proof: proof, body: Array("{\"refresh_token\":\"\(token)\"}".utf8)),
                    answer.status == 200, let json = try? JSON(decoding: answer.body),
                    let next = json["refresh_token"]?.string, next != token
                else {
                    failures += 1
                    break
                }
                token = next
                latencies.append(Clock.monotonic - begin)
            }
        } else {
            failures += 1
        }
        results.withLock {
            $0.latencies += latencies
            $0.failures += failures
        }
    }
    thread.stackSize = 1 << 20
    thread.start()
    return thread
}
while threads.contains(where: { !$0.isFinished }) { usleep(10_000) }
let elapsed = Clock.monotonic - start
let used = server.seconds - computed
let (latencies, failures) = results.withLock { ($0.latencies.sorted(), $0.failures) }

func milliseconds(_ share: Double) -> String {
    guard !latencies.isEmpty else { return "null" }
    return String(format: "%.2f", latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))] * 1000)
}

let adversaryText = adversary.map {
    "\"adversary_asked\": \($0.result.asked), \"adversary_answered\": \($0.result.answered), "
}
print(
    """
    {\(adversaryText ?? "")"connections": \(connections), "refreshes": \(latencies.count), "failures": \(failures), \
    "per_second": \(Int(Double(latencies.count) / elapsed)), \
    "per_cpu_second": \(Int(Double(latencies.count) / max(used, 0.001))), "p50_ms": \(milliseconds(0.5)), \
    "p99_ms": \(milliseconds(0.99)), "peak_mib": \(String(format: "%.0f", server.peakMemory)), \
    "one_p256_signature_us": \(String(format: "%.1f", signing * 1e6))}
    """)
