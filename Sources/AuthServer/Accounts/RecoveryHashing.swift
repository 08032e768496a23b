internal import Secrets

/// Hashes recovery codes, one at a time: so that however many people come at once, it takes the memory of one.
actor RecoveryHashing {
    private let cost: RecoveryCode.Cost

    init(cost: RecoveryCode.Cost) { self.cost = cost }

    /// 32 bytes. - Throws: ``Secrets/Argon2id/OutOfMemory``.
    func hash(_ code: RecoveryCode, salt: [UInt8]) throws -> [UInt8] {
        try code.hash(salt: salt, cost: cost).withUnsafeBytes { Array($0) }
    }

    /// In constant time, after what hashing takes.
    func matches(_ code: RecoveryCode, salt: [UInt8], hash: [UInt8]) throws -> Bool {
        constantTimeEquals(try self.hash(code, salt: salt), hash)
    }
}
