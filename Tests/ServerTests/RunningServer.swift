internal import AsyncHTTPClient
internal import NIOCore
internal import ServerHTTP
internal import TestSupport

/// A server on a port of this machine.
protocol ServerOnPort: Sendable {
    var port: UInt16 { get }
}

extension ServerOnPort {
    /// The URL for a browser.
    var url: String { "http://localhost:\(port)" }

    /// Returns the number in the line of `/metrics` that begins with `series`; 0 without one.
    func metric(_ series: String) async throws -> Int {
        let response = try await HTTPClient.shared.get(url: "\(url)/metrics").get()
        let text = response.body.map { String(buffer: $0) } ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(series) ") }
        return line.flatMap { Int($0.dropFirst(series.utf8.count + 1)) } ?? 0
    }

    /// Returns the number of security events of a kind.
    func events(_ kind: String) async throws -> Int {
        try await metric("fuekid_security_events_total{kind=\"\(kind)\"}")
    }
}

/// The built server `fuekid`, listening on 127.0.0.1. It ends with this value.
final class RunningServer: ServerOnPort {
    let program: Companion
    let port: UInt16
    /// The line that it prints when it is ready.
    let greeting: String

    /// Starts it, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - home: its folder, empty or left by an earlier run.
    ///   - port: the port; nil for a free one.
    ///   - settings: by their names in the environment, without `FUEKID_`.
    init(home: String, port: UInt16? = nil, _ settings: [String: String] = [:]) async throws {
        let start = { @Sendable (port: UInt16) in
            let program = try Self.start(home: home, port: port, settings)
            return (program, port, try await program.line(with: "fuekid is ready"))
        }
        if let port {
            (program, self.port, greeting) = try await start(port)
        } else {
            (program, self.port, greeting) = try await FreePort.first(start)
        }
    }

    /// Starts it without waiting.
    static func start(home: String, port: UInt16, _ settings: [String: String] = [:]) throws -> Companion {
        var environment = ["FUEKID_LISTEN": "127.0.0.1:\(port)", "FUEKID_LOG_LEVEL": "notice"]
        for (name, value) in settings { environment["FUEKID_\(name)"] = value }
        return try Companion(
            "\(FuekiCommand.binaries)/fuekid", ["--role", "auth", "--home", home], environment: environment)
    }

    /// Limits that no test reaches unless it is about them.
    static let unlimited = [
        "LIMITS_ADDRESS_BURST": "1000000000", "LIMITS_ACCOUNT_BURST": "1000000000",
        "LIMITS_DEVICE_BURST": "1000000000", "LIMITS_RECOVERY_BURST": "1000000000",
        "LIMITS_NETWORK_BURST": "1000000000", "LIMITS_ALL_RECOVERIES_BURST": "1000000000",
        "LIMITS_ALL_SIGN_UPS_BURST": "1000000000",
        "LIMITS_ADDRESS_CONNECTIONS": "1000000",
    ]

    /// Ends it like an operator.
    ///
    /// - Returns: its exit status.
    @discardableResult
    func stop() async throws -> Int32 {
        program.signal(15)
        return try await program.end()
    }

    /// Ends it like a loss of power.
    func kill() async throws {
        program.signal(9)
        try await program.end()
    }
}
