package import SecureStorage

/// A private key of the Secure Enclave as it leaves the chip: encrypted by the chip, and useless without it.
package struct EnclaveKey: Equatable, Sendable {
    /// The encrypted key: CryptoKit's `dataRepresentation`.
    package let blob: [UInt8]
    /// The public key on P-256: 65 bytes, 4, x and y (SEC 1, section 2.3.3).
    package let publicKey: [UInt8]

    /// Creates the value of a chip's answer.
    ///
    /// - Throws: `BackendFault.malformedAnswer` for a key that does not fit into a file.
    package init(blob: [UInt8], publicKey: [UInt8]) throws(SecureStorageError) {
        guard (1...AppleLimits.enclaveBlob).contains(blob.count), publicKey.count == Self.publicKeySize,
            publicKey.first == 4
        else { throw .backend(.secureEnclave, .malformedAnswer) }
        self.blob = blob
        self.publicKey = publicKey
    }

    /// The size of a public key in bytes.
    static let publicKeySize = 65
}

/// The condition of the use of an Enclave key: the user's part, and the state of the device.
package struct EnclaveAccess: Equatable, Sendable {
    /// The user's part in each use.
    package let policy: AccessControlPolicy
    /// The state of the device in which the key can be used. Every key of the Enclave is bound to its device.
    package let accessibility: Accessibility

    /// Creates a condition.
    ///
    /// - Throws: `SecureStorageError.notHonoured(_:)` for a level that lets the key leave the device.
    package init(_ policy: AccessControlPolicy, _ accessibility: Accessibility) throws(SecureStorageError) {
        guard accessibility.isBoundToDevice else { throw .notHonoured(accessibility) }
        self.policy = policy
        self.accessibility = accessibility
    }

    /// The flags for `SecAccessControlCreateWithFlags`. The Enclave uses a key for nothing without `privateKeyUsage`.
    package var flags: AccessControlFlags {
        policy.conditions.union(.privateKeyUsage)
    }
}
