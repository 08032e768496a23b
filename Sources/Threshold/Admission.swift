package import Secrets

/// Makes room for a session or a share, for as long as the result lives.
///
/// - Parameter bytes: of the secrets that it holds from one message to the next.
/// - Throws: ``ThresholdError/exhausted(_:)``.
package func admit(
    _ bytes: Int, as purpose: SecretMemory.Purpose
) throws(ThresholdError) -> SecretMemory.Admission {
    do { return try SecretMemory.admit(bytes, as: purpose) } catch { throw .exhausted(error) }
}

/// What a scalar takes in an arena, with its canaries.
let admittedScalar = 64
