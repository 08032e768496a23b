// Redeems refresh tokens at a running server, at full speed or at a given rate, and prints one line of JSON.
// scripts/bench-auth starts the server and runs this program.
//
//   AuthLoad PORT PROCESS CONNECTIONS SECONDS [RATE [STORE]]
//
// With STORE, the server's SQLite file, another user makes the most expensive requests meanwhile: see Adversary.

internal import Encoding
internal import Foundation
internal import Tokens

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count >= 4 else { fatalError("AuthLoad PORT PROCESS CONNECTIONS SECONDS [RATE [STORE]]") }
let port = UInt16(arguments[0])
let server = ServerProcess(id: arguments[1])
let (connections, seconds) = (arguments[2], arguments[3])
let rate = arguments.count > 4 ? arguments[4] : nil

// The lower bound of a refresh, for comparison: two P-256 operations, and the cost of a request that is answered at
// once.
let bare = BareOperations.seconds
let empty = Load(on: server, port: port, connections: connections, seconds: 3) { _ in
    { connection, _ in (try? connection.get("/healthz"))?.status == 200 }
}

let adversary = CommandLine.arguments.count > 6 ? Adversary(port: port, store: CommandLine.arguments[6]) : nil
var client = try Client(port: port, url: "http://localhost:\(port)")
try client.signUp()
let tokens = try (0..<connections).map { _ in try client.signIn() }
// Proofs are signed in advance, so that the load competes with the server as little as possible.
let proofCount = min(200_000, seconds * (rate ?? 10_000)) / connections
let proofs = try (0..<connections).map { _ in try (0..<proofCount).map { _ in try client.proof(Client.validation) } }

let refreshes = Load(on: server, port: port, connections: connections, seconds: seconds, rate: rate) { index in
    var token = tokens[index]
    let proofs = proofs[index]
    return { connection, number in
        guard number < proofs.count else { return nil }
        let body = Array("{\"refresh_token\":\"\(token)\"}".utf8)
        guard let answer = try? connection.post(Client.validation, proof: proofs[number], body: body),
            answer.status == 200, let json = try? JSON(decoding: answer.body),
            let next = json["refresh_token"]?.string, next != token
        else { return false }
        token = next
        return true
    }
}

func text(_ number: Double, _ format: String) -> String { String(format: format, number) }
let adversaryText = adversary.map {
    "\"adversary_asked\": \($0.result.asked), \"adversary_answered\": \($0.result.answered), "
}
let ofBare = 1 / refreshes.bestPerCPUSecond / bare
let ofBareAndEmpty = 1 / refreshes.bestPerCPUSecond / (bare + 1 / empty.bestPerCPUSecond)
print(
    """
    {\(adversaryText ?? "")"connections": \(connections), "refreshes": \(refreshes.latencies.count), \
    "failures": \(refreshes.failures), "per_second": \(Int(refreshes.perSecond)), \
    "per_cpu_second": \(Int(refreshes.perCPUSecond)), "best_per_cpu_second": \(Int(refreshes.bestPerCPUSecond)), \
    "p256_sign_and_verify_us": \(text(bare * 1e6, "%.1f")), "empty_request_us": \
    \(text(1e6 / empty.bestPerCPUSecond, "%.1f")), "of_sign_and_verify": \(text(ofBare, "%.2f")), \
    "of_these_and_empty_request": \(text(ofBareAndEmpty, "%.2f")), "p50_ms": \(refreshes.milliseconds(0.5)), \
    "p99_ms": \(refreshes.milliseconds(0.99)), "peak_mib": \(text(server.peakMemory, "%.0f"))}
    """)
