internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A TPM emulator (swtpm) on a unix socket, whose state outlives its power. It ends with this value, and with this process.
///
/// It serves one connection at a time, and has no resource manager: what a program leaves in it stays.
public final class SwTPM: @unchecked Sendable {
    // `@unchecked`: a test that switches the power does nothing else with the emulator meanwhile.

    private let folder: TemporaryFolder
    private var emulator: Companion?

    /// The lockout authorization after ``protectLockout()``.
    public static let lockoutPassword = "lockout password"

    /// Makes a TPM and switches it on.
    public init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/state", withIntermediateDirectories: false)
        try switchOn()
    }

    /// The path of its socket.
    public var socket: String { "\(folder.path)/tpm" }

    /// The address of its socket, as tpm2-tss has it.
    public var address: String { "swtpm:path=\(socket)" }

    /// Cuts the power: the TPM is told nothing.
    public func cutPower() async throws {
        emulator?.signal(SIGKILL)
        try await emulator?.end()
        emulator = nil
    }

    /// Switches it on, with the state of before, and does what a machine's firmware does then (`TPM2_Startup`).
    public func switchOn() throws {
        for path in [socket, "\(socket).ctrl"] { try? FileManager.default.removeItem(atPath: path) }
        let emulator = try Companion(
            Peer.systemPath(of: "swtpm") ?? "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder.path)/state", "--server", "type=unixio,path=\(socket)",
                "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init,startup-clear",
            ])
        // The control socket is made first, the other one last.
        try Patience.block(for: "the socket of swtpm") {
            guard emulator.status == nil else {
                throw Companion.Failure(description: "swtpm has not begun: \(emulator.errors)\(emulator.output)")
            }
            return Self.listens(on: socket)
        }
        self.emulator = emulator
    }

    /// Whether a program listens on a Unix socket. The socket's file is there before: a connection would be refused.
    private static func listens(on path: String) -> Bool {
        // Foundation reads one page of this file.
        guard let file = fopen("/proc/net/unix", "r") else { return false }
        defer { fclose(file) }
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = fread(&part, 1, part.count, file)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        let sockets = String(decoding: bytes, as: UTF8.self)
        // The fourth column has the flag of a socket that accepts connections (`__SO_ACCEPTCON`).
        return sockets.split(separator: "\n").contains { $0.hasSuffix(" \(path)") && $0.contains(" 00010000 ") }
    }

    /// Cuts the power, and switches it on again.
    public func cutPowerAndSwitchOn() async throws {
        try await cutPower()
        try switchOn()
    }

    /// Runs one of tpm2-tools, and returns its output.
    @discardableResult
    public func tool(_ name: String, _ arguments: String...) throws -> String {
        let path = Peer.path(of: "tpm2_\(name)") ?? "/usr/bin/tpm2_\(name)"
        let outcome = try Program.run(path, arguments, environment: ["TPM2TOOLS_TCTI": address], in: folder.path)
        guard outcome.isSuccess else {
            throw Program.Failure.failed(program: path, status: outcome.status, errors: outcome.errors + outcome.output)
        }
        return outcome.output
    }

    /// Sets the lockout authorization, as an administrator should.
    public func protectLockout() throws { try tool("changeauth", "-c", "lockout", Self.lockoutPassword) }

    /// The number of wrong authorizations that the TPM remembers.
    public var failures: Int {
        get throws {
            let properties = try tool("getcap", "properties-variable")
            let line = properties.split(separator: "\n").first { $0.hasPrefix("TPM2_PT_LOCKOUT_COUNTER:") }
            guard let text = line?.split(separator: " ").last, let number = Int(text.dropFirst(2), radix: 16) else {
                throw Companion.Failure(description: "no lockout counter: \(properties)")
            }
            return number
        }
    }

    /// The handles of objects and sessions in the TPM.
    public var leftovers: [String] {
        get throws {
            try ["transient", "loaded-session", "saved-session"].flatMap {
                try tool("getcap", "handles-\($0)").split(separator: "\n").map(String.init)
            }
        }
    }

    static var isInstalled: Bool {
        Peer.systemPath(of: "swtpm") != nil && Peer.path(of: "tpm2_getcap") != nil
    }
}
