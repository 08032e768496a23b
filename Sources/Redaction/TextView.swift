/// A text as a program sees it that undoes an encoding, with the place of each byte in the text as it was.
struct TextView {
    let bytes: [UInt8]
    /// The place of each byte, and at the end the size of the text; nil if they are the same.
    private let places: [Int32]?
    /// Whether only sequences were left out, and nothing was decoded.
    private var isUncoloured = false

    /// A text as it is.
    init(_ bytes: [UInt8]) { (self.bytes, places) = (bytes, nil) }

    init(_ bytes: [UInt8], _ places: [Int32]) { (self.bytes, self.places) = (bytes, places) }

    /// Returns where a part of the view stands in the text.
    func original(_ range: Range<Int>) -> Range<Int> {
        guard let places else { return range }
        let (start, end) = (Int(places[range.lowerBound]), Int(places[range.upperBound]))
        // The sequence that ends a colour stands behind what was coloured.
        guard isUncoloured, range.count > 0 else { return start..<end }
        return start..<max(start + 1, Int(places[range.upperBound - 1]) + 1)
    }

    /// Returns the view without percent-encoding (RFC 3986, section 2.1); nil if there is none.
    func withoutPercents() -> TextView? {
        decoded(marked: UInt8(ascii: "%")) { rest in
            guard rest.count >= 3, let high = rest[1].hexValue, let low = rest[2].hexValue else { return nil }
            return ([high << 4 | low], 3)
        }
    }

    /// Returns the view without the escapes of JSON (RFC 8259, section 7); nil if there are none.
    func withoutEscapes() -> TextView? {
        decoded(marked: UInt8(ascii: "\\")) { rest in
            guard rest.count >= 2 else { return nil }
            switch rest[1] {
            case UInt8(ascii: "n"): return ([0x0A], 2)
            case UInt8(ascii: "r"): return ([0x0D], 2)
            case UInt8(ascii: "t"): return ([0x09], 2)
            case UInt8(ascii: "b"): return ([0x08], 2)
            case UInt8(ascii: "f"): return ([0x0C], 2)
            case UInt8(ascii: "e"): return ([0x1B], 2)
            case UInt8(ascii: "0"):
                return rest.starts(with: "\\033".utf8) ? ([0x1B], 4) : nil
            case UInt8(ascii: "x"):
                guard rest.count >= 4, let high = rest[2].hexValue, let low = rest[3].hexValue else { return nil }
                return ([high << 4 | low], 4)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return ([rest[1]], 2)
            case UInt8(ascii: "u"):
                guard rest.count >= 6 else { return nil }
                var unit: UInt32 = 0
                for digit in rest[2..<6] {
                    guard let value = digit.hexValue else { return nil }
                    unit = unit << 4 | UInt32(value)
                }
                // Half of a surrogate pair is no part of a secret that anybody typed.
                return (Array(String(Unicode.Scalar(unit).map(Character.init) ?? "\u{FFFD}").utf8), 6)
            default: return nil
            }
        }
    }

    /// Returns the view without the sequences that colour a terminal's text (ECMA-48, control sequences); nil if there are
    /// none.
    func withoutColours() -> TextView? {
        decoded(marked: 0x1B) { rest in
            guard rest.count >= 3, rest[1] == UInt8(ascii: "[") else { return nil }
            var end = 2
            while end < rest.count, end < 32, rest[end] >= 0x20, rest[end] < 0x40 { end += 1 }
            guard end < rest.count, rest[end] >= 0x40, rest[end] < 0x7F else { return nil }
            return ([], end + 1)
        }
    }

    /// - Parameter decode: gives the bytes at the beginning of a part that begins with the mark, and the size of their
    ///   encoding; nil if it is none.
    private func decoded(
        marked mark: UInt8, _ decode: (_ rest: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], size: Int)?
    ) -> TextView? {
        bytes.withUnsafeBufferPointer { text in
            guard let first = text.firstIndex(of: mark) else { return nil }
            var (decoded, places, isChanged) = ([UInt8](), [Int32](), false)
            decoded.reserveCapacity(text.count)
            places.reserveCapacity(text.count + 1)
            decoded += text[..<first]
            for place in 0..<first { places.append(self.place(place)) }
            var place = first
            while place < text.count {
                let rest = UnsafeBufferPointer(rebasing: text[place...])
                if text[place] == mark, let (bytes, size) = decode(rest) {
                    decoded += bytes
                    for _ in bytes { places.append(self.place(place)) }
                    place += size
                    isChanged = true
                } else {
                    decoded.append(text[place])
                    places.append(self.place(place))
                    place += 1
                }
            }
            places.append(self.place(text.count))
            var view = TextView(decoded, places)
            view.isUncoloured = mark == 0x1B && self.places == nil
            return isChanged ? view : nil
        }
    }

    /// Returns where a byte of the view stands in the text.
    func place(_ index: Int) -> Int32 { places?[index] ?? Int32(index) }
}
