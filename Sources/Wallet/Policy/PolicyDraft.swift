public import Amounts
internal import Encoding

/// A draft of a first policy. It allows small payments at once, larger ones after a delay or with approvals, and
/// messages; everything else is denied.
///
/// ```swift
/// let draft = PolicyDraft(chain: .bitcoin(.mainnet), daily: 10_000_000, highestFee: 500_000, larger: .delay("24h"))
/// let policy = try Policy(file: draft.file)
/// ```
public struct PolicyDraft: Sendable {
    /// The outcome for a payment for which the day's limit has no room.
    public enum Larger: Sendable {
        /// It waits so long, as policy files write it: `24h`.
        case delay(String)
        /// Each of these has to approve it: Ed25519 keys of 32 bytes, by name.
        case approvals([(name: String, key: [UInt8])])

        /// Asks each of these approvers; without one, the payment waits so long.
        public init(askingEach people: [(name: String, key: [UInt8])], orAfter delay: String) {
            self = people.isEmpty ? .delay(delay) : .approvals(people)
        }
    }

    /// Reads an approver: a name, an equals sign and an Ed25519 key of 64 hexadecimal digits. Returns nil for any other
    /// text.
    public static func approver(_ text: String) -> (name: String, key: [UInt8])? {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let key = try? Hex.decode(parts[1]), key.count == 32 else { return nil }
        return (parts[0], key)
    }

    /// The chain whose coin is limited.
    public let chain: Chain
    /// The limit for payments and fees in 24 hours, in the chain's smallest unit.
    public let daily: UInt256
    /// The highest fee of any payment, in the same unit.
    public let highestFee: UInt256
    /// The outcome for payments above the limit.
    public let larger: Larger

    /// Creates a draft. Nothing is checked: read ``file`` with ``Policy/init(file:)``.
    public init(chain: Chain, daily: UInt256, highestFee: UInt256, larger: Larger) {
        self.chain = chain
        self.daily = daily
        self.highestFee = highestFee
        self.larger = larger
    }

    /// The policy file, for a person to edit: JSON with line breaks.
    public var file: [UInt8] {
        let fee = "\"fee_at_most\": \(amount(highestFee))"
        let on = "\"effect\": \"payment\", \"chain\": \"\(chain)\""
        var lines = ["{", "  \"version\": 1,"]
        let rest: String
        switch larger {
        case .delay(let time): rest = "{ \"delay\": \(JSON.string(time).text) }"
        case .approvals(let people):
            let keys = people.map { "\(JSON.string($0.name).text): \"\(Hex.encode($0.key))\"" }
            lines.append("  \"approvers\": { \(keys.joined(separator: ", ")) },")
            let names = people.map { JSON.string($0.name).text }.joined(separator: ", ")
            rest = "{ \"approvals\": \(people.count), \"of\": [\(names)] }"
        }
        lines += [
            "  \"rules\": [",
            "    { \"name\": \"small payments\", \"then\": \"allow\",",
            "      \"if\": { \(on), \"spent_at_most\": { \"amount\": \(amount(daily)), \"within\": \"24h\" }, \(fee) } },",
            "    { \"name\": \"larger payments\", \"then\": \(rest),",
            "      \"if\": { \(on), \"asset\": \"\(coin)\", \(fee) } },",
            "    { \"name\": \"messages\", \"then\": \"allow\", \"if\": { \"effect\": \"message\" } }",
            "  ]", "}", "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// The coin in the form that ``Policy/init(file:)`` reads: `BTC@bitcoin:mainnet`.
    private var coin: String { "\(chain.currency.symbol)@\(chain)" }

    private func amount(_ amount: UInt256) -> String {
        "\"\(DecimalText.short(amount, chain.currency.decimals)) \(coin)\""
    }
}
