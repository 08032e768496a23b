internal import Crypto
internal import Foundation

/// The two operations of P-256 in a refresh: the server verifies a proof and signs an access token.
enum BareOperations {
    /// The seconds that one thread computes for both: the best of several rounds, so that other programs disturb the
    /// result least.
    static var seconds: Double {
        let key = P256.Signing.PrivateKey()
        let message = Data(repeating: 7, count: 400)
        var best = Double.infinity
        for _ in 0..<10 {
            let start = Clock.thread
            for _ in 0..<200 {
                guard let signature = try? key.signature(for: message),
                    key.publicKey.isValidSignature(signature, for: message)
                else { fatalError("P-256 does not work") }
            }
            best = min(best, (Clock.thread - start) / 200)
        }
        return best
    }
}
