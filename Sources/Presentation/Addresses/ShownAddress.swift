package import Custody
internal import ErrorTexts
package import Payments
internal import Texts

/// The view of an address, with the facts that its owner should know.
package struct ShownAddress: Encodable {
    private let found: RequestedAddress
    /// Whether an opened share's sealed description confirmed the address.
    private let isVerified: Bool
    private let wallet: WalletName

    package init(_ found: RequestedAddress, of wallet: WalletName, isVerified: Bool) {
        (self.found, self.wallet, self.isVerified) = (found, wallet, isVerified)
    }

    private enum CodingKeys: String, CodingKey {
        case verified, used
        case shownBefore = "shown_before"
    }

    package func encode(to encoder: any Encoder) throws {
        try found.address.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if isVerified { try container.encode(true, forKey: .verified) }
        try container.encodeIfPresent(found.wasShown, forKey: .shownBefore)
        try container.encodeIfPresent(found.wasUsed, forKey: .used)
    }

    package var text: String { found.address.address }

    /// The payment link that a telephone's wallet reads from a QR code.
    package var link: String {
        switch found.address.type {
        // BIP-21 in capitals (BIP-173): the QR code is smaller than one with lower-case letters.
        case .taproot, .segwit: "bitcoin:\(text)".uppercased()
        // EIP-681. The case of the letters is the checksum.
        case .ethereum: "ethereum:\(text)"
        }
    }

    /// Notes and warnings that the owner reads before giving the address to a payer.
    package var notes: [String] {
        var notes: [String] = []
        if let index = found.onlySearchedHere { notes.append("warning: \(FarAddress.warning(index))") }
        if let error = found.unremembered {
            notes.append("warning: it cannot be remembered that this address was shown: \(error.failure.message)")
        }
        if found.isLostToWords {
            notes.append(
                "warning: the words that '\(wallet)' was imported from do not restore this address: do not use it")
        }
        if found.wasUsed == true {
            notes.append("note: this address was paid before: --new shows one that was not")
        } else if found.isRepeated {
            notes.append(
                "warning: all \(ShownAddresses.bound) addresses that can be remembered count as shown; this one was not paid"
            )
        } else if found.wasShown == true {
            notes.append("note: this address was shown before: --new shows one that was not")
        }
        if found.isFar {
            notes.append(
                "warning: commands scan so high an index only with --index-range")
        }
        return notes
    }
}
