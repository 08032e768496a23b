internal import DisplayText
public import Ethereum

extension Finding {
    /// Returns one finding for each kind of oddity in the lines' texts, with the first place where it occurs; a refusal
    /// if the texts are too long to be shown whole.
    static func findings(on lines: [SanitizedLine]) -> [Finding] {
        SanitizedText.Oddity.allCases.compactMap { oddity in
            guard let line = lines.first(where: { $0.foreignText?.oddities.contains(oddity) == true }) else {
                return nil
            }
            return oddity == .cut
                ? Finding(
                    "cut_text", "'\(line.label)' is too long to be shown in full", .refusal)
                : Finding("odd_text", "in '\(line.label)': \(oddity)", .costly)
        }
    }
}

extension TypedData {
    /// The oddities of its texts; a refusal if there is more text than a person reads, because its end would not be
    /// seen.
    public var findings: [Finding] {
        let lines = lines
        let size = lines.reduce(0) { $0 + $1.text.unicodeScalars.count + 2 * $1.depth }
        let isTooLong = size > WalletLimits.shownDataCharacters
        let called: [Finding] = if case .safe(let transaction)? = permission { transaction.call.findings } else { [] }
        return Finding.findings(on: lines) + called
            + (isTooLong ? [Finding("cut_text", "the document is too large to be shown in full", .refusal)] : [])
    }
}

extension ContractCall {
    /// The findings about a call beside its effects.
    var findings: [Finding] {
        let (recipient, data): (EthereumAddress, [UInt8])
        switch self {
        case .safeTransferFrom(_, let to, _, let bytes?): (recipient, data) = (to, bytes)
        case .safeTransfers(_, let to, _, let bytes, _): (recipient, data) = (to, bytes)
        default: return []
        }
        guard !data.isEmpty else { return [] }
        let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        return [
            Finding(
                "transfer_data",
                "\(size) go along, which tell the contract at \(recipient) something that cannot be decoded",
                .costly)
        ]
    }
}
