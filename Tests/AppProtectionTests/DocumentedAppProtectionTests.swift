internal import AppProtection
internal import Secrets
internal import SecureStorage
internal import Testing
internal import Time

/// The snippet of the library's page.
@Suite("The documentation of AppProtection")
struct DocumentedAppProtectionTests {
    /// A device without a sensor and a passcode.
    private struct Gate: UserGate {
        func unavailability(of check: UserCheck) async -> BackendFault? { .unavailable(.noBiometry) }

        func release(by check: UserCheck, reason: String) async throws(SecureStorageError) -> GateAnswer { .otherWay }
    }

    private struct Screens: UnlockDialog {
        func pin(after notice: UnlockNotice?) async -> PINAnswer { .entered(secret("271828")) }
        func choose(among choices: [UnlockChoice], after notice: UnlockNotice) async -> UnlockChoice { .logOut }
        func waitUntilActive(for method: UnlockMethod) async -> PauseAnswer { .logOut }
    }

    @Test("an app is unlocked by its PIN, and its session has the key")
    func unlock() async throws {
        let (gate, screens) = (Gate(), Screens())
        @Sendable func vaultKey(openedWith pin: borrowing SecretBytes) throws(SecureStorageError) -> SecretBytes {
            guard text(pin) == "271828" else { throw .wrongPassphrase }
            return secret("key")
        }
        let session = UnlockedSession(
            AutoLockRules(
                idle: .seconds(120), absolute: .seconds(1800), background: .seconds(30), suspension: .seconds(60)))
        let unlocking = Unlocking(through: gate, dialog: screens) { pin throws(SecureStorageError) in
            try vaultKey(openedWith: pin)
        }
        guard let rules = UnlockRules(first: .biometry, fallbacks: [.devicePasscode, .pin], attempts: 3) else { return }
        switch await unlocking.run(rules, reason: "Open your wallet") {
        case .unlocked(let key, _): _ = session.unlock(with: key, at: .now())
        case .ended: break
        }
        #expect(session.withSecret(at: .now()) { text($0) } == "key")
    }
}
