@_exported import Foundation

// https://developer.apple.com/documentation/foundation/nserrorpointer
// On Apple's systems an `AutoreleasingUnsafeMutablePointer`; `&error` is passed alike.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

// https://developer.apple.com/documentation/localauthentication/lapolicy
public enum LAPolicy: Int, Sendable {
    case deviceOwnerAuthenticationWithBiometrics = 1
    case deviceOwnerAuthentication = 2
}

// https://developer.apple.com/documentation/localauthentication/labiometrytype
// Apple's enumeration is open: a switch needs `@unknown default`.
public enum LABiometryType: Int, Sendable {
    case none = 0
    case touchID = 1
    case faceID = 2
    case opticID = 4
}

// https://developer.apple.com/documentation/localauthentication/lacontext
// Declared without `Sendable`, the stricter assumption.
open class LAContext: NSObject {
    public override init() {}
    // https://developer.apple.com/documentation/localauthentication/lacontext/canevaluatepolicy(_:error:)
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool { false }
    // https://developer.apple.com/documentation/localauthentication/lacontext/evaluatepolicy(_:localizedreason:reply:)
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {}
    // https://developer.apple.com/documentation/localauthentication/lacontext/biometrytype
    open var biometryType: LABiometryType { .none }
    // https://developer.apple.com/documentation/localauthentication/lacontext/touchidauthenticationallowablereuseduration
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval = 0
    // https://developer.apple.com/documentation/localauthentication/lacontext/localizedfallbacktitle
    open var localizedFallbackTitle: String?
    // https://developer.apple.com/documentation/localauthentication/lacontext/localizedreason
    open var localizedReason: String = ""
    // https://developer.apple.com/documentation/localauthentication/lacontext/interactionnotallowed
    open var interactionNotAllowed: Bool = false
    // https://developer.apple.com/documentation/localauthentication/lacontext/invalidate()
    open func invalidate() {}
}
