import Crypto

@testable import PinnedHTTP

/// A publisher's key for pin policies.
struct PolicySigner {
    private let secret = Curve25519.Signing.PrivateKey()
    let key: PinPolicyKey

    init() throws { key = try PinPolicyKey(bytes: Array(secret.publicKey.rawRepresentation)).required }

    func sign(_ policy: String) throws -> SignedPinPolicy {
        let bytes = Array(policy.utf8)
        let signature = try secret.signature(for: SignedPinPolicy.bytesToSign(of: bytes))
        return SignedPinPolicy(policy: bytes, signature: Array(signature))
    }

    /// Signs bytes without the name of the purpose.
    func bareSignature(of bytes: [UInt8]) throws -> [UInt8] { Array(try secret.signature(for: bytes)) }
}
