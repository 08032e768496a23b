#if canImport(DeviceCheck)
    internal import DeviceCheck
    internal import Foundation
    internal import SecureStorage

    extension AppAttest {
        /// App Attest of this device.
        public init() { self.init(over: DeviceAppAttest()) }
    }

    /// Apple's service.
    private struct DeviceAppAttest: AppAttestCalls {
        var isSupported: Bool { DCAppAttestService.shared.isSupported }

        func generateKey() throws(SecureStorageError) -> String {
            let answer = AwaitedAnswer<Result<String, SecureStorageError>>()
            DCAppAttestService.shared.generateKey { key, error in answer.give(Self.result(key, error)) }
            return try answer.wait().get()
        }

        func attestKey(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8] {
            let answer = AwaitedAnswer<Result<[UInt8], SecureStorageError>>()
            DCAppAttestService.shared.attestKey(keyID, clientDataHash: Data(clientDataHash)) { object, error in
                answer.give(Self.result(object.map { [UInt8]($0) }, error))
            }
            return try answer.wait().get()
        }

        func generateAssertion(_ keyID: String, clientDataHash: [UInt8]) throws(SecureStorageError) -> [UInt8] {
            let answer = AwaitedAnswer<Result<[UInt8], SecureStorageError>>()
            DCAppAttestService.shared.generateAssertion(keyID, clientDataHash: Data(clientDataHash)) { object, error in
                answer.give(Self.result(object.map { [UInt8]($0) }, error))
            }
            return try answer.wait().get()
        }

        private static func result<Value>(_ value: Value?, _ error: (any Error)?) -> Result<Value, SecureStorageError> {
            if let value { return .success(value) }
            guard let error = error as? DCError else { return .failure(.backend(.secureEnclave, .malformedAnswer)) }
            return .failure(.backend(.secureEnclave, AppAttestErrors.fault(code: error.code.rawValue)))
        }
    }
#endif
