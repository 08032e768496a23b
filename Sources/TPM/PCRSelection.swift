internal import Encoding
public import SecureStorage

/// Some of a TPM's platform configuration registers (PCRs), in the SHA-256 bank: the measured state of firmware and boot
/// that a secret is bound to.
///
/// Choose few. PCR 7 (the state of Secure Boot) changes rarely; others change with every update of the firmware or the
/// kernel, after which the secret must be sealed anew.
public struct PCRSelection: Equatable, Sendable {
    /// The three bytes of the TPM's own form: bit `n % 8` of byte `n / 8` for PCR `n`.
    let mask: [UInt8]

    /// The numbers of the registers, ascending.
    public var registers: [Int] { (0..<24).filter { mask[$0 / 8] >> UInt8($0 % 8) & 1 == 1 } }

    /// Selects registers.
    ///
    /// - Parameter registers: at least one of 0...15. Others can be reset without a restart.
    /// - Throws: `SecureStorageError.outsideLimits(_:)`.
    public init(_ registers: some Sequence<Int>) throws(SecureStorageError) {
        var mask: [UInt8] = [0, 0, 0]
        for register in registers {
            guard (0...15).contains(register) else { throw .outsideLimits(.name) }
            mask[register / 8] |= 1 << UInt8(register % 8)
        }
        guard mask != [0, 0, 0] else { throw .outsideLimits(.name) }
        self.mask = mask
    }

    /// Reads the three bytes. No register at all is nil.
    static func decode(_ mask: [UInt8]) throws(EncodingError) -> PCRSelection? {
        guard mask.count == 3 else { throw .unsupported }
        let numbers = (0..<24).filter { mask[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
        if numbers.isEmpty { return nil }
        guard let selection = try? PCRSelection(numbers) else { throw .unsupported }
        return selection
    }

    /// The selection as `TPML_PCR_SELECTION`: one bank.
    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 10)
        writer.bigEndian(UInt32(1))
        writer.bigEndian(Algorithm.sha256)
        writer.append(3)
        writer.append(mask)
        return writer.bytes
    }
}
