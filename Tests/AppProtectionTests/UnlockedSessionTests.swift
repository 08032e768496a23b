internal import AppProtection
internal import Secrets
internal import Testing

func secret(_ text: String) -> SecretBytes {
    var bytes = [UInt8](text.utf8)
    return SecretBytes(moving: &bytes)
}

func text(_ secret: borrowing SecretBytes) -> String { secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

@Suite("The secret of an unlocked app")
struct UnlockedSessionTests {
    @Test("the secret is there until the lock, and not after it")
    func wiped() {
        let session = UnlockedSession(rules)
        #expect(session.withSecret(at: moment(0)) { text($0) } == nil)
        #expect(session.lockReason == .notYetUnlocked)
        _ = session.unlock(with: secret("key"), at: moment(0))
        #expect(session.withSecret(at: moment(1)) { text($0) } == "key")
        #expect(session.lockReason == nil)
        #expect(session.handle(.lock(.user), at: moment(2)) == .lock(because: .user))
        #expect(session.withSecret(at: moment(2)) { text($0) } == nil)
        #expect(session.lockReason == .user)
    }

    @Test("a use after a limit finds no secret, although no timer has run")
    func lateUse() {
        let session = UnlockedSession(rules)
        _ = session.unlock(with: secret("key"), at: moment(0))
        #expect(session.withSecret(at: moment(60)) { text($0) } == nil)
        #expect(session.lockReason == .idle)
        // A reading from before the limit does not bring it back.
        #expect(session.withSecret(at: moment(1)) { text($0) } == nil)
    }

    @Test("a use of the secret is not the user's activity")
    func useIsNoActivity() {
        let session = UnlockedSession(rules)
        _ = session.unlock(with: secret("key"), at: moment(0))
        for second in stride(from: 10, to: 60, by: 10) {
            #expect(session.withSecret(at: moment(second)) { text($0) } == "key")
        }
        #expect(session.withSecret(at: moment(60)) { text($0) } == nil)
    }

    @Test("only a released secret unlocks: the event alone does not")
    func eventAlone() {
        let session = UnlockedSession(rules)
        #expect(session.handle(.unlocked, at: moment(0)) == .stayLocked)
        _ = session.unlock(with: secret("key"), at: moment(0))
        _ = session.handle(.unlocked, at: moment(59))
        #expect(session.withSecret(at: moment(60)) { text($0) } == nil)
    }

    @Test("unlocking again replaces the secret")
    func replaced() {
        let session = UnlockedSession(rules)
        _ = session.unlock(with: secret("old"), at: moment(0))
        _ = session.unlock(with: secret("new"), at: moment(1))
        #expect(session.withSecret(at: moment(2)) { text($0) } == "new")
    }
}
