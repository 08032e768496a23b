import SigningSession

/// Returns the error of a failed step.
func failure(_ body: () async throws -> Void) async -> SigningError? {
    do { try await body() } catch { return error as? SigningError }
    return nil
}
