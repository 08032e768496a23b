internal import Bitcoin
internal import Ethereum
internal import HDKeys

/// Addresses that are made to be taken for another one, since people compare the first and the last characters; and those that are
/// another one, mistyped.
enum Poisoning {
    /// How many characters are the same at both ends together, behind what all addresses of the kind begin with, and at each end at
    /// least: who compares the first four and the last four overlooks one that differs, and who makes an address chooses where.
    private static let (alike, alikeAtEachEnd) = (7, 2)
    /// In how many digits a mistyped address differs, at most: two that changed places are two.
    private static let mistyped = 2

    /// Whether two different parties have addresses that look alike, or are a slip of the finger apart.
    static func looksLike(_ one: Party, _ other: Party) -> Bool {
        guard one != other, let left = parts(of: one), let right = parts(of: other) else { return false }
        return isAlike(left, right) || isMistyped(one, other)
    }

    private static func isAlike(
        _ one: (prefix: Substring, own: Substring), _ other: (prefix: Substring, own: Substring)
    ) -> Bool {
        guard one.prefix == other.prefix else { return false }
        let first = zip(one.own, other.own).prefix { $0 == $1 }.count
        let last = zip(one.own.reversed(), other.own.reversed()).prefix { $0 == $1 }.count
        return first + last >= alike && min(first, last) >= alikeAtEachEnd
    }

    /// On Ethereum an address may come without a checksum. On Bitcoin each has one, which no such slip passes.
    private static func isMistyped(_ one: Party, _ other: Party) -> Bool {
        guard case .ethereum(let left) = one, case .ethereum(let right) = other else { return false }
        let digits = zip(left.bytes, right.bytes).map { ($0 ^ $1 > 0x0F ? 1 : 0) + (($0 ^ $1) & 0x0F > 0 ? 1 : 0) }
        return digits.reduce(0, +) <= mistyped
    }

    /// What people look at: what all addresses of the kind begin with, and the characters behind that and at the end. In small
    /// letters, since an address that has a large one in the place of a small one passes for it as well.
    private static func parts(of party: Party) -> (prefix: Substring, own: Substring)? {
        guard let prefix = sharedPrefix(of: party) else { return nil }
        let text = party.description.lowercased()
        return (text.prefix(prefix), text.dropFirst(prefix))
    }

    /// How many characters all addresses of the kind begin with: they tell nobody anything.
    private static func sharedPrefix(of party: Party) -> Int? {
        switch party {
        case .bitcoin(let address):
            switch address.scriptPubKey.kind {
            // The human-readable part, the separator, and the version of the witness (BIP-173).
            case .p2tr, .p2wpkh, .p2wsh: address.network.humanReadablePart.count + 2
            // The version byte gives the first character of Base58Check: 1 or 3; m or n or 2 on the test networks. There the
            // second one of a script's address is M or N.
            case .p2sh where address.network != .mainnet: 2
            case .p2pkh, .p2sh: 1
            case .opReturn, .unknown: nil
            }
        case .ethereum: 2
        // An own address is derived from the wallet's keys: it was not made to look like another one.
        case .script, .own: nil
        }
    }
}

extension Party {
    /// Whether both have addresses of their own that people who compare the first and last characters take for the same, or on
    /// Ethereum such that differ in no more than two digits.
    public func looksLike(_ other: Party) -> Bool { Poisoning.looksLike(self, other) }
}
