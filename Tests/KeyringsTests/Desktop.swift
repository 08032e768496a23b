internal import Foundation
internal import Secrets
internal import SecureStorage
internal import TestSupport
internal import Testing

@testable internal import Keyrings

/// The reason why the session does not do what a test needs.
struct DesktopFailure: Error, CustomStringConvertible {
    let description: String
}

/// A desktop session of its own: a bus, and on it GNOME Keyring, KeePassXC or a double of one, with files in a folder of its own.
///
/// Everything is stopped with this value, by its process id.
final class Desktop: @unchecked Sendable {
    // `@unchecked`: a test uses it from one task at a time.

    enum Provider {
        case gnomeKeyring
        case keePassXC
        case double(String)
        /// A program that the bus starts when the service is called.
        case activated(String)
    }

    private let folder: TemporaryFolder
    private let bus: Companion
    private(set) var service: Companion?
    private let provider: Provider

    /// The variables by which a program finds the session.
    var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"] }

    var path: String { folder.path }

    /// Starts a bus, and waits until the service answers.
    init(_ provider: Provider) async throws {
        self.provider = provider
        folder = try TemporaryFolder()
        for name in ["data", "config", "cache", "run", "services"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        // gnome-keyring-daemon reads the password without a line's end, too.
        try folder.write("login password", to: "password")
        try folder.write(Self.configuration(folder.path, isDenying: false), to: "bus.conf")
        if case .activated(let program) = provider {
            let program = program.replacingOccurrences(
                of: "DOUBLE", with: "\(Python.system) \(Self.scripts)/secret_service.py \(folder.path)/items.json")
            try folder.write(
                "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=\(program)\n",
                to: "services/org.freedesktop.secrets.service")
        }
        guard let daemon = Peer.path(of: "dbus-daemon") else { throw DesktopFailure(description: "no dbus-daemon") }
        bus = try Companion(
            daemon, ["--nofork", "--print-address=1", "--config-file=\(folder.path)/bus.conf"])
        _ = try await bus.line(with: "unix:")
        try await startService()
    }

    deinit {
        service?.signal(SIGCONT)
        service?.signal(SIGKILL)
        service = nil
    }

    private static func configuration(_ folder: String, isDenying: Bool) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <servicedir>\(folder)/services</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          \(isDenying ? #"<policy context="mandatory"><deny send_destination="org.freedesktop.secrets"/></policy>"# : "")
        </busconfig>
        """
    }

    private var variables: [String: String] {
        environment.merging([
            "HOME": folder.path, "XDG_DATA_HOME": "\(folder.path)/data", "XDG_CONFIG_HOME": "\(folder.path)/config",
            "XDG_CACHE_HOME": "\(folder.path)/cache", "XDG_RUNTIME_DIR": "\(folder.path)/run", "DISPLAY": "",
        ]) { $1 }
    }

    // MARK: Service

    func startService(isUnlocked: Bool = true) async throws {
        switch provider {
        case .gnomeKeyring:
            let options = "--foreground --components=secrets" + (isUnlocked ? " --unlock" : "")
            let input = isUnlocked ? "\(folder.path)/password" : "/dev/null"
            service = try Companion(
                "/bin/sh", ["-c", "exec gnome-keyring-daemon \(options) <\(input)"], environment: variables)
        case .keePassXC:
            try KeePassXC.makeDatabase(in: folder.path, environment: variables)
            service = try KeePassXC.start(in: folder.path, environment: variables)
        case .double(let behaviour):
            service = try Companion(
                Python.system, ["\(Self.scripts)/secret_service.py", "\(folder.path)/items.json", behaviour],
                environment: variables)
        case .activated: return
        }
        try await Patience.wait(for: "a service on the bus") {
            if let status = service?.status {
                throw DesktopFailure(description: "it ended with \(status): \(service?.errors ?? "")")
            }
            return try self.send("org.freedesktop.DBus", "GetNameOwner", "string:org.freedesktop.secrets").isSuccess
        }
    }

    /// Ends the service like a crash.
    func killService() async throws {
        service?.signal(SIGCONT)
        service?.signal(SIGKILL)
        _ = try await service?.end()
        service = nil
    }

    /// Ends the service as its user would.
    func quitService() async throws {
        service?.signal(SIGTERM)
        _ = try await service?.end()
        service = nil
    }

    /// Gives a double another behaviour.
    func behave(_ behaviour: String) throws {
        let outcome = try dbusSend(
            [
                "--print-reply", "--dest=org.freedesktop.secrets", "/double", "fueki.Double.Behave",
                "string:\(behaviour)",
            ])
        guard outcome.isSuccess else { throw DesktopFailure(description: outcome.errors) }
    }

    // MARK: Bus

    /// Denies calls to the service, or allows them again, as an administrator's policy would.
    func setDenied(_ isDenied: Bool) async throws {
        try folder.write(Self.configuration(folder.path, isDenying: isDenied), to: "bus.conf")
        bus.signal(SIGHUP)
        try await Patience.wait(for: "the bus's new policy") {
            let outcome = try self.dbusSend([
                "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
                "org.freedesktop.DBus.Peer.Ping",
            ])
            return outcome.isSuccess != isDenied
        }
    }

    func killBus() async throws {
        bus.signal(SIGKILL)
        _ = try await bus.end()
    }

    private func send(_ destination: String, _ method: String, _ argument: String) throws -> Program.Outcome {
        try dbusSend([
            "--print-reply", "--dest=\(destination)", "/org/freedesktop/DBus", "org.freedesktop.DBus.\(method)",
            argument,
        ])
    }

    private func dbusSend(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run("/usr/bin/dbus-send", ["--session"] + arguments, environment: variables)
    }

    // MARK: Another program of the user

    @discardableResult
    func client(_ arguments: String...) throws -> [String] {
        let outcome = try Program.run(
            Python.system, ["\(Self.scripts)/keyring_client.py"] + arguments, environment: variables)
        guard outcome.isSuccess else { throw DesktopFailure(description: outcome.errors) }
        return outcome.output.split(separator: "\n").map(String.init)
    }

    private static let scripts = "\(Repository.path)/Tests/KeyringsTests/Peers"

    // MARK: Stores

    func store(
        prompting: SecretServiceStore.Prompting = .never, limit: Duration = .seconds(Patience.seconds)
    ) -> SecretServiceStore {
        SecretServiceStore(environment: environment, prompting: prompting, limit: limit)
    }
}
