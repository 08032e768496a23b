package import SecureStorage

/// The codes of Apple's `LAError` as faults.
///
/// Apple documents the codes at <https://developer.apple.com/documentation/localauthentication/laerror/code>; the
/// numbers are those of `LAPublicDefines.h`.
package enum LocalAuthenticationErrors {
    /// The code of a failed check that came without one.
    static let failed = -1

    /// Returns the fault of a code; nil for `userFallback`, which is the user's wish for another way and not a fault.
    package static func fault(code: Int) -> BackendFault? {
        switch code {
        case -3: nil  // userFallback
        case -1: .authenticationFailed(attemptsLeft: nil)  // authenticationFailed
        case -2: .cancelled  // userCancel
        case -4: .interactionNotAllowed  // systemCancel: another app came to the front
        case -5: .unavailable(.noPasscode)  // passcodeNotSet
        case -6: .unavailable(.noDevice)  // biometryNotAvailable: no sensor, or the user denied it to this app
        case -7: .unavailable(.noBiometry)  // biometryNotEnrolled
        case -8: .lockedOut(seconds: nil)  // biometryLockout: until the passcode was entered
        case -9: .cancelled  // appCancel
        case -10: .refused(code: code)  // invalidContext
        case -11, -12, -13: .unavailable(.noDevice)  // companion, or keyboard with the sensor, not paired or connected
        case -1004: .interactionNotAllowed  // notInteractive
        default: .refused(code: code)
        }
    }
}
