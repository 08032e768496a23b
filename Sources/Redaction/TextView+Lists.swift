/// Views for live secrets only: they join and decode what other patterns would take for something else.
extension TextView {
    /// How the numbers of a list are written.
    enum Numerals {
        /// Pairs of hexadecimal digits, one or more in a group, as `0x0c, 0x28`, `0c:28` or `0c28 fca3`.
        case hexadecimal
        /// Numbers up to 255, as Swift prints an array of bytes: `[12, 40, 252]`.
        case decimal
    }

    /// Returns the views in which a live secret may show, besides this one.
    func decodedForSecrets() -> [TextView] {
        let lists = numeralLists
        return [
            withoutBreaks(), lists.contains(.hexadecimal) ? withoutNumerals(.hexadecimal) : nil,
            lists.contains(.decimal) ? withoutNumerals(.decimal) : nil,
        ].compactMap(\.self)
    }

    /// The kinds of lists that the view may contain. It sees each byte once and decodes nothing, since most texts have
    /// no lists.
    private var numeralLists: Set<Numerals> {
        var lists: Set<Numerals> = []
        Self.kinds.withUnsafeBufferPointer { kinds in
            bytes.withUnsafeBufferPointer { text in
                // The word that is being read: its size and the kinds of its characters; and the lists before it.
                var (size, seen, hexBytes, decimals) = (0, UInt8(0), 0, 0)
                for byte in text {
                    let kind = kinds[Int(byte)]
                    if kind < Kind.gap {
                        size += 1
                        seen |= kind
                        continue
                    }
                    if size > 0 {
                        // The mark of `0x` makes a word longer by two.
                        hexBytes =
                            seen & Kind.letter == 0 && size & 1 == 0 && size <= Self.longestGroup + 2
                            ? hexBytes + size / 2 : 0
                        decimals = seen == 0 && size <= 3 ? decimals + 1 : 0
                        if hexBytes >= Self.listedBytes { lists.insert(.hexadecimal) }
                        if decimals >= Self.listedBytes { lists.insert(.decimal) }
                        (size, seen) = (0, 0)
                    }
                    if kind == Kind.other { (hexBytes, decimals) = (0, 0) }
                }
                if seen & Kind.letter == 0, size & 1 == 0, hexBytes + size / 2 >= Self.listedBytes {
                    lists.insert(.hexadecimal)
                }
                if seen == 0, (1...3).contains(size), decimals + 1 >= Self.listedBytes { lists.insert(.decimal) }
            }
        }
        return lists
    }

    /// The kinds of bytes in a list. Those of a word are bits.
    private enum Kind {
        static let digit: UInt8 = 0
        /// `a` to `f`, and the `x` of `0x`.
        static let hexLetter: UInt8 = 1
        static let letter: UInt8 = 2
        static let gap: UInt8 = 4
        static let other: UInt8 = 5
    }

    private static let kinds: [UInt8] = (0...255).map { byte in
        let byte = UInt8(byte)
        if byte.isDigit { return Kind.digit }
        if byte.hexValue != nil || byte.lowercased == UInt8(ascii: "x") { return Kind.hexLetter }
        if byte.isLetter { return Kind.letter }
        return byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") ? Kind.gap : Kind.other
    }

    /// Returns the view without the line breaks in Base64 or hexadecimal text, as in PEM and MIME, with the spaces
    /// after them; nil if there are none.
    func withoutBreaks() -> TextView? {
        bytes.withUnsafeBufferPointer { text in
            guard var next = text.firstIndex(of: 0x0A) else { return nil }
            var edit = Edit(of: self)
            while true {
                let end = next > 0 && text[next - 1] == 0x0D ? next - 1 : next
                var start = next + 1
                while start < text.count, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
                let isRun = end >= Self.wrappedRun && text[(end - Self.wrappedRun)..<end].allSatisfy(\.isBase64)
                if isRun, start < text.count, text[start].isBase64 {
                    edit.copy(upTo: end)
                    edit.skip(to: start)
                }
                guard let further = text[start...].firstIndex(of: 0x0A) else { return edit.view }
                next = further
            }
        }
    }

