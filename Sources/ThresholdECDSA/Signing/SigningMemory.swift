public import Secrets
public import Threshold

extension ECDSA {
    /// Reserves memory for signatures that are made at the same time, before any of them is begun, because others
    /// decide how many a session makes. Keep the result as long as their rounds and presignatures.
    ///
    /// - Parameters:
    ///   - signatures: the number of signatures, at least one.
    ///   - signers: the number of signers of each, this one included.
    /// - Throws: `ThresholdError.exhausted(_:)` if too many sessions are open.
    public static func admit(signatures: Int, signers: Int) throws(ThresholdError) -> SecretMemory.Admission {
        precondition(signatures >= 1 && signers >= 1, "a session that signs nothing")
        return try Threshold.admit(signatures * memory(signers: signers), as: .session)
    }

    /// Returns the memory that a signature needs while it waits for the third messages: for each other signer the
    /// columns of the extension, and scalars; and once its own scalars, and the root of its randomness.
    static func memory(signers: Int) -> Int {
        let scalars = 16 * AdmittedSize.scalar
        return scalars + (signers - 1) * (ExtensionShape.signing.words * 8 + scalars)
    }
}
