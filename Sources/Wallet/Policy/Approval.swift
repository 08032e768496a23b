internal import Curves
internal import Encoding
public import Secrets

/// An approver's signature over the digest of an intent. A policy may require it
/// ([format](../../../docs/formats/policy.md)).
///
/// It approves exactly one intent, and has neither a time nor a count: all payloads with that digest are the same
/// transaction, which happens once.
public struct Approval: Equatable, Sendable {
    /// The digest of the approved intent, as the file says.
    public let digest: [UInt8]
    /// The approver's Ed25519 key, 32 bytes, as the file says.
    public let approver: [UInt8]
    private let signature: [UInt8]

    /// Reads the file of an approval. It verifies nothing.
    ///
    /// - Throws: ``WalletError/badApproval``.
    public init(file: [UInt8]) throws(WalletError) {
        guard let json = try? JSON(decoding: file, limit: WalletLimits.approvalSize),
            json.object?.names == ["version", "digest", "approver", "signature"], json["version"]?.number?.text == "1"
        else { throw .badApproval }
        func bytes(_ name: String, _ count: Int) throws(WalletError) -> [UInt8] {
            guard let text = json[name]?.string, let bytes = try? Hex.decode(text), bytes.count == count else {
                throw .badApproval
            }
            return bytes
        }
        digest = try bytes("digest", 32)
        approver = try bytes("approver", 32)
        signature = try bytes("signature", EdDSA.signatureSize)
    }

    /// Signs an approval.
    ///
    /// - Parameters:
    ///   - digest: the digest of the intent that the approver has seen, 32 bytes.
    ///   - key: the approver's private key, 32 bytes (RFC 8032).
    /// - Throws: ``WalletError/badApproval`` for other sizes.
    public static func sign(_ digest: [UInt8], key: borrowing SecretBytes) throws(WalletError) -> Approval {
        guard digest.count == 32, key.count == EdDSA.seedSize else { throw .badApproval }
        return Approval(
            digest: digest, approver: EdDSA.publicKey(ofSeed: key),
            signature: EdDSA.sign(message: message(for: digest), seed: key))
    }

    private init(digest: [UInt8], approver: [UInt8], signature: [UInt8]) {
        self.digest = digest
        self.approver = approver
        self.signature = signature
    }

    /// The encoded file: JSON in one line.
    public var file: [UInt8] {
        let json: JSON = [
            "version": 1, "digest": .string(Hex.encode(digest)), "approver": .string(Hex.encode(approver)),
            "signature": .string(Hex.encode(signature)),
        ]
        return json.encoded + [0x0A]
    }

    /// Returns whether this key has signed this digest. The file's own digest and key are not used.
    public func isValid(for digest: [UInt8], by key: [UInt8]) -> Bool {
        EdDSA.isValid(signature: signature, message: Self.message(for: digest), publicKey: key)
    }

    /// Returns the message that is signed: taggedHash("Fueki/approval", digest). The key may also sign other things.
    private static func message(for digest: [UInt8]) -> [UInt8] { BIP340.taggedHash("Fueki/approval", digest) }
}

extension Policy {
    /// Returns the names of the approvers who approved this digest.
    public func approvers(of digest: [UInt8], in approvals: [Approval]) -> Set<String> {
        Set(approvers.filter { _, key in approvals.contains { $0.isValid(for: digest, by: key) } }.keys)
    }
}
