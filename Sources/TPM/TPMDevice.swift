#if canImport(Glibc)
    internal import Glibc
    internal import Secrets
    public import SecureStorage

    /// A TPM 2.0, reached through tpm2-tss, whose libraries are loaded at the first use.
    ///
    /// ``TPMSealer``, ``TPMCounter`` and ``TPMKeys`` share one. Their calls come one after the other, on a thread of the
    /// device's, each within the time limit.
    public final class TPMDevice: Sendable {
        /// The place of the TPM.
        public let address: TPMAddress
        let calls: BoundedCalls
        private let libraries: TSS.Libraries

        /// Creates the device with the time limit of all backends: three seconds. Nothing is loaded or asked yet.
        public convenience init(at address: TPMAddress) {
            self.init(at: address, limit: SecureStorage.Limits.backendCall)
        }

        /// Creates the device. Nothing is loaded or asked yet.
        ///
        /// - Parameters:
        ///   - address: the transport and the place.
        ///   - limit: the time from a call to its answer.
        public convenience init(at address: TPMAddress, limit: Duration) {
            self.init(at: address, limit: limit, libraries: TSS.Libraries())
        }

        init(at address: TPMAddress, limit: Duration, libraries: TSS.Libraries) {
            self.address = address
            self.libraries = libraries
            calls = BoundedCalls(to: .tpm, limit: limit)
        }

        /// Returns the reason why the TPM cannot be used now; nil if it can.
        public func unavailability() async -> BackendFault? {
            do throws(SecureStorageError) {
                try await calls.run { [self] () throws(SecureStorageError) in
                    _ = try connect().dictionaryAttackState()
                }
                return nil
            } catch { return error.unavailability }
        }

        /// Returns the reason why this TPM does not protect a PIN against guessing, or cannot be used, nil if it does; and the
        /// days in which a program that never stops tries all PINs of four digits, nil if the TPM does not tell.
        public func pinProtection() async -> (fault: BackendFault?, daysToTryAllPINs: Int?) {
            do throws(SecureStorageError) {
                return try await calls.run { [self] () throws(SecureStorageError) in
                    let state = try connect().dictionaryAttackState()
                    return (
                        state.fault ?? (state.isLockedOut ? .lockedOut(seconds: Int(state.interval)) : nil),
                        state.daysToTryAllPINs
                    )
                }
            } catch { return (error.unavailability, nil) }
        }

        /// Connects for one operation.
        func connect() throws(SecureStorageError) -> Connection {
            let tss = try TSS.load(libraries)
            // The library tells neither of these apart from other failures.
            let transportLibrary = "libtss2-tcti-\(address.transport).so.0"
            guard TSS.has(transportLibrary) else { throw .tpm(.unavailable(.library(transportLibrary))) }
            if let path = address.path, access(path, R_OK | W_OK) != 0 {
                throw .tpm(.unavailable(errno == EACCES || errno == EPERM ? .noPermission : .noDevice))
            }
            return try Connection(to: address, with: tss)
        }
    }
#endif
