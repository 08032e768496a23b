internal import Bitcoin
internal import Custody
internal import Encoding
internal import Nodes
internal import Terminal
internal import Wallet

/// An address as it is shown, and what is known of it.
struct ShownAddress: Encodable {
    let address: WalletAddress
    /// Whether a share was opened, and has sealed that it is the wallet's.
    let isVerified: Bool
    /// Whether this machine showed it before; nil of Ethereum's, which people keep.
    var wasShown: Bool?
    /// Whether it was paid before, as a node says; nil where none was asked.
    var wasUsed: Bool?
    /// Whether it lies behind all that commands look at by themselves.
    var isFar = false
    /// Whether a new one was asked for, and there is none that was not shown.
    var isRepeated = false

    private enum CodingKeys: String, CodingKey {
        case verified, used
        case shownBefore = "shown_before"
    }

    func encode(to encoder: any Encoder) throws {
        try address.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if isVerified { try container.encode(true, forKey: .verified) }
        try container.encodeIfPresent(wasShown, forKey: .shownBefore)
        try container.encodeIfPresent(wasUsed, forKey: .used)
    }

    /// What a person should know before the address is given to somebody.
    func notes(of wallet: WalletRecord) -> [String] {
        var notes: [String] = []
        if wasUsed == true {
            notes.append("note: this address was paid before: --new shows one that was not")
        } else if isRepeated {
            notes.append(
                "warning: all \(ShownAddresses.bound) addresses that can be remembered count as shown; this one was not paid"
            )
        } else if wasShown == true {
            notes.append("note: this address was shown before: --new shows one that was not")
        }
        if isFar {
            notes.append(
                "warning: no command looks for coins at so high an index by itself: it takes --index-range then")
        }
        return notes
    }
}

/// Which addresses were ever paid.
enum UsedAddresses {
    /// Nil if there is no node to ask. One that keeps no record of what was spent knows those with coins.
    static func among(
        _ scripts: [ScriptPubKey], by chain: (any BitcoinChain)?
    ) async throws(Failure) -> Set<ScriptPubKey>? {
        guard let chain else { return nil }
        return try await attempt { () async throws(NodeError) in
            if let used = try await chain.used(scripts) { return used }
            return Set(try await chain.coins(of: scripts).coins.map(\.output.scriptPubKey))
        }
    }
}

extension WalletAddress {
    /// What pays to it; of Ethereum nothing.
    var script: ScriptPubKey { ScriptPubKey(scriptPubKey.flatMap { try? Hex.decode($0) } ?? []) }
}
