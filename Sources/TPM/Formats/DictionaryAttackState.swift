internal import Encoding
internal import SecureStorage

/// The state of the TPM's protection against guessing.
struct DictionaryAttackState: Equatable {
    /// Whether resetting the counter needs an authorization that is not empty.
    let isLockoutAuthorizationSet: Bool
    /// The number of wrong authorizations that the TPM remembers.
    let failures: UInt32
    /// The number with which it refuses every authorization.
    let maximum: UInt32
    /// The seconds after which it forgets one.
    let interval: UInt32
    /// The seconds after a wrong lockout password in which it refuses every one; 0 until the next restart.
    let lockoutRecovery: UInt32

    private enum Property {
        static let permanent: UInt32 = 0x200
        static let lockoutCounter: UInt32 = 0x20e
        static let maxAuthFail: UInt32 = 0x20f
        static let lockoutInterval: UInt32 = 0x210
        static let lockoutRecovery: UInt32 = 0x211
        static let lockoutAuthSet: UInt32 = 1 << 2
    }

    /// The attempts before the lockout.
    var attemptsLeft: Int { Int(maximum) - min(Int(failures), Int(maximum)) }

    /// Whether the TPM refuses every authorization.
    var isLockedOut: Bool { failures >= maximum }

    /// The days in which a program that never stops tries all PINs of four digits, or as many lockout passwords, which
    /// would reset the counter.
    var daysToTryAllPINs: Int {
        let seconds = lockoutRecovery == 0 ? interval : min(interval, lockoutRecovery)
        return (Limits.shortPINs - min(Int(maximum), Limits.shortPINs)) * Int(seconds) / 86_400
    }

    /// The reason why PINs would not be protected; nil if they are.
    var fault: BackendFault? {
        // Every program could reset the counter after each guess (secureblue#1867).
        if !isLockoutAuthorizationSet { return .unavailable(.lockoutAuthorizationEmpty) }
        // With an interval of zero the TPM does not count at all (TPM 2.0, part 1, section 19.8.2).
        if interval == 0 || !Limits.wrongAttempts.contains(maximum) { return .unsupported }
        if daysToTryAllPINs < Limits.daysToTryAllPINs { return .unavailable(.weakLockout(days: daysToTryAllPINs)) }
        return nil
    }

    /// Reads `TPMS_CAPABILITY_DATA` with the properties from `TPM2_PT_PERMANENT` on.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        var reader = try ByteReader(bytes, limit: 1024)
        // The capability `TPM2_CAP_TPM_PROPERTIES`.
        guard try reader.bigEndian(UInt32.self) == 6 else { throw .unsupported }
        let count = try reader.bigEndian(UInt32.self)
        guard count <= 127 else { throw .unsupported }
        var properties: [UInt32: UInt32] = [:]
        for _ in 0..<count {
            let property = try reader.bigEndian(UInt32.self)
            guard properties.updateValue(try reader.bigEndian(UInt32.self), forKey: property) == nil
            else { throw .unsupported }
        }
        try reader.finish()
        guard let permanent = properties[Property.permanent], let failures = properties[Property.lockoutCounter],
            let maximum = properties[Property.maxAuthFail], let interval = properties[Property.lockoutInterval],
            let recovery = properties[Property.lockoutRecovery]
        else { throw .unsupported }
        isLockoutAuthorizationSet = permanent & Property.lockoutAuthSet != 0
        (self.failures, self.maximum, self.interval, lockoutRecovery) = (failures, maximum, interval, recovery)
    }
}
