internal import AppProtection
internal import Secrets
internal import SecureStorage
internal import Synchronization
internal import Testing

private let everyMethod = UnlockRules(first: .biometry, fallbacks: [.devicePasscode, .pin], attempts: 3)

private func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.secureEnclave, fault) }
private let wrong = fault(.authenticationFailed(attemptsLeft: nil))

@Suite("The order in which an app asks its user")
struct UnlockFlowTests {
    private func flow(_ rules: UnlockRules? = everyMethod) throws -> UnlockFlow { UnlockFlow(try #require(rules)) }

    @Test("rules without a range of attempts, or with a method twice, are refused")
    func rules() {
        #expect(UnlockRules(first: .pin, fallbacks: [], attempts: 0) == nil)
        #expect(UnlockRules(first: .pin, fallbacks: [], attempts: 11) == nil)
        #expect(UnlockRules(first: .pin, fallbacks: [.pin], attempts: 3) == nil)
        #expect(UnlockRules(first: .pin, fallbacks: [.biometry, .biometry], attempts: 3) == nil)
    }

    @Test("a wrong face may be tried again until the limit, and then the passcode is asked for")
    func retryLimit() throws {
        var flow = try flow()
        for _ in 0..<2 {
            flow.failed(wrong)
            guard case .choose(let choices, _) = flow.step else {
                Issue.record("\(flow.step)")
                return
            }
            #expect(choices == [.use(.biometry), .use(.devicePasscode), .use(.pin), .logOut])
            flow.choose(.use(.biometry))
        }
        flow.failed(wrong)
        #expect(flow.step == .ask(.devicePasscode, after: .attemptsUsed(.biometry)))
    }

    @Test("a method at its limit is not offered again")
    func closedMethod() throws {
        var flow = try flow(UnlockRules(first: .biometry, fallbacks: [.pin], attempts: 1))
        flow.failed(wrong)
        #expect(flow.step == .ask(.pin, after: .attemptsUsed(.biometry)))
        flow.failed(.backend(.software, .cancelled))
        #expect(flow.step == .choose([.use(.pin), .logOut], after: .fault(.pin, .cancelled)))
        flow.choose(.use(.biometry))
        #expect(flow.step == .choose([.use(.pin), .logOut], after: .fault(.pin, .cancelled)))
    }

    @Test("the chip's own count closes a method before ours does")
    func chipCount() throws {
        var flow = try flow(UnlockRules(first: .pin, fallbacks: [], attempts: 10))
        flow.failed(.backend(.tpm, .authenticationFailed(attemptsLeft: 0)))
        #expect(flow.step == .end(.attemptsUsed))
    }

    @Test("too many wrong attempts in every method log the user out")
    func attemptsUsed() throws {
        var flow = try flow(UnlockRules(first: .biometry, fallbacks: [.pin], attempts: 1))
        flow.failed(wrong)
        flow.failed(.wrongPassphrase)
        #expect(flow.step == .end(.attemptsUsed))
    }

    @Test("a cancelled prompt counts as no attempt, and lets the user choose")
    func cancel() throws {
        var flow = try flow(UnlockRules(first: .biometry, fallbacks: [.pin], attempts: 1))
        for _ in 0..<5 {
            flow.failed(fault(.cancelled))
            #expect(flow.step == .choose([.use(.biometry), .use(.pin), .logOut], after: .fault(.biometry, .cancelled)))
            flow.choose(.use(.biometry))
        }
        flow.failed(fault(.cancelled))
        flow.choose(.logOut)
        #expect(flow.step == .end(.loggedOut))
    }

    @Test("the second button of the prompt leads to the next method")
    func otherWay() throws {
        var flow = try flow()
        flow.choseOtherWay()
        #expect(flow.step == .ask(.devicePasscode, after: nil))
    }

    @Test("a locked-out sensor leads to the passcode, and without another method the flow ends with the time to wait")
    func lockout() throws {
        var flow = try flow()
        flow.failed(fault(.lockedOut(seconds: nil)))
        #expect(flow.step == .ask(.devicePasscode, after: .fault(.biometry, .lockedOut(seconds: nil))))
        var pin = try self.flow(UnlockRules(first: .pin, fallbacks: [], attempts: 3))
        pin.failed(.backend(.tpm, .lockedOut(seconds: 60)))
        #expect(pin.step == .end(.lockedOut(seconds: 60)))
        var face = try self.flow(UnlockRules(first: .biometry, fallbacks: [], attempts: 3))
        face.failed(fault(.lockedOut(seconds: nil)))
        #expect(face.step == .end(.lockedOut(seconds: nil)))
    }

    @Test("changed faces close the method for good: it is never asked again, and is set up anew after another one")
    func biometryChanged() throws {
        var flow = try flow()
        flow.failed(fault(.bindingChanged(.biometry)))
        #expect(flow.step == .ask(.devicePasscode, after: .fault(.biometry, .bindingChanged(.biometry))))
        #expect(flow.lostMethods == [.biometry])
        flow.failed(fault(.cancelled))
        #expect(
            flow.step
                == .choose([.use(.devicePasscode), .use(.pin), .logOut], after: .fault(.devicePasscode, .cancelled)))
    }

    @Test("changed faces without another method are the loss of the secret, and no retry is offered")
    func lost() throws {
        var flow = try flow(UnlockRules(first: .biometry, fallbacks: [], attempts: 3))
        flow.failed(fault(.bindingChanged(.biometry)))
        #expect(flow.step == .end(.secretLost(.biometry)))
    }

    @Test("a device without sensor and passcode asks for the PIN, and says why")
    func unavailable() throws {
        var flow = try flow()
        flow.failed(fault(.unavailable(.noBiometry)))
        #expect(flow.step == .ask(.devicePasscode, after: .fault(.biometry, .unavailable(.noBiometry))))
        flow.failed(fault(.unavailable(.noPasscode)))
        #expect(flow.step == .ask(.pin, after: .fault(.devicePasscode, .unavailable(.noPasscode))))
        var only = try self.flow(UnlockRules(first: .biometry, fallbacks: [], attempts: 3))
        only.failed(fault(.unavailable(.noBiometry)))
        #expect(only.step == .end(.noMethod(.fault(.biometry, .unavailable(.noBiometry)))))
    }

    @Test("a prompt that cannot be shown pauses the flow, counts as no attempt, and is repeated when the app is active")
    func pause() throws {
        var flow = try flow(UnlockRules(first: .biometry, fallbacks: [.pin], attempts: 1))
        for reason in [BackendFault.interactionNotAllowed, .locked] {
            flow.failed(fault(reason))
            #expect(flow.step == .pause(.biometry))
            flow.resumed()
            #expect(flow.step == .ask(.biometry, after: nil))
        }
        flow.failed(fault(.locked))
        flow.choose(.logOut)
        #expect(flow.step == .end(.loggedOut))
    }

    @Test("a broken place lets the user choose, and counts as no attempt")
    func broken() throws {
        var flow = try flow(UnlockRules(first: .pin, fallbacks: [], attempts: 1))
        flow.failed(.tampered(.header))
        #expect(flow.step == .choose([.use(.pin), .logOut], after: .broken(.tampered(.header))))
        flow.choose(.use(.pin))
        flow.failed(.backend(.tpm, .timedOut))
        #expect(flow.step == .choose([.use(.pin), .logOut], after: .fault(.pin, .timedOut)))
    }

    @Test("an ended flow stays ended")
    func ended() throws {
        var flow = try flow(UnlockRules(first: .pin, fallbacks: [], attempts: 1))
        flow.failed(.wrongPassphrase)
        let end = flow
        flow.failed(fault(.cancelled))
        flow.choose(.use(.pin))
        flow.resumed()
        flow.choseOtherWay()
        #expect(flow == end)
    }
}

/// A device whose item opens with the right face or passcode. The user's answers are given in advance.
private final class FakeGate: UserGate {
    enum Answer { case face, stranger, cancel, otherWay, changed, locked }

