internal import Secrets
internal import SecureStorage
internal import TPM

#if !os(Linux)
    internal import AppleStores
#endif

/// The chip of this machine: the TPM on Linux, the Secure Enclave on Apple's systems.
struct Chip: Sendable {
    #if os(Linux)
        private let device: Result<TPMDevice, SecureStorageError>

        init(address: String?) {
            do throws(SecureStorageError) {
                let address =
                    if let address, !address.isEmpty { try TPMAddress(address) } else { TPMAddress.resourceManager }
                device = .success(TPMDevice(at: address, limit: Limits.backendCall))
            } catch { device = .failure(.backend(.tpm, .unavailable(.address))) }
        }

        /// - Throws: ``SecureStorageError/outsideLimits(_:)`` for registers that a TPM does not keep.
        func sealer(boundTo registers: [Int]) throws(SecureStorageError) -> (any DeviceSealer)? {
            switch device {
            case .success(let device):
                return TPMSealer(with: device, boundTo: registers.isEmpty ? nil : try PCRSelection(registers))
            case .failure(let error): return UnreachableChip(error: error)
            }
        }

        /// - Throws: the error of a malformed address: without its counter a vault is not deleted, either.
        func counter() throws(SecureStorageError) -> (any RollbackGuard)? { TPMCounter(in: try device.get()) }

        /// The reason why the TPM cannot seal with a PIN now; nil if it can.
        func tpmFault() async -> BackendFault? { await tpmProtection().fault }

        /// That reason, and the days in which a program tries all PINs of four digits.
        func tpmProtection() async -> (fault: BackendFault?, daysToTryAllPINs: Int?) {
            switch device {
            case .success(let device): await device.pinProtection()
            case .failure: (.unavailable(.address), nil)
            }
        }

        func appleFault(of backend: StoreBackend) async -> BackendFault? { .unavailable(.otherSystem) }
    #else
        init(address: String?) {}

        func sealer(boundTo registers: [Int]) throws(SecureStorageError) -> (any DeviceSealer)? {
            SecureEnclaveSealer()
        }

        func counter() throws(SecureStorageError) -> (any RollbackGuard)? { nil }

        func tpmFault() async -> BackendFault? { .unavailable(.otherSystem) }

        func tpmProtection() async -> (fault: BackendFault?, daysToTryAllPINs: Int?) {
            (.unavailable(.otherSystem), nil)
        }

        func appleFault(of backend: StoreBackend) async -> BackendFault? { nil }
    #endif
}

/// The chip at an address that is malformed: every use reports that.
private struct UnreachableChip: DeviceSealer {
    let error: SecureStorageError
    var backend: StoreBackend { .tpm }

    func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8] { throw error }

    func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes { throw error }
}
