package import Secrets

/// Reserves memory for a session or a share, as long as the result exists.
///
/// - Parameter bytes: the size of the secrets that it keeps from one message to the next.
/// - Throws: ``ThresholdError/exhausted(_:)``.
package func admit(
    _ bytes: Int, as purpose: SecretMemory.Purpose
) throws(ThresholdError) -> SecretMemory.Admission {
    do { return try SecretMemory.admit(bytes, as: purpose) } catch { throw .exhausted(error) }
}

/// Sizes in bytes for ``admit(_:as:)``.
package enum AdmittedSize {
    /// A scalar in an arena, with its canaries.
    package static let scalar = 64
}
