package import SecureStorage

/// The errors of CryptoKit, Security, CryptoTokenKit and LocalAuthentication about an Enclave key, as faults.
///
/// CryptoKit passes on errors of the frameworks below it, which differ between systems: the domain says whose number it
/// is. A number that is not listed stays a number.
package enum EnclaveErrors {
    /// The domain of `OSStatus` values: `NSOSStatusErrorDomain`.
    package static let osStatus = "NSOSStatusErrorDomain"
    /// The domain of `TKError`.
    package static let cryptoTokenKit = "CryptoTokenKit"
    /// The domain of `LAError`.
    package static let localAuthentication = "com.apple.LocalAuthentication"

    /// Returns the fault of an error.
    package static func fault(domain: String, code: Int) -> BackendFault {
        switch domain {
        case osStatus: fault(status: code)
        case cryptoTokenKit: fault(token: code)
        case localAuthentication: LocalAuthenticationErrors.fault(code: code) ?? .cancelled
        default: .refused(code: code)
        }
    }

    private static func fault(status: Int) -> BackendFault {
        switch status {
        case -128: .cancelled  // errSecUserCanceled
        case -25293: .authenticationFailed(attemptsLeft: nil)  // errSecAuthFailed
        case -25308: .interactionNotAllowed  // errSecInteractionNotAllowed
        case -34018: .unavailable(.noEntitlement)  // errSecMissingEntitlement
        case -25291: .unavailable(.noDevice)  // errSecNotAvailable
        case -26275: .bindingChanged(.device)  // errSecDecode: the blob is another Enclave's
        default: .refused(code: status)
        }
    }

    private static func fault(token: Int) -> BackendFault {
        switch token {
        case -3: .bindingChanged(.device)  // TKError.corruptedData
        case -4: .cancelled  // TKError.canceledByUser
        case -5: .authenticationFailed(attemptsLeft: nil)  // TKError.authenticationFailed
        case -6: .bindingChanged(.device)  // TKError.objectNotFound
        case -7: .unavailable(.noDevice)  // TKError.tokenNotFound
        case -9: .interactionNotAllowed  // TKError.authenticationNeeded
        default: .refused(code: token)
        }
    }
}
