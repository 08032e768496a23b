internal import Foundation
internal import SecretStoreTestSupport
internal import SecureStorage
internal import TestSupport

@testable internal import Keyrings

/// GNOME Keyring itself, in the states that a user or an administrator can bring it into.
final class DesktopRig: StoreRig {
    let desktop: Desktop
    private let limit: Duration
    /// The library of the stores that are opened; another one while the state is that it is missing.
    private let library = Library()

    private final class Library: @unchecked Sendable {
        var name = "libsecret-1.so.0"
    }

    /// - Parameter limit: short only in the state in which the service never answers.
    init(limit: Duration = .seconds(Patience.seconds)) async throws {
        desktop = try await Desktop(.gnomeKeyring)
        self.limit = limit
    }

    func open() async throws(SecureStorageError) -> any SecretStore {
        let store = SecretServiceStore(
            environment: desktop.environment, prompting: .never, limit: limit, library: library.name)
        if let fault = await store.unavailability() { throw .backend(.secretService, fault) }
        return store
    }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        switch state {
        case .libraryMissing:
            library.name = "libsecret-missing.so.0"
            return .all(.secretService, .unavailable(.library("libsecret-missing.so.0")), opens: false)
        case .serviceMissing:
            try await desktop.killService()
            return .all(.secretService, .unavailable(.noService))
        case .noPermission:
            try await desktop.setDenied(true)
            return .all(.secretService, .unavailable(.noPermission))
        case .neverAnswers:
            desktop.service?.signal(SIGSTOP)
            return .all(.secretService, .timedOut)
        case .locked:
            try desktop.client("lock")
            return .all(.secretService, .locked)
        case .ambiguous:
            for account in ["kept", "new"] { try plant(account, "second") }
            try plant("new", "third")
            return .all(.secretService, .ambiguous)
        case .foreignItem:
            try desktop.client("add", "suite", "kept", "hunter2")
            for _ in 0..<2 { try desktop.client("add", "suite", "new", "hunter2") }
            return Expectation(
                loading: [.service(.ambiguous)], saving: [.service(.ambiguous)])
        case .damaged:
            let name = try name("new", in: "suite")
            let whole = envelopeText("kept", as: name, .sensitive(.accessToken))
            try desktop.client("add", "suite", "new", Self.damaged(whole))
            let kept = try desktop.client("get", "suite", "kept")
            try desktop.client("put", "suite", "kept", Self.damaged(kept[0]))
            let damaged = SecureStorageError.backend(.secretService, .damagedItem)
            return Expectation(loading: [damaged], saving: [damaged])
        default: return nil
        }
    }

    func leave(_ state: FailureState) async throws {
        switch state {
        case .libraryMissing: library.name = "libsecret-1.so.0"
        case .serviceMissing: try await desktop.startService()
        case .noPermission: try await desktop.setDenied(false)
        case .neverAnswers: desktop.service?.signal(SIGCONT)
        case .locked:
            try await desktop.killService()
            try await desktop.startService()
        case .ambiguous, .foreignItem: try await repair()
        case .damaged:
            let whole = envelopeText("kept", as: try name("kept", in: "suite"), .sensitive(.accessToken))
            try desktop.client("put", "suite", "kept", whole)
        default: break
        }
    }

    /// Discards what is not the item "kept", as a user would after looking at the copies.
    private func repair() async throws {
        let store = desktop.store()
        for account in ["kept", "new"] {
            let name = try name(account, in: "suite")
            for copy in try await store.copies(of: name) {
                if case .item = copy.content, text(try await store.load(copy, of: name)) == "kept" { continue }
                try await store.discard(copy, of: name)
            }
        }
    }

    private func plant(_ account: String, _ content: String) throws {
        let name = try name(account, in: "suite")
        try desktop.client("add", "suite", account, envelopeText(content, as: name, .sensitive(.accessToken)))
    }

    /// Changes one character of the secret.
    private static func damaged(_ text: String) -> String {
        var characters = Array(text)
        let place = characters.count - 12
        characters[place] = characters[place] == "A" ? "B" : "A"
        return String(characters)
    }
}

/// A double of a keyring daemon, in the states that GNOME Keyring cannot be brought into from outside.
final class DoubleRig: StoreRig {
    let desktop: Desktop
    private let prompting: SecretServiceStore.Prompting

    init(prompting: SecretServiceStore.Prompting = .never) async throws {
        desktop = try await Desktop(.double("normal"))
        self.prompting = prompting
    }

    func open() async throws(SecureStorageError) -> any SecretStore { desktop.store(prompting: prompting) }

    func enter(_ state: FailureState, with store: any SecretStore) async throws -> Expectation? {
        switch state {
        case .diesDuringCall:
            try desktop.behave("dies")
            return .all(.secretService, .unavailable(.noService))
        case .malformedAnswer:
            try desktop.behave("garbage-type")
            return .all(.secretService, .malformedAnswer)
        case .promptCancelled:
            try desktop.behave("locked-dismisses")
            return .all(.secretService, .cancelled)
        case .promptNeverAnswered:
            try desktop.behave("locked-silent")
            return .all(.secretService, .timedOut)
        case .full:
            try desktop.behave("full")
            return Expectation(loading: [], saving: [.service(.full)])
        default: return nil
        }
    }

    func leave(_ state: FailureState) async throws {
        if state == .diesDuringCall {
            try await desktop.killService()
            try await desktop.startService()
        } else {
            try desktop.behave("normal")
        }
    }
}