    private let answers: Mutex<[Answer]>
    let asked = Mutex<[UserCheck]>([])
    let missing: [UserCheck: BackendFault]

    init(_ answers: [Answer], missing: [UserCheck: BackendFault] = [:]) {
        self.answers = Mutex(answers)
        self.missing = missing
    }

    func unavailability(of check: UserCheck) async -> BackendFault? { missing[check] }

    func release(by check: UserCheck, reason: String) async throws(SecureStorageError) -> GateAnswer {
        asked.withLock { $0.append(check) }
        switch answers.withLock({ $0.isEmpty ? .cancel : $0.removeFirst() }) {
        case .face: return .released(secret("item of \(check.rawValue)"))
        case .stranger: throw wrong
        case .cancel: throw fault(.cancelled)
        case .otherWay: return .otherWay
        case .changed: throw fault(.bindingChanged(.biometry))
        case .locked: throw fault(.interactionNotAllowed)
        }
    }
}

/// A user who types these PINs, and makes these choices. Without more of them the user leaves.
private final class FakeDialog: UnlockDialog {
    private let pins: Mutex<[String]>
    private let choices: Mutex<[UnlockChoice]>
    let notices = Mutex<[UnlockNotice]>([])

    init(pins: [String] = [], choices: [UnlockChoice] = []) {
        self.pins = Mutex(pins)
        self.choices = Mutex(choices)
    }

