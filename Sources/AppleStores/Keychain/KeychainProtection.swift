public import SecureStorage

/// The conditions of reading an item's value: an accessibility alone, or access control that contains one.
///
/// The system refuses an item with both attributes, so that a value of this type has one of them.
public enum KeychainProtection: Equatable, Sendable {
    /// The program reads without the user (`kSecAttrAccessible`).
    case accessible(Accessibility)
    /// The user takes part in each reading (`kSecAttrAccessControl`). The accessibility is inside the access control.
    case accessControl(Accessibility, AccessControlPolicy)

    /// Creates the protection of an item with a policy.
    init(_ accessibility: Accessibility, _ policy: AccessControlPolicy) {
        self = policy == .none ? .accessible(accessibility) : .accessControl(accessibility, policy)
    }

    /// The accessibility, in either case.
    public var accessibility: Accessibility {
        switch self {
        case .accessible(let accessibility), .accessControl(let accessibility, _): accessibility
        }
    }
}

extension AccessControlPolicy {
    /// The flags that name a condition.
    private static let everyCondition: AccessControlFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
    ]

    /// The flags of the policy.
    var conditions: AccessControlFlags {
        switch self {
        case .none: []
        case .userPresence: .userPresence
        case .biometryAny: .biometryAny
        case .biometryCurrentSet: .biometryCurrentSet
        case .devicePasscode: .devicePasscode
        case .custom(let flags): flags
        }
    }

    /// Whether the system can protect a password with the policy.
    ///
    /// Flags without a condition would protect nothing; `privateKeyUsage` is for keys; an application password comes
    /// from the app, and this store has no way to pass it.
    var suitsPasswords: Bool {
        guard case .custom(let flags) = self else { return true }
        return !flags.isDisjoint(with: Self.everyCondition)
            && flags.isSubset(of: Self.everyCondition.union([.or, .and])) && !flags.isSuperset(of: [.or, .and])
    }

    /// Returns the thing whose change made the system destroy an item with this policy.
    func binding(under accessibility: Accessibility) -> BackendFault.Binding {
        guard accessibility != .whenPasscodeSetThisDeviceOnly else { return .passcode }
        switch self {
        case .biometryCurrentSet: return .biometry
        case .custom(let flags): return flags.contains(.biometryCurrentSet) ? .biometry : .passcode
        case .none, .userPresence, .biometryAny, .devicePasscode: return .passcode
        }
    }
}
