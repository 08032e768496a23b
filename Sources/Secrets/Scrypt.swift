internal import CSodium

/// scrypt (RFC 7914): derives a key from a passphrase at a cost in memory and time.
///
/// It is for Ethereum's keystore, which requires it. This program's own files use ``Argon2id``.
public enum Scrypt {
    /// An error of a derivation.
    public enum Fault: Error, Equatable, Sendable {
        /// The parameters are invalid, or the cost is above ``Cost/mostMemory`` or ``Cost/mostBlocks``.
        case costOutOfBounds
        /// The system did not have enough memory for the derivation.
        case outOfMemory
    }

    /// A limited cost: a file's author must not exhaust the machine of its reader.
    public struct Cost: Equatable, Sendable {
        /// The maximum memory in bytes, 128·N·r: twice what geth and MetaMask use, whose N and r are 2¹⁸ and 8.
        public static let mostMemory: UInt64 = 1 << 29
        /// The maximum of N·r·p, to which the time is proportional: four times theirs, which is some seconds.
        public static let mostBlocks: UInt64 = 1 << 23

        /// N: a power of two, more than 1.
        public let n: UInt64
        /// The size of a block, in 128 bytes.
        public let r: UInt32
        /// The number of sequential repetitions.
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
    ///   - passphrase: any bytes; text in UTF-8, in the form that the file's author used.
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
