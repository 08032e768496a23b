internal import CSecp256k1
internal import Secrets

extension Secp256k1 {
    /// The library's state: tables, and a random number that hides secrets from measurements of power or time.
    final class Context: Sendable {
        static let shared = Context()

        // The state is never written to after its creation, so all threads may use it.
        nonisolated(unsafe) let pointer: OpaquePointer

        private init() {
            // This function exists since 0.2.0, the first release: with an older library the program does not link.
            secp256k1_selftest()
            guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY))
            else { preconditionFailure("no memory for libsecp256k1") }
            // The only random bytes here that the caller does not supply: no result depends on them.
            let blinding = SecretBytes(count: 32, from: SystemRandom())
            let result = blinding.withUnsafeBytes {
                secp256k1_context_randomize(context, $0.start)
            }
            precondition(result == 1, "libsecp256k1 refuses its blinding")
            pointer = context
            guard SelfTest(context: context).passes else {
                fatalError("libsecp256k1 computes wrongly: is it of another machine, or damaged?")
            }
        }
    }
}
