internal import Secrets

/// All pieces of eight characters of the encodings of secrets, as a hash table in guarded memory.
///
/// A text is read once: each of its pieces of eight characters is looked up. Eight characters are eight bytes of a
/// secret as it is, six in Base64, and four in hexadecimal. Less than eight bytes show nothing, so a piece of an encoding
/// counts only if enough pieces follow each other.
final class SecretWindows: Sendable {
    /// How the eight characters stand in a text. The number of pieces in a row that make eight bytes of a secret.
    private enum Form {
        static let plain: UInt64 = 1
        static let base64: UInt64 = 2
        static let hex: UInt64 = 3
        /// A tag's lowest bits.
        static let mask: UInt64 = 3
    }

    /// Ten characters of Base64 are determined by eight bytes, wherever they begin.
    private static let base64Run = 10 - size + 1
    /// Sixteen digits.
    private static let hexRun = 16 - size + 1
    private static let size = 8

    /// Of the tags: a power of two, of which a quarter at most is used.
    private let slots: SecretBytes
    private let slotMask: Int
    /// One bit for each of 16 times as many values as there are tags: most pieces of a text end here.
    private let filter: SecretBytes
    private let filterShift: UInt64
    private let key: (UInt64, UInt64)

    /// - Parameter key: 16 secret bytes.
    init(of secrets: [HeldSecret], key: borrowing SecretBytes) {
        let key = key.withUnsafeBytes { key in
            (key.loadUnaligned(as: UInt64.self), key.loadUnaligned(fromByteOffset: 8, as: UInt64.self) | 1)
        }
        let most = secrets.reduce(0) { $0 + 7 * $1.bytes.count + 24 }
        let bits = max(10, Int.bitWidth - (4 * most).leadingZeroBitCount)
        let count = 1 << bits
        let shift = UInt64(UInt64.bitWidth - bits - 2)
        self.key = key
        slotMask = count - 1
        filterShift = shift
        var slotted: SecretBytes?
        filter = SecretBytes(count: count / 2) { filter in
            slotted = SecretBytes(count: 8 * count) { memory in
                let slots = memory.bindMemory(to: UInt64.self)
                func insert(_ window: UInt64, _ form: UInt64) {
                    let folded = Self.keyed(window, form == Form.hex, key)
                    let hash = Self.hash(folded, key)
                    let tag = hash & ~Form.mask | form
                    let bit = Self.filterBit(folded, key, shift)
                    filter[Int(bit >> 3)] |= 1 << UInt8(bit & 7)
                    var slot = Int(hash >> 20) & (count - 1)
                    while slots[slot] != 0, slots[slot] != tag { slot = (slot + 1) & (count - 1) }
                    slots[slot] = tag
                }
                for secret in secrets {
                    secret.bytes.withUnsafeBytes { bytes in
                        Self.windows(of: bytes, \.inOneBase64) { insert($0, Form.plain) }
                        let hex = SecretBytes(count: 2 * bytes.count) { Self.writeHex(of: bytes, to: $0) }
                        hex.withUnsafeBytes { Self.windows(of: $0, \.lowercased) { insert($0, Form.hex) } }
                        for offset in 0..<3 {
                            let text = SecretBytes(count: Self.base64Size(bytes.count, at: offset)) {
                                Self.writeBase64(of: bytes, at: offset, to: $0)
                            }
                            text.withUnsafeBytes { Self.windows(of: $0, \.inOneBase64) { insert($0, Form.base64) } }
                        }
                    }
                }
            }
        }
        guard let slotted else { preconditionFailure("the filter is filled at once") }
        slots = slotted
    }

    /// Finds the secrets in a text.
    func find(in text: [UInt8], _ found: (Range<Int>) -> Void) {
        guard text.count >= Self.size else { return }
        Self.characters.withUnsafeBufferPointer { characters in
            text.withUnsafeBufferPointer { text in
                slots.withUnsafeBytes { slots in
                    filter.withUnsafeBytes { filter in
                        let slots = slots.bindMemory(to: UInt64.self)
                        find(in: text, characters, slots, filter, found)
                    }
                }
            }
        }
    }

