internal import AsyncHTTPClient
internal import NIOCore
internal import TestSupport

/// The server `fuekid` as it was built beside these tests, listening on 127.0.0.1. It ends with this value.
final class RunningServer: Sendable {
    let program: Companion
    let port: UInt16
    /// What it prints when it is ready.
    let greeting: String

    /// Starts it, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - home: its folder, as a first start finds it or an earlier one has left it.
    ///   - port: to listen on; nil takes a free one.
    ///   - settings: by their names in the environment, without `FUEKID_`.
    init(home: String, port: UInt16? = nil, _ settings: [String: String] = [:]) async throws {
        self.port = try port ?? FreePort.any()
        program = try Self.start(home: home, port: self.port, settings)
        greeting = try await program.line(with: "fuekid is ready")
    }

    /// Starts it, and does not wait.
    static func start(home: String, port: UInt16, _ settings: [String: String] = [:]) throws -> Companion {
        var environment = ["FUEKID_LISTEN": "127.0.0.1:\(port)", "FUEKID_LOG_LEVEL": "notice"]
        for (name, value) in settings { environment["FUEKID_\(name)"] = value }
        return try Companion(
            "\(FuekiCommand.binaries)/fuekid", ["--role", "auth", "--home", home], environment: environment)
    }

    /// Limits that no test runs into which is not about them.
    static let unlimited = [
        "LIMITS_ADDRESS_BURST": "1000000000", "LIMITS_ACCOUNT_BURST": "1000000000",
        "LIMITS_DEVICE_BURST": "1000000000", "LIMITS_RECOVERY_BURST": "1000000000",
        "LIMITS_NETWORK_BURST": "1000000000", "LIMITS_ALL_RECOVERIES_BURST": "1000000000",
        "LIMITS_ALL_SIGN_UPS_BURST": "1000000000",
        "LIMITS_ADDRESS_CONNECTIONS": "1000000",
    ]

    /// Where a browser finds it.
    var url: String { "http://localhost:\(port)" }

    /// The number behind a line of `/metrics`, which begins with `series`; 0 if there is none.
    func metric(_ series: String) async throws -> Int {
        let response = try await HTTPClient.shared.get(url: "\(url)/metrics").get()
        let text = response.body.map { String(buffer: $0) } ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(series) ") }
        return line.flatMap { Int($0.dropFirst(series.utf8.count + 1)) } ?? 0
    }

    /// How many security events of a kind there were.
    func events(_ kind: String) async throws -> Int {
        try await metric("fuekid_security_events_total{kind=\"\(kind)\"}")
    }

    /// Ends it as an operator does. - Returns: its exit status.
    @discardableResult
    func stop() async throws -> Int32 {
        program.signal(15)
        return try await program.end()
    }

    /// Ends it as a loss of power would.
    func kill() async throws {
        program.signal(9)
        try await program.end()
    }
}
