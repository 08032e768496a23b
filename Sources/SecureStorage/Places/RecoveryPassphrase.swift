internal import Secrets

/// A passphrase that opens a store without its chip. It is as good as the file, and no chip counts guesses of it.
enum RecoveryPassphrase {
    /// Returns whether it is long enough and no repetition: without blanks and the PIN it has at least eight bytes, five of
    /// them different, and it is not one short text several times.
    static func isStrong(_ passphrase: borrowing SecretBytes, besides pin: borrowing SecretBytes) -> Bool {
        guard passphrase.count >= Limits.recoveryPassphrase else { return false }
        return passphrase.withUnsafeBytes { text in
            pin.withUnsafeBytes { pin in
                !PassphraseWeakness.isRepetition(text) && hasContent(text, besides: pin)
            }
        }
    }

    private static func hasContent(_ text: UnsafeRawBufferPointer, besides pin: UnsafeRawBufferPointer) -> Bool {
        func isPIN(at start: Int) -> Bool {
            !pin.isEmpty && start + pin.count <= text.count
                && pin.indices.allSatisfy { text[start + $0] == pin[$0] }
        }
        var seen = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        var count = 0
        var position = 0
        while position < text.count {
            if isPIN(at: position) {
                position += pin.count
                continue
            }
            let byte = text[position]
            position += 1
            // Blanks: space, and the control characters of ASCII.
            guard byte > 0x20, byte != 0x7f else { continue }
            count += 1
            let bit = UInt64(1) << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: seen.0 |= bit
            case 1: seen.1 |= bit
            case 2: seen.2 |= bit
            default: seen.3 |= bit
            }
        }
        let variety =
            seen.0.nonzeroBitCount + seen.1.nonzeroBitCount + seen.2.nonzeroBitCount + seen.3.nonzeroBitCount
        return count >= Limits.recoveryContent && variety >= Limits.recoveryVariety
    }
}