    private func find(
        in text: UnsafeBufferPointer<UInt8>, _ characters: UnsafeBufferPointer<UInt16>,
        _ slots: UnsafeBufferPointer<UInt64>, _ filter: UnsafeRawBufferPointer, _ found: (Range<Int>) -> Void
    ) {
        let (key, shift) = (key, filterShift)
        var window: UInt64 = 0
        // Pieces of Base64 in a row, pieces of hexadecimal text in a row, and hexadecimal digits in a row.
        var (base64, hex, digits) = (0, 0, 0)
        for place in text.indices {
            let character = characters[Int(text[place])]
            window = window << 8 | UInt64(character & 0xFF)
            digits = character & Self.digitMark == 0 ? 0 : digits &+ 1
            let piece = Self.keyed(window, false, key)
            let isMaybe = Self.isMaybe(Self.filterBit(piece, key, shift), filter)
            // Most places of a log end here: few pieces are in the filter, and few have hexadecimal digits only.
            guard isMaybe || digits >= Self.size else {
                (base64, hex) = (0, 0)
                continue
            }
            guard place >= Self.size - 1 else { continue }
            let end = place + 1
            if isMaybe {
                let hash = Self.hash(piece, key)
                if isThere(hash, Form.plain, slots) { found((end - Self.size)..<end) }
                base64 = isThere(hash, Form.base64, slots) ? base64 + 1 : 0
                if base64 >= Self.base64Run {
                    // The characters beside it show the bits that are left.
                    let start = end - Self.size - Self.base64Run + 1
                    let before = start > 0 && text[start - 1].isBase64 ? 1 : 0
                    let after = end < text.count && text[end].isBase64 ? 1 : 0
                    found((start - before)..<(end + after))
                }
            } else {
                base64 = 0
            }
            guard digits >= Self.size else {
                hex = 0
                continue
            }
            let digitPiece = Self.keyed(window | Self.lowerCase, true, key)
            if Self.isMaybe(Self.filterBit(digitPiece, key, shift), filter),
                isThere(Self.hash(digitPiece, key), Form.hex, slots)
            {
                hex += 1
                if hex >= Self.hexRun { found((end - Self.size - Self.hexRun + 1)..<end) }
            } else {
                hex = 0
            }
        }
    }

    @inline(__always)
    private static func isMaybe(_ bit: UInt64, _ filter: UnsafeRawBufferPointer) -> Bool {
        filter[Int(bit >> 3)] & 1 << UInt8(bit & 7) != 0
    }

    private func isThere(_ hash: UInt64, _ form: UInt64, _ slots: UnsafeBufferPointer<UInt64>) -> Bool {
        let tag = hash & ~Form.mask | form
        var slot = Int(hash >> 20) & slotMask
        while slots[slot] != 0 {
            if slots[slot] == tag { return true }
            slot = (slot + 1) & slotMask
        }
        return false
    }

    /// Returns a piece with the key in it. One of hexadecimal text differs from the same characters in another one.
    @inline(__always)
    private static func keyed(_ window: UInt64, _ isHex: Bool, _ key: (UInt64, UInt64)) -> UInt64 {
        window ^ key.0 ^ (isHex ? 0x5555_5555_5555_5555 : 0)
    }

    /// Returns the place of a keyed piece in the filter: the upper bits of its product with a secret odd number
    /// (multiply-shift hashing). It is computed for each byte of a text, and ``hash(_:_:)`` for few of them.
    @inline(__always)
    private static func filterBit(_ keyed: UInt64, _ key: (UInt64, UInt64), _ shift: UInt64) -> UInt64 {
        (keyed &* key.1) &>> shift
    }

    private static func hash(_ keyed: UInt64, _ key: (UInt64, UInt64)) -> UInt64 {
        let (high, low) = keyed.multipliedFullWidth(by: key.1)
        let mixed = (high ^ low) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    // MARK: Encodings

    /// The byte as it counts in a piece of text, and ``digitMark`` if it is a hexadecimal digit.
    private static let characters: [UInt16] = (0...255).map { byte in
        let byte = UInt8(byte)
        return UInt16(byte.inOneBase64) | (byte.hexValue == nil ? 0 : digitMark)
    }
    private static let digitMark: UInt16 = 0x100
    /// Hexadecimal digits with these bits are in lower case.
    private static let lowerCase: UInt64 = 0x2020_2020_2020_2020

    private static func windows(
        of text: UnsafeRawBufferPointer, _ form: (UInt8) -> UInt8, _ visit: (UInt64) -> Void
    ) {
        var window: UInt64 = 0
        for (place, byte) in text.enumerated() {
            window = window << 8 | UInt64(form(byte))
            if place >= size - 1 { visit(window) }
        }
    }

    private static func writeHex(of bytes: UnsafeRawBufferPointer, to text: UnsafeMutableRawBufferPointer) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
        for (place, byte) in bytes.enumerated() {
            text[2 * place] = digit(byte >> 4)
            text[2 * place + 1] = digit(byte & 15)
        }
    }

    /// The number of characters that bytes determine alone, if as many others as the offset stand before them.
    private static func base64Size(_ count: Int, at offset: Int) -> Int {
        (8 * (offset + count)) / 6 - firstCharacter(at: offset)
    }

    private static func firstCharacter(at offset: Int) -> Int { (8 * offset + 5) / 6 }

    private static func writeBase64(
        of bytes: UnsafeRawBufferPointer, at offset: Int, to text: UnsafeMutableRawBufferPointer
    ) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let first = firstCharacter(at: offset)
        for place in 0..<text.count {
            let bit = 6 * (first + place) - 8 * offset
            let (byte, shift) = (bit / 8, bit % 8)
            let pair = UInt16(bytes[byte]) << 8 | (byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0)
            text[place] = alphabet[Int(pair >> UInt16(10 - shift) & 63)]
        }
    }
}
