internal import Secrets
internal import TestSupport
internal import Testing

/// Limits are those of the process: each test has its own process.
@Suite("Room for secrets")
struct SecretMemoryTests {
    @Test("bytes and sessions are admitted up to the limits, and again when they are returned")
    func limits() async {
        await #expect(processExitsWith: .success) {
            SecretMemory.limit(to: SecretMemory.Limits(bytes: 1_000, sessions: 2))
            let first = try SecretMemory.admit(400, as: .session)
            do {
                let second = try SecretMemory.admit(600, as: .session)
                #expect(SecretMemory.state.admitted == 1_000 && SecretMemory.state.sessions == 2)
                #expect(throws: SecretMemory.Exhausted.sessions(limit: 2)) {
                    _ = try SecretMemory.admit(0, as: .session)
                }
                #expect(throws: SecretMemory.Exhausted.bytes(limit: 1_000)) {
                    _ = try SecretMemory.admit(1, as: .share)
                }
                // Without sessions and bytes there is room.
                _ = try SecretMemory.admit(0, as: .share)
                withExtendedLifetime(second) {}
            }
            #expect(SecretMemory.state.admitted == 400 && SecretMemory.state.sessions == 1)
            _ = try SecretMemory.admit(600, as: .share)
            #expect(throws: SecretMemory.Exhausted.bytes(limit: 1_000)) {
                _ = try SecretMemory.admit(601, as: .session)
            }
            #expect(throws: SecretMemory.Exhausted.bytes(limit: 1_000)) { _ = try SecretMemory.admit(.max, as: .share) }
            #expect(SecretMemory.state.admitted == 400 && SecretMemory.state.sessions == 1)
            withExtendedLifetime(first) {}
        }
    }

    @Test("lower limits keep existing admissions, and admit no more")
    func lowered() async {
        await #expect(processExitsWith: .success) {
            let first = try SecretMemory.admit(1_000, as: .session)
            SecretMemory.limit(to: SecretMemory.Limits(bytes: 10, sessions: 1))
            #expect(throws: SecretMemory.Exhausted.bytes(limit: 10)) { _ = try SecretMemory.admit(1, as: .share) }
            #expect(throws: SecretMemory.Exhausted.sessions(limit: 1)) { _ = try SecretMemory.admit(1, as: .session) }
            #expect(SecretMemory.state.admitted == 1_000)
            withExtendedLifetime(first) {}
        }
    }

    @Test("many threads are admitted at once, and all memory is returned")
    func threads() async {
        await #expect(processExitsWith: .success) {
            SecretMemory.limit(to: SecretMemory.Limits(bytes: 5, sessions: 5))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { for _ in 0..<5_000 { _ = try? SecretMemory.admit(2, as: .session) } }
                }
            }
            #expect(SecretMemory.state.admitted == 0 && SecretMemory.state.sessions == 0)
            _ = try SecretMemory.admit(5, as: .session)
        }
    }

    @Test("at first there is room for some secrets, and not for any number")
    func standard() {
        let limits = SecretMemory.Limits.standard
        #expect((64 << 20...2 << 30).contains(limits.bytes))
        #expect(limits.sessions == 65_536)
    }
}
