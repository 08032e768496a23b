internal import Bitcoin
internal import Ethereum
internal import HDKeys

/// Addresses that are made to look like another one, since people compare the first and the last characters; and
/// mistyped addresses.
enum Poisoning {
    /// How many characters behind the common prefix and at the end must match, together and at each end at least. A
    /// user who compares the first four and the last four overlooks one difference, and an attacker chooses where it
    /// is.
    private static let (alike, alikeAtEachEnd) = (7, 2)
    /// The maximum number of digits in which a mistyped address differs. Two exchanged digits count as two.
    private static let mistyped = 2

    /// Returns whether two different parties have addresses that look alike, or differ by a typing mistake.
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

    /// Returns whether one is the other mistyped. Only Ethereum's addresses may lack a checksum; Bitcoin's have one,
    /// which detects such mistakes.
    private static func isMistyped(_ one: Party, _ other: Party) -> Bool {
        guard case .ethereum(let left) = one, case .ethereum(let right) = other else { return false }
        let digits = zip(left.bytes, right.bytes).map { ($0 ^ $1 > 0x0F ? 1 : 0) + (($0 ^ $1) & 0x0F > 0 ? 1 : 0) }
        return digits.reduce(0, +) <= mistyped
    }

    /// Returns the parts that people compare: the prefix that all addresses of the kind share, and the characters
    /// behind it, in lower case, since a different case also passes unnoticed.
    private static func parts(of party: Party) -> (prefix: Substring, own: Substring)? {
        guard let prefix = sharedPrefix(of: party) else { return nil }
        let text = party.description.lowercased()
        return (text.prefix(prefix), text.dropFirst(prefix))
    }

    /// Returns the length of the prefix that all addresses of the kind share, which identifies nothing.
    private static func sharedPrefix(of party: Party) -> Int? {
        switch party {
        case .bitcoin(let address):
            switch address.scriptPubKey.kind {
            // The human-readable part, the separator, and the version of the witness (BIP-173).
            case .p2tr, .p2wpkh, .p2wsh: address.network.humanReadablePart.count + 2
            // The version byte gives the first character of Base58Check: 1 or 3; m or n or 2 on the test networks,
            // where the second character of a script's address is M or N.
            case .p2sh where address.network != .mainnet: 2
            case .p2pkh, .p2sh: 1
            case .opReturn, .unknown: nil
            }
        case .ethereum: 2
        // The wallet's own address is derived from its keys, not made to look like another one.
        case .script, .own: nil
        }
    }
}

extension Party {
    /// Returns whether the two addresses differ and a reader could mistake one for the other: their first and last
    /// characters match, or on Ethereum at most two digits differ.
    public func looksLike(_ other: Party) -> Bool { Poisoning.looksLike(self, other) }
}
