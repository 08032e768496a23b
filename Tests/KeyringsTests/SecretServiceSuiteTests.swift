internal import SecretStoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import Keyrings

@Suite(
    "Secret Service: the suite of all stores", .serialized,
    .enabled(if: Peer.secretService.isExpected, "\(Peer.secretService.absence)"))
struct SecretServiceSuiteTests {
    @Test("GNOME Keyring stores, replaces, lists and removes items")
    func working() async throws { try await StoreSuite.checkWorking(try await DesktopRig()) }

    @Test("tasks that save, load and delete at once leave every item whole")
    func concurrent() async throws { try await StoreSuite.checkConcurrent(try await DesktopRig()) }

    @Test(
        "GNOME Keyring in a failure state: a typed error, and no item is lost",
        arguments: [
            FailureState.libraryMissing, .serviceMissing, .noPermission, .locked, .ambiguous, .foreignItem, .damaged,
        ])
    func states(_ state: FailureState) async throws {
        #expect(try await StoreSuite.check(state, on: try await DesktopRig()))
    }

    @Test("GNOME Keyring that never answers: every call ends at the limit, and no item is lost")
    func neverAnswers() async throws {
        #expect(try await StoreSuite.check(.neverAnswers, on: try await DesktopRig(limit: .seconds(3))))
    }

    @Test(
        "states that GNOME Keyring does not have are not claimed",
        arguments: [FailureState.deviceMissing, .lockedOut, .bindingChanged, .closed, .readOnly])
    func otherStates(_ state: FailureState) async throws {
        #expect(try await !StoreSuite.check(state, on: try await DesktopRig()))
    }

    @Test("the double stores, replaces, lists and removes items")
    func workingDouble() async throws { try await StoreSuite.checkWorking(try await DoubleRig()) }

    @Test(
        "a double in a failure state: a typed error, and no item is lost",
        arguments: [FailureState.diesDuringCall, .malformedAnswer, .full])
    func doubleStates(_ state: FailureState) async throws {
        #expect(try await StoreSuite.check(state, on: try await DoubleRig()))
    }

    @Test("a prompt that the user closes, or never answers: a typed error, and no item is lost")
    func prompts() async throws {
        let patient = try await DoubleRig(prompting: .allowed(limit: .seconds(Patience.seconds)))
        #expect(try await StoreSuite.check(.promptCancelled, on: patient))
        let hasty = try await DoubleRig(prompting: .allowed(limit: .milliseconds(500)))
        #expect(try await StoreSuite.check(.promptNeverAnswered, on: hasty))
    }
}
