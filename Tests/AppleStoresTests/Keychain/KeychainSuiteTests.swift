internal import SecretStoreTestSupport
internal import SecureStorage
internal import Testing

@testable internal import AppleStores

@Suite("The keychain in the suite of all stores")
struct KeychainSuiteTests {
    static let policies: [AccessControlPolicy] = [
        .none, .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
        .custom([.biometryAny, .devicePasscode, .or]),
    ]

    @Test("a working keychain stores, replaces, lists and deletes items", arguments: policies)
    func works(_ policy: AccessControlPolicy) async throws {
        try await StoreSuite.checkWorking(KeychainRig(policy: policy))
    }

    @Test("concurrent saves, loads and deletes leave each item as one of them wrote it", arguments: policies)
    func concurrent(_ policy: AccessControlPolicy) async throws {
        let rig = try KeychainRig(policy: policy)
        try await StoreSuite.checkConcurrent(rig)
        // One value for each of the four names: no remains.
        #expect(
            rig.device.items.keys.filter { $0.service.hasSuffix(":suite") && !$0.account.hasSuffix("witness") }.count
                == 4)
    }

    @Test(
        "each failure state gives its error, and no item is lost",
        arguments: FailureState.allCases, [AccessControlPolicy.none, .userPresence, .biometryCurrentSet])
    func fails(_ state: FailureState, policy: AccessControlPolicy) async throws {
        let mayHang = state == .neverAnswers || state == .promptNeverAnswered
        let isPossible = try await StoreSuite.check(
            state, on: KeychainRig(policy: policy, limit: mayHang ? .seconds(2) : .seconds(600)))
        let always: Set<FailureState> = [
            .serviceMissing, .noPermission, .neverAnswers, .diesDuringCall, .malformedAnswer, .locked, .full,
            .ambiguous,
            .foreignItem, .damaged, .readOnly,
        ]
        let withUser: Set<FailureState> = [
            .promptCancelled, .promptNeverAnswered, .interactionNotAllowed, .wrongSecret, .deviceCleared,
        ]
        let expected =
            always.contains(state) || (policy != .none && withUser.contains(state))
            || (policy == .biometryCurrentSet && state == .bindingChanged)
        #expect(isPossible == expected)
    }
}
