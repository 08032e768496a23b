internal import Crypto
internal import Encoding

/// A public key that signs pin policies: Ed25519 (RFC 8032). An app contains it.
public struct PinPolicyKey: Equatable, Sendable {
    /// The key: 32 bytes.
    public let bytes: [UInt8]

    /// Creates a key.
    ///
    /// - Returns: nil if there are not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}

/// A pin policy with a signature that was not verified yet.
///
/// A file of JSON: `{"policy": "…", "signature": "…"}`, both in Base64. The signature is over
/// ``bytesToSign(of:)``: the bytes of the policy's file as they are, behind the name of the purpose. So there is one
/// form only, and a signature for another purpose does not count.
public struct SignedPinPolicy: Equatable, Sendable {
    /// The errors of an update.
    public enum Fault: Error, Equatable, Sendable {
        /// The file is not of this format, or too large.
        case malformed
        /// None of the app's keys has signed it.
        case signature
        /// The signed policy is invalid.
        case policy(PinPolicy.Fault)
        /// The policy is older than the one in use, or the same: somebody plays back an old file.
        ///
        /// - Parameter current: the number of the policy in use.
        case rollback(current: UInt64)
    }

    /// The bytes of the policy's file.
    public let policy: [UInt8]
    /// The signature: 64 bytes.
    public let signature: [UInt8]

    /// Creates a signed policy.
    ///
    /// - Parameter signature: the signature of ``bytesToSign(of:)``, which is not verified here.
    public init(policy: [UInt8], signature: [UInt8]) {
        self.policy = policy
        self.signature = signature
    }

    /// Reads the file.
    ///
    /// - Throws: ``Fault/malformed``.
    public init(decoding bytes: some Collection<UInt8>) throws(Fault) {
        guard let json = try? JSON(decoding: bytes, limit: HTTPLimits.signedPolicyBytes, depth: 1),
            json.object?.names.sorted() == ["policy", "signature"],
            let policy = json["policy"]?.string.flatMap({ try? Base64.decode($0) }),
            policy.count <= HTTPLimits.policyBytes,
            let signature = json["signature"]?.string.flatMap({ try? Base64.decode($0) }), signature.count == 64
        else { throw .malformed }
        self.init(policy: policy, signature: signature)
    }

    /// The file.
    public var encoded: [UInt8] {
        let json: JSON = [
            "policy": .string(Base64.encode(policy)), "signature": .string(Base64.encode(signature)),
        ]
        return Array(json.text.utf8)
    }

    /// Returns the bytes that a publisher signs for a policy's file.
    public static func bytesToSign(of policy: [UInt8]) -> [UInt8] { Array("fueki pin policy 1\n".utf8) + policy }

    /// Verifies the signature and reads the policy.
    ///
    /// - Parameters:
    ///   - keys: the keys that the app contains; at most ``HTTPLimits/policyKeys`` are tried.
    ///   - current: the policy in use, whose number has to be lower.
    /// - Throws: ``Fault``.
    public func verified(by keys: [PinPolicyKey], replacing current: PinPolicy) throws(Fault) -> PinPolicy {
        let message = Self.bytesToSign(of: policy)
        guard keys.prefix(HTTPLimits.policyKeys).contains(where: { $0.verifies(signature, of: message) }) else {
            throw .signature
        }
        let update: PinPolicy
        do throws(PinPolicy.Fault) { update = try PinPolicy(decoding: policy) } catch { throw .policy(error) }
        guard update.serial > current.serial else { throw .rollback(current: current.serial) }
        return update
    }
}
