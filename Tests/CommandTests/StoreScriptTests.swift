import TestSupport
import Testing

@Suite(
    "Sessions with a TPM and a keyring",
    .enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)),
    .enabled(if: Peer.secretService.isExpected, Comment(rawValue: Peer.secretService.absence)))
struct StoreScriptTests {
    static let folder = "\(CommandScriptTests.folder)/stores"

    static let names = CommandScript.names(in: folder)

    @Test("every session matches its script", arguments: names)
    func session(name: String) throws {
        for mismatch in try CommandScript(named: name, in: Self.folder).run(besides: CommandScriptTests.folder) {
            Issue.record("\(name), \(mismatch)")
        }
    }

    @Test("the scripts exist")
    func scriptsAreFound() { #expect(!Self.names.isEmpty) }
}