    /// Returns the view with each list of numbers decoded to its bytes; nil if there are none.
    func withoutNumerals(_ numerals: Numerals) -> TextView? {
        bytes.withUnsafeBufferPointer { text in
            var edit = Edit(of: self)
            var place = 0
            while place < text.count {
                guard text[place].isAlphanumeric else {
                    place += 1
                    continue
                }
                let end = Self.list(of: numerals, in: text, at: place) { _, _ in }
                if end.count >= Self.listedBytes {
                    edit.copy(upTo: place)
                    _ = Self.list(of: numerals, in: text, at: place) { edit.append($0, from: $1) }
                    edit.skip(to: end.place)
                }
                place = end.place
                // The rest of a word is no number.
                while place < text.count, text[place].isAlphanumeric { place += 1 }
            }
            return edit.view
        }
    }

    /// Reads a list of numbers up to its end.
    ///
    /// - Returns: the end of its last number, and the number of bytes; the place itself if there is no list.
    private static func list(
        of numerals: Numerals, in text: UnsafeBufferPointer<UInt8>, at start: Int,
        _ found: (_ byte: UInt8, _ place: Int) -> Void
    ) -> (place: Int, count: Int) {
        var (place, end, count) = (start, start, 0)
        while place < text.count {
            let next =
                switch numerals {
                case .hexadecimal: hexadecimal(in: text, at: place, found)
                case .decimal: decimal(in: text, at: place, found)
                }
            guard let next else { break }
            count += next.count
            (place, end) = (next.place, next.place)
            // Between two numbers there is a comma or a colon, or neither, with spaces.
            var gap = 0
            while place < text.count, gap < longestGap,
                text[place].isSpace || text[place] == UInt8(ascii: ",") || text[place] == UInt8(ascii: ":")
            {
                place += 1
                gap += 1
            }
            guard gap > 0 else { break }
        }
        return (end, count)
    }

    private static func hexadecimal(
        in text: UnsafeBufferPointer<UInt8>, at start: Int, _ found: (_ byte: UInt8, _ place: Int) -> Void
    ) -> (place: Int, count: Int)? {
        let hasPrefix =
            start + 2 < text.count && text[start] == UInt8(ascii: "0")
            && text[start + 1].lowercased == UInt8(ascii: "x")
        let first = hasPrefix ? start + 2 : start
        var end = first
        while end < text.count, end - first <= longestGroup, text[end].hexValue != nil { end += 1 }
        let size = end - first
        guard size >= 2, size.isMultiple(of: 2), size <= longestGroup, end == text.count || !text[end].isAlphanumeric
        else { return nil }
        for place in stride(from: first, to: end, by: 2) {
            if let high = text[place].hexValue, let low = text[place + 1].hexValue {
                found(high << 4 | low, place == first ? start : place)
            }
        }
        return (end, size / 2)
    }

    private static func decimal(
        in text: UnsafeBufferPointer<UInt8>, at start: Int, _ found: (_ byte: UInt8, _ place: Int) -> Void
    ) -> (place: Int, count: Int)? {
        var (end, value) = (start, 0)
        while end < text.count, end - start < 4, text[end].isDigit {
            value = 10 * value + Int(text[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end > start, let byte = UInt8(exactly: value), end == text.count || !text[end].isAlphanumeric else {
            return nil
        }
        found(byte, start)
        return (end, 1)
    }

    /// The shortest run of Base64 before a line break in it: programs wrap at 60 characters and more, and a piece of a
    /// line may be left.
    private static let wrappedRun = 8
    /// The shortest list: fewer bytes of a secret show nothing.
    private static let listedBytes = RedactionLimits.leastSecretSize
    /// The digits of the longest group in a dump of bytes.
    private static let longestGroup = 32
    /// A comma, a line break and an indentation.
    private static let longestGap = 20
}

/// A view that is made of another one by leaving out and replacing parts.
private struct Edit {
    private let original: TextView
    private var bytes: [UInt8] = []
    private var places: [Int32] = []
    private var read = 0
    private var isChanged = false

    init(of original: TextView) { self.original = original }

    /// Takes over the bytes up to a place.
    mutating func copy(upTo end: Int) {
        bytes += original.bytes[read..<end]
        for place in read..<end { places.append(original.place(place)) }
        read = end
    }

    /// Adds a byte that stands for those from a place on.
    mutating func append(_ byte: UInt8, from place: Int) {
        bytes.append(byte)
        places.append(original.place(place))
    }

    /// Leaves out the bytes up to a place.
    mutating func skip(to place: Int) {
        read = place
        isChanged = true
    }

    /// The new view; nil if it is the same.
    var view: TextView? {
        guard isChanged else { return nil }
        var whole = self
        whole.copy(upTo: original.bytes.count)
        return TextView(whole.bytes, whole.places + [original.place(original.bytes.count)])
    }
}
