package import Texts
package import Wallet

extension MinisignFault: Explained {
    package var failure: Failure {
        switch self {
        case .badKey:
            Failure(
                code: .malformed, name: "malformed", message: "this is not a minisign public key",
                hint: "give the key file, or its second line, which begins with 'RW'")
        case .badSignatureFile:
            Failure(code: .malformed, name: "malformed", message: "this is not a minisign signature file")
        case .legacySignature:
            Failure(
                code: .refused, name: "legacy_signature",
                message: "the signature is of minisign's old form, without a digest of the file, and is not verified",
                hint: "ask for a signature made with 'minisign -S -H', or verify it with minisign itself")
        case .otherKey:
            Failure(code: .refused, name: "other_key", message: "the signature was made by another key")
        case .badSignature:
            Failure(
                code: .refused, name: "bad_signature", message: "the signature is not this key's signature of the file")
        case .badTrustedComment:
            Failure(
                code: .refused, name: "bad_trusted_comment",
                message: "the signature of the file is valid, and its trusted comment was changed")
        case .unsignableComment:
            .usage(
                "the trusted comment is empty, longer than 1,024 bytes, or has a control character",
                hint: "give another one with --comment")
        }
    }
}
