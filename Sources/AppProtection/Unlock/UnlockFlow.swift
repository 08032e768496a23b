public import SecureStorage

/// The order in which an app asks its user, and what it does after each failure: a state machine without a prompt and
/// without a secret. ``Unlocking`` runs it.
///
/// It has no state "unlocked": a passed check leaves the flow with the secret that it released.
public struct UnlockFlow: Equatable, Sendable {
    /// The present step.
    public private(set) var step: UnlockStep
    /// The methods whose secret is gone for good, because the faces, the fingers or the passcode changed. The app makes
    /// it anew after another method has unlocked.
    public private(set) var lostMethods: Set<UnlockMethod> = []

    private let rules: UnlockRules
    private var closed: Set<UnlockMethod> = []
    private var failures: [UnlockMethod: Int] = [:]
    private var lastLoss: BackendFault.Binding?
    private var wait: Int?
    private var isUsedUp = false

    /// Begins with the first method.
    public init(_ rules: UnlockRules) {
        self.rules = rules
        step = .ask(rules.first, after: nil)
    }

    /// Records that the present method failed.
    ///
    /// - Parameter error: the gate's error, or that of opening with the PIN.
    public mutating func failed(_ error: SecureStorageError) {
        guard case .ask(let method, _) = step else { return }
        switch error {
        case .backend(_, let fault): failed(method, fault)
        // A vault's slot that does not open.
        case .wrongPassphrase: failed(method, .authenticationFailed(attemptsLeft: nil))
        default: step = .choose(choices(retrying: method), after: .broken(error))
        }
    }

    private mutating func failed(_ method: UnlockMethod, _ fault: BackendFault) {
        let notice = UnlockNotice.fault(method, fault)
        switch fault {
        case .authenticationFailed(let left):
            failures[method, default: 0] += 1
            if left == 0 || failures[method, default: 0] >= rules.attempts {
                close(method)
                isUsedUp = true
                goOn(after: .attemptsUsed(method))
            } else {
                step = .choose(choices(retrying: method), after: notice)
            }
        case .lockedOut(let seconds):
            close(method)
            wait = [wait, seconds].compactMap(\.self).min()
            goOn(after: notice)
        case .bindingChanged(let binding):
            // Asking again cannot help: the system has destroyed the key. It is also what a thief's new finger looks
            // like.
            close(method)
            lostMethods.insert(method)
            lastLoss = binding
            goOn(after: notice)
        case .unavailable, .unsupported, .required:
            close(method)
            goOn(after: notice)
        case .interactionNotAllowed, .locked:
            // The app is in the background, or the device is locked: not the user's failure.
            step = .pause(method)
        case .cancelled, .timedOut, .absenceUnproven, .earlierInstallation, .ambiguous, .sessionOnly, .full,
            .damagedItem, .malformedAnswer, .refused:
            step = .choose(choices(retrying: method), after: notice)
        }
    }

    /// Records that the user chose another way on the system's prompt.
    public mutating func choseOtherWay() {
        guard case .ask(let method, _) = step else { return }
        if let next = rules.methods.first(where: { $0 != method && !closed.contains($0) }) {
            step = .ask(next, after: nil)
        } else {
            step = .choose(choices(retrying: method), after: .fault(method, .cancelled))
        }
    }

    /// Records the user's choice. A choice that was not offered is ignored.
    public mutating func choose(_ choice: UnlockChoice) {
        switch step {
        case .choose(let offered, _) where offered.contains(choice): break
        case .pause where choice == .logOut: break
        default: return
        }
        switch choice {
        case .use(let method): step = .ask(method, after: nil)
        case .logOut: step = .end(.loggedOut)
        }
    }

    /// Records that the app is active again, after ``UnlockStep/pause(_:)``.
    public mutating func resumed() {
        guard case .pause(let method) = step else { return }
        step = .ask(method, after: nil)
    }

    private mutating func close(_ method: UnlockMethod) { closed.insert(method) }

    private func choices(retrying method: UnlockMethod) -> [UnlockChoice] {
        ([method] + rules.methods.filter { $0 != method }).filter { !closed.contains($0) }.map(UnlockChoice.use) + [
            .logOut
        ]
    }

    /// Goes to the next open method, or ends.
    private mutating func goOn(after notice: UnlockNotice) {
        if let next = rules.methods.first(where: { !closed.contains($0) }) {
            step = .ask(next, after: notice)
        } else if isUsedUp {
            step = .end(.attemptsUsed)
        } else if let wait {
            step = .end(.lockedOut(seconds: wait))
        } else if case .fault(_, .lockedOut) = notice {
            step = .end(.lockedOut(seconds: nil))
        } else if let lastLoss {
            step = .end(.secretLost(lastLoss))
        } else {
            step = .end(.noMethod(notice))
        }
    }
}

/// A way to unlock.
public enum UnlockMethod: String, CaseIterable, Sendable {
    /// A face or a finger.
    case biometry
    /// The device's passcode.
    case devicePasscode = "device-passcode"
    /// The app's own PIN or passphrase.
    case pin

    /// The system's check for the method; nil for the app's own PIN.
    var check: UserCheck? {
        switch self {
        case .biometry: .biometry
        case .devicePasscode: .devicePasscode
        case .pin: nil
        }
    }
}

/// The methods of an app in their order, and the number of wrong attempts in each.
public struct UnlockRules: Equatable, Sendable {
    let first: UnlockMethod
    let methods: [UnlockMethod]
    let attempts: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - first: the method to ask for first.
    ///   - fallbacks: the other methods, in their order. A face or finger alone locks users out: give at least one.
    ///   - attempts: wrong attempts in one method before it is closed for this flow: 1…10. It is a convenience against
    ///     guessing at the screen: what limits a program is the chip's own counter.
    public init?(first: UnlockMethod, fallbacks: [UnlockMethod], attempts: Int) {
        guard Limits.attempts.contains(attempts), Set(fallbacks + [first]).count == fallbacks.count + 1 else {
            return nil
        }
        self.first = first
        methods = [first] + fallbacks
        self.attempts = attempts
    }
}

/// A step of unlocking.
public enum UnlockStep: Equatable, Sendable {
    /// Ask by this method. The notice says why it is no longer the first one.
    case ask(UnlockMethod, after: UnlockNotice?)
    /// Let the user choose.
    case choose([UnlockChoice], after: UnlockNotice)
    /// Wait until the app is active and the device is unlocked.
    case pause(UnlockMethod)
    /// Stop.
    case end(UnlockEnd)
}

/// A choice of the user.
public enum UnlockChoice: Hashable, Sendable {
    /// Try this method, for the first time or again.
    case use(UnlockMethod)
    /// Log out. The app removes the session, and the secret stays where it is.
    case logOut
}

/// Why the last step did not unlock.
public enum UnlockNotice: Equatable, Sendable {
    /// The method failed.
    case fault(UnlockMethod, BackendFault)
    /// The method had as many wrong attempts as the rules allow.
    case attemptsUsed(UnlockMethod)
    /// The place of the secret failed.
    case broken(SecureStorageError)
}

/// The end of an unlocking that did not unlock.
public enum UnlockEnd: Equatable, Sendable {
    /// The user logged out.
    case loggedOut
    /// Every method had too many wrong attempts: the app logs the user out.
    case attemptsUsed
    /// The system refuses every attempt for now.
    case lockedOut(seconds: Int?)
    /// The faces, the fingers or the passcode changed, and no other method is left: the app recovers from its backup.
    case secretLost(BackendFault.Binding)
    /// This device has none of the methods.
    case noMethod(UnlockNotice)
}
