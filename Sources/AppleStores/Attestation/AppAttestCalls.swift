package import SecureStorage

/// The calls of Apple's App Attest: the port of ``AppAttest``. The calls block; attesting asks Apple's server.
package protocol AppAttestCalls: Sendable {
    /// Whether this device and this kind of program have App Attest.
    var isSupported: Bool { get }

    /// Makes a key in the Enclave. - Returns: its id, base64 of 32 bytes.
    func generateKey() throws(SecureStorageError) -> String

    /// Returns Apple's statement about a key.
    func attestKey(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8]

    /// Returns the signature of a request, with its counter.
    func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8]
}

/// The codes of Apple's `DCError` as faults.
///
/// Apple documents the codes at <https://developer.apple.com/documentation/devicecheck/dcerror-swift.struct/code>.
package enum AppAttestErrors {
    /// Returns the fault of a code.
    package static func fault(code: Int) -> BackendFault {
        switch code {
        case 1: .unavailable(.noDevice)  // featureUnsupported
        case 3: .bindingChanged(.device)  // invalidKey: made by another installation, or attested already
        case 4: .unavailable(.noService)  // serverUnavailable: try again, with the same key
        default: .refused(code: code)  // unknownSystemFailure, invalidInput
        }
    }
}
