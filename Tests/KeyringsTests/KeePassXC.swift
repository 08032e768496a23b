internal import Foundation
internal import SecretStoreTestSupport
internal import SecureStorage
internal import TestSupport

@testable internal import Keyrings

/// KeePassXC without a window, with a database whose group "Secrets" is open to other programs.
enum KeePassXC {
    private static let settings = """
        [General]
        ConfigVersion=2
        UpdateCheckMessageShown=true
        AutoSaveAfterEveryChange=true

        [GUI]
        CheckForUpdates=false

        [Security]
        LockDatabaseScreenLock=false

        [FdoSecrets]
        Enabled=true
        ShowNotification=false
        ConfirmDeleteItem=false
        ConfirmAccessItem=false

        """

    /// The custom data name the group by its UUID, which the group has in base64.
    private static let database = """
        <?xml version="1.0" encoding="UTF-8"?>
        <KeePassFile><Meta><DatabaseName>test</DatabaseName><RecycleBinEnabled>False</RecycleBinEnabled><CustomData><Item>\
        <Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{11111111-2222-4333-8444-555555555555}</Value>\
        </Item></CustomData></Meta><Root><Group><UUID>q6urq6urS6uLq6urq6urqw==</UUID><Name>Root</Name>\
        <Group><UUID>ERERESIiQzOERFVVVVVVVQ==</UUID><Name>Secrets</Name></Group></Group></Root></KeePassFile>
        """

    /// Makes the database, unless the folder has it. Its password is the session's.
    static func makeDatabase(in folder: String, environment: [String: String]) throws {
        guard !FileManager.default.fileExists(atPath: "\(folder)/test.kdbx") else { return }
        for (text, name) in [(settings, "keepassxc.ini"), ("", "local.ini"), (database, "database.xml")] {
            try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
        let outcome = try Program.run(
            "/bin/sh",
            [
                "-c",
                "{ cat password; echo; cat password; echo; } | keepassxc-cli import -q -p -t 100 database.xml test.kdbx",
            ], environment: environment, in: folder)
        guard outcome.isSuccess else { throw DesktopFailure(description: outcome.errors) }
    }

    /// Starts the program. It looks for another instance in the folder of temporary files, and is to reach no system bus.
    static func start(in path: String, environment: [String: String]) throws -> Companion {
        let variables = environment.merging([
            "QT_QPA_PLATFORM": "offscreen", "TMPDIR": path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)/none",
        ]) { $1 }
        return try Companion(
            "/bin/sh",
            [
                "-c",
                "exec keepassxc --config \(path)/keepassxc.ini --localconfig \(path)/local.ini --pw-stdin \(path)/test.kdbx "
                    + "<\(path)/password",
            ], environment: variables)
    }
}

/// KeePassXC itself, running or not.
struct KeePassXCRig: StoreRig {
    let desktop: Desktop

    init() async throws {
        desktop = try await Desktop(.keePassXC)
        let store = desktop.store()
        // It is on the bus before its database is open.
        try await Patience.wait(for: "an open database") { await store.unavailability() == nil }
    }

    func open() async throws(SecureStorageError) -> any SecretStore {
        desktop.store(prompting: .changes(limit: .seconds(Patience.seconds)))
    }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        guard state == .serviceMissing else { return nil }
        // It writes its file a moment after it has acknowledged a change.
        try await desktop.quitService()
        return .all(.secretService, .unavailable(.noService))
    }

    func leave(_ state: FailureState) async throws {
        try await desktop.startService()
        let store = desktop.store()
        try await Patience.wait(for: "an open database") { await store.unavailability() == nil }
    }
}
