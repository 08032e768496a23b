internal import CSecp256k1
internal import Secrets

extension Secp256k1 {
    /// The library's state: tables, and a random number that hides secrets from those who measure power or time.
    final class Context: Sendable {
        static let shared = Context()

        // Nothing writes to it once it is made, so that all threads may use it.
        nonisolated(unsafe) let pointer: OpaquePointer

        private init() {
            guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
            else { preconditionFailure("no memory for libsecp256k1") }
            // The one randomness here that nobody passes in: no result depends on it.
            let blinding = SecretBytes(count: 32, from: SystemRandom())
            let result = blinding.withUnsafeBytes {
                secp256k1_context_randomize(context, $0.start)
            }
            precondition(result == 1, "libsecp256k1 refuses its blinding")
            pointer = context
        }
    }
}
