internal import Secrets
internal import ServerHTTP
internal import Testing

@testable internal import AuthOperations
@testable internal import AuthServer

@Suite("Preflight")
struct PreflightTests {
    @Test("unlocked secrets in memory are reported, with their size, the limit and the remedy")
    func memory() {
        let locked = SecretMemory.State(mapped: 1 << 20, unlocked: 0, admitted: 0, sessions: 0)
        #expect(Preflight.look(at: locked, lockLimit: 65_536).isGood)
        let some = SecretMemory.State(mapped: 1 << 20, unlocked: 24_576, admitted: 0, sessions: 0)
        let finding = Preflight.look(at: some, lockLimit: 65_536)
        #expect(!finding.isGood && finding.about == "memory")
        #expect(
            finding.text.hasPrefix(
                "24 KiB of secrets are not locked and can be swapped out, as a process may lock 64 KiB"))
        #expect(finding.text.contains("LimitMEMLOCK") && finding.text.contains("swap off"))
        #expect(!Preflight.look(at: some, lockLimit: nil).text.contains("may lock"))
    }

    @Test("too few open files for the connections are reported, with the number that is possible")
    func files() {
        let settings = ConnectionSettings(total: 4_096, ofAddress: 128)
        #expect(Preflight.look(at: settings, files: 20_000).isGood)
        let finding = Preflight.look(at: settings, files: 1_024)
        #expect(!finding.isGood)
        #expect(finding.text.contains("704 at a time and not 4096") && finding.text.contains("have 4416"))
    }
}
