#if canImport(Glibc)
    internal import Foundation
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    /// A TPM of its own for one test.
    struct Rig {
        let chip: SwTPM
        let device: TPMDevice

        /// - Parameter isProtected: whether the lockout authorization is set.
        init(isProtected: Bool = true) throws {
            chip = try SwTPM()
            if isProtected { try chip.protectLockout() }
            device = TPMDevice(at: try TPMAddress(chip.address), limit: .seconds(Patience.seconds))
        }

        func sealer(_ registers: Int...) throws(SecureStorageError) -> TPMSealer {
            TPMSealer(with: device, boundTo: registers.isEmpty ? nil : try PCRSelection(registers))
        }

        /// Changes a register, as the next stage of a boot does.
        func extend(_ register: Int) throws {
            try chip.tool("pcrextend", "\(register):sha256=\(String(repeating: "5a", count: 32))")
        }
    }

    /// 32 bytes of one value.
    func bytes(_ value: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: value) }
    }

    func exposed(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { [UInt8]($0) } }

    let pin = UInt8(1)
    let wrongPIN = UInt8(2)

    extension TPMSealer {
        func seal(_ secret: UInt8 = 7, pin: UInt8 = 1) throws(SecureStorageError) -> [UInt8] {
            try seal(bytes(secret), authorizedBy: bytes(pin))
        }

        /// Opens and returns the first byte.
        func open(_ sealed: [UInt8], pin: UInt8 = 1) throws(SecureStorageError) -> UInt8? {
            exposed(try open(sealed, authorizedBy: bytes(pin))).first
        }
    }

    func writeBytes(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    /// Returns the error of a call.
    func refusal<Value>(_ call: () throws(SecureStorageError) -> Value) -> SecureStorageError? {
        do throws(SecureStorageError) {
            _ = try call()
            return nil
        } catch { return error }
    }

    func refusal<Value>(
        isolation: isolated (any Actor)? = #isolation, _ call: () async throws(SecureStorageError) -> Value
    ) async -> SecureStorageError? {
        do throws(SecureStorageError) {
            _ = try await call()
            return nil
        } catch { return error }
    }
#endif
