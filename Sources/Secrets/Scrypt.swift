internal import CSodium

/// scrypt (RFC 7914): turns a passphrase into a key at a price in memory and time.
///
/// For Ethereum's keystore, which prescribes it. What this program makes by itself takes ``Argon2id``.
public enum Scrypt {
    /// What is wrong with a derivation.
    public enum Fault: Error, Equatable, Sendable {
        /// Numbers that scrypt does not have, or a price above ``Cost/mostMemory`` or ``Cost/mostBlocks``.
        case costOutOfBounds
        /// The system had not enough memory for the derivation.
        case outOfMemory
    }

    /// A price that is not too high: those who write files must not eat the machine of those who open them.
    public struct Cost: Equatable, Sendable {
        /// Bytes of memory, 128·N·r. Twice what geth and MetaMask take, whose N and r are 2¹⁸ and 8.
        public static let mostMemory: UInt64 = 1 << 29
        /// N·r·p, to which the time is proportional: four times theirs, which is some seconds.
        public static let mostBlocks: UInt64 = 1 << 23

        /// N: a power of two, more than 1.
        public let n: UInt64
        /// The size of a block, in 128 bytes.
        public let r: UInt32
        /// How often all is done, one after the other.
        public let p: UInt32

        /// Creates a cost, if it is within the limits.
        ///
        /// - Throws: ``Fault/costOutOfBounds``.
        public init(n: UInt64, r: UInt32, p: UInt32) throws(Fault) {
            guard n > 1, n & (n - 1) == 0, r > 0, p > 0 else { throw .costOutOfBounds }
            let (blocks, overflow) = n.multipliedReportingOverflow(by: UInt64(r))
            guard !overflow, blocks <= Self.mostMemory / 128 else { throw .costOutOfBounds }
            // Both factors are below 2³²: no overflow.
            guard blocks * UInt64(p) <= Self.mostBlocks else { throw .costOutOfBounds }
            self.n = n
            self.r = r
            self.p = p
        }
    }

    /// Derives `count` bytes from a passphrase.
    ///
    /// - Parameters:
    ///   - count: the size of the result in bytes, at least 1.
    ///   - passphrase: any bytes; text is to be given as UTF-8, in the form in which the other side gave it.
    /// - Throws: ``Fault/outOfMemory``.
    public static func derive(
        count: Int, from passphrase: borrowing SecretBytes, salt: [UInt8], cost: Cost
    ) throws(Fault) -> SecretBytes {
        precondition(count >= 1, "scrypt gives one byte at least")
        Sodium.start()
        return try SecretBytes(count: count) { key throws(Fault) in
            let result = passphrase.withUnsafeBytes { passphrase in
                guard let text = passphrase.bindMemory(to: UInt8.self).baseAddress,
                    let key = key.bindMemory(to: UInt8.self).baseAddress
                else { preconditionFailure("a buffer without memory") }
                return crypto_pwhash_scryptsalsa208sha256_ll(
                    text, passphrase.count, salt, salt.count, cost.n, cost.r, cost.p, key, count)
            }
            guard result == 0 else { throw .outOfMemory }
        }
    }
}
