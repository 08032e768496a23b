internal import Encoding
internal import WalletBooks

extension IgnoredApproval {
    /// - Parameter paths: the paths of the approval files.
    package func sentence(on paths: [String]) -> String {
        let text =
            switch reason {
            case .notAsked(let names): "the policy does not ask for an approval by \(names.joined(separator: ", "))"
            case .otherDigest(let digest):
                "it approves another digest, \(Hex.encode(digest.prefix(8)))…"
            case .unknownKey(let key): "its key, \(Hex.encode(key.prefix(8)))…, is not an approver's key in the policy"
            case .badSignature: "its signature does not verify with the key that it names"
            }
        return "\(paths[index]) does not count: \(text)"
    }
}