    func pin(after notice: UnlockNotice?) async -> PINAnswer {
        guard let pin = pins.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .cancelled }
        return .entered(secret(pin))
    }

    func choose(among offered: [UnlockChoice], after notice: UnlockNotice) async -> UnlockChoice {
        notices.withLock { $0.append(notice) }
        return choices.withLock { $0.isEmpty ? .logOut : $0.removeFirst() }
    }

    func waitUntilActive(for method: UnlockMethod) async -> PauseAnswer { .active }
}

@Suite("Unlocking an app")
struct UnlockingTests {
    private func run(
        _ gate: FakeGate, _ dialog: FakeDialog, _ rules: UnlockRules? = everyMethod
    ) async throws -> (secret: String?, end: UnlockEnd?, lost: Set<UnlockMethod>) {
        let unlocking = Unlocking(through: gate, dialog: dialog) { pin throws(SecureStorageError) in
            guard text(pin) == "271828" else { throw .wrongPassphrase }
            return secret("item of the PIN")
        }
        switch await unlocking.run(try #require(rules), reason: "Open the wallet") {
        case .unlocked(let secret, let lost): return (text(secret), nil, lost)
        case .ended(let end, let lost): return (nil, end, lost)
        }
    }

    @Test("the result is the item that the right face released")
    func face() async throws {
        #expect(try await run(FakeGate([.face]), FakeDialog()).secret == "item of biometry")
    }

    @Test("a stranger's face releases nothing, and three of them lead to the passcode")
    func stranger() async throws {
        let gate = FakeGate([.stranger, .stranger, .stranger, .face])
        let result = try await run(gate, FakeDialog(choices: [.use(.biometry), .use(.biometry)]))
        #expect(result.secret == "item of device-passcode")
        #expect(gate.asked.withLock { $0 } == [.biometry, .biometry, .biometry, .devicePasscode])
    }

    @Test("the PIN opens its own item, and a wrong one is counted")
    func pin() async throws {
        let missing: [UserCheck: BackendFault] = [
            .biometry: .unavailable(.noBiometry), .devicePasscode: .unavailable(.noPasscode),
        ]
        let right = try await run(
            FakeGate([], missing: missing), FakeDialog(pins: ["000000", "271828"], choices: [.use(.pin)]))
        #expect(right.secret == "item of the PIN")
        let wrong = try await run(
            FakeGate([], missing: missing),
            FakeDialog(pins: ["1", "2", "3", "271828"], choices: [.use(.pin), .use(.pin), .use(.pin)]))
        #expect(wrong.secret == nil && wrong.end == .attemptsUsed)
    }

    @Test("changed faces are reported with the item of the next method")
    func changed() async throws {
        let result = try await run(FakeGate([.changed, .face]), FakeDialog())
        #expect(result.secret == "item of device-passcode" && result.lost == [.biometry])
    }

    @Test("the second button and a pause lead on, and cancelling ends with a log-out")
    func otherWay() async throws {
        #expect(try await run(FakeGate([.otherWay, .face]), FakeDialog()).secret == "item of device-passcode")
        #expect(try await run(FakeGate([.locked, .face]), FakeDialog()).secret == "item of biometry")
        let dialog = FakeDialog()
        #expect(try await run(FakeGate([.cancel]), dialog).end == .loggedOut)
        #expect(dialog.notices.withLock { $0 } == [.fault(.biometry, .cancelled)])
    }

    @Test("a method that is not there is not asked for")
    func notAsked() async throws {
        let gate = FakeGate([.face], missing: [.biometry: .unavailable(.noBiometry)])
        #expect(try await run(gate, FakeDialog()).secret == "item of device-passcode")
        #expect(gate.asked.withLock { $0 } == [.devicePasscode])
    }
}
