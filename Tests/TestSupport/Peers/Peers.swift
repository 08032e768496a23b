internal import Foundation

/// An independent program that a test uses.
///
/// A suite has `.enabled(if: Peer.node.isExpected, Peer.node.absence)`: on a developer's machine it is skipped, with
/// the reason, where the peer is missing; with `CI=true` it runs and fails, because there no test may be skipped
/// silently.
public enum Peer: Sendable {
    /// litecoind or bitcoind.
    case node
    /// The Python packages of `scripts/peers.txt`, in `.build/peers`.
    case python
    /// The Python packages of `scripts/peers-authenticator.txt`, in `.build/peers-authenticator`.
    case authenticator
    /// zbarimg, which reads QR codes like a telephone's camera.
    case codeReader
    /// initdb and pg_ctl of PostgreSQL.
    case postgreSQL
    /// chromium and chromedriver.
    case browser
    /// haproxy.
    case proxy
    /// nginx.
    case nginx
    /// caddy.
    case caddy
    /// systemd-analyze, of systemd.
    case systemd
    /// The Python packages of `scripts/peers-schemathesis.txt`, in `.build/peers-schemathesis`.
    case schemathesis
    /// swtpm, and tpm2-tools.
    case tpm
    /// GNOME Keyring, libsecret, a bus, and the Python modules of the doubles.
    case secretService
    /// KeePassXC, beside what ``secretService`` needs.
    case keePassXC
    /// keyctl, of keyutils.
    case keyutils
    /// minisign.
    case minisign
    /// PgBouncer, beside what ``postgreSQL`` needs.
    case pgBouncer

    /// Whether tests that need the peer should run.
    public var isExpected: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

    /// The reason why a test was skipped, and the remedy.
    public var absence: String {
        switch self {
        case .node: "neither litecoind nor bitcoind is installed: run `scripts/bootstrap demo`"
        case .postgreSQL: "PostgreSQL is not installed: run `scripts/bootstrap peers`"
        case .browser: "chromium or its driver is not installed: run `scripts/bootstrap peers`"
        case .proxy: "haproxy is not installed: run `scripts/bootstrap peers`"
        case .nginx: "nginx is not installed: run `scripts/bootstrap peers`"
        case .caddy: "caddy is not installed: run `scripts/bootstrap peers`"
        case .systemd: "systemd-analyze is not installed: run `scripts/bootstrap peers`"
        case .python, .authenticator, .schemathesis: "the Python peers are not installed: run `scripts/bootstrap peers`"
        case .tpm: "swtpm or tpm2-tools is not installed: run `scripts/bootstrap peers`"
        case .codeReader: "zbarimg is not installed: run `scripts/bootstrap peers`"
        case .keyutils: "keyctl is not installed: run `scripts/bootstrap peers`"
        case .minisign: "minisign is not installed: run `scripts/bootstrap peers`"
        case .keePassXC: "KeePassXC is not installed: run `scripts/bootstrap peers`"
        case .pgBouncer: "PgBouncer is not installed: run `scripts/bootstrap peers`"
        case .secretService: "GNOME Keyring, a bus or python3-dbus is not installed: run `scripts/bootstrap peers`"
        }
    }

    var isInstalled: Bool {
        switch self {
        case .node: Self.path(of: "litecoind") != nil || Self.path(of: "bitcoind") != nil
        // The list of installed packages is copied last, so a broken installation does not count.
        case .codeReader: Self.path(of: "zbarimg") != nil
        case .postgreSQL: PostgreSQL.isInstalled
        case .tpm: SwTPM.isInstalled
        case .keyutils: Self.path(of: "keyctl") != nil
        case .minisign: Self.path(of: "minisign") != nil
        case .keePassXC: Self.secretService.isInstalled && Self.path(of: "keepassxc") != nil
        case .pgBouncer: PostgreSQL.isInstalled && Self.systemPath(of: "pgbouncer") != nil
        case .secretService:
            Self.path(of: "gnome-keyring-daemon") != nil && Self.path(of: "dbus-daemon") != nil
                && ["dbus", "gi", "cryptography"].allSatisfy {
                    FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)/__init__.py")
                }
                && ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64", "lib"].contains {
                    FileManager.default.fileExists(atPath: "/usr/\($0)/libsecret-1.so.0")
                }
        case .browser: Self.path(of: "chromedriver") != nil && Self.chromium != nil
        case .proxy: Self.haproxy != nil
        case .nginx: Self.systemPath(of: "nginx") != nil
        case .caddy: Self.path(of: "caddy") != nil
        case .systemd: Self.path(of: "systemd-analyze") != nil
        case .schemathesis:
            FileManager.default.fileExists(atPath: "\(Repository.path)/.build/peers-schemathesis/installed.txt")
        case .python: FileManager.default.fileExists(atPath: "\(Repository.path)/.build/peers/installed.txt")
        case .authenticator:
            FileManager.default.fileExists(atPath: "\(Repository.path)/.build/peers-authenticator/installed.txt")
        }
    }

    /// The path of the browser, under one of its names.
    public static var chromium: String? { path(of: "chromium") ?? path(of: "google-chrome") }

    /// The path of haproxy.
    public static var haproxy: String? { systemPath(of: "haproxy") }

    /// Returns the path of a server: on Debian in a folder outside of users' PATH.
    public static func systemPath(of name: String) -> String? {
        path(of: name) ?? ["/usr/sbin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Returns the path of a program in PATH.
    public static func path(of name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// The paths of this package.
public enum Repository {
    /// The folder that Package.swift is in.
    public static let path: String = {
        // Tests/TestSupport/Peers/Peers.swift: four steps up.
        (0..<4).reduce(URL(fileURLWithPath: #filePath)) { folder, _ in folder.deletingLastPathComponent() }.path
    }()
}
