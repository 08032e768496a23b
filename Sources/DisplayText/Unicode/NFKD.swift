package import Secrets

/// The compatibility decomposition (UAX #15, form NFKD) of secret text, as BIP-39 requires, and of names that are
/// compared.
///
/// Foundation has it, but only for `String`, which cannot be wiped, and in the platform's version of Unicode.
///
/// - Warning: Its time, and its accesses to the tables, depend on the text.
package enum NFKD {
    /// The maximum size of a text in bytes.
    package static let maximumSize = 4_096

    /// Decomposes UTF-8; nil for other bytes.
    ///
    /// - Precondition: no more than ``maximumSize`` bytes: the work of ordering marks grows with the square.
    package static func of(_ text: borrowing SecretBytes) -> SecretBytes? {
        precondition(text.count <= maximumSize, "the caller bounds the text")
        // Counts first, so that nothing grows and leaves copies.
        var count = 0
        guard text.withUnsafeBytes({ Self.decompose($0) { _ in count += 1 } }) else { return nil }
        let scalars = SecretBytes(fleeting: count * MemoryLayout<UInt32>.stride) { memory in
            let scalars = memory.bindMemory(to: UInt32.self)
            var position = 0
            _ = text.withUnsafeBytes {
                Self.decompose($0) { scalar in
                    scalars[position] = scalar
                    position += 1
                }
            }
            order(scalars)
        }
        return scalars.withUnsafeBytes { memory in
            let scalars = memory.bindMemory(to: UInt32.self)
            return SecretBytes(count: scalars.reduce(0) { $0 + size($1) }) { bytes in
                var position = 0
                for scalar in scalars { write(scalar, to: bytes, at: &position) }
            }
        }
    }

    /// Decomposes public text.
    package static func scalars(of text: String) -> [Unicode.Scalar] {
        var scalars: [UInt32] = []
        for scalar in text.unicodeScalars { decompose(scalar.value) { scalars.append($0) } }
        // Each run of marks separately: sorting by class and position is the canonical ordering, in at most n log n
        // steps.
        var start = 0
        while start < scalars.count {
            var end = start
            while end < scalars.count, CompatibilityMappings.shared.combiningClass(of: scalars[end]) > 0 { end += 1 }
            if end - start > 1 {
                let marks = scalars[start..<end].enumerated().map {
                    (CompatibilityMappings.shared.combiningClass(of: $0.element), $0.offset, $0.element)
                }
                scalars.replaceSubrange(start..<end, with: marks.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2))
            }
            start = end + 1
        }
        return scalars.compactMap(Unicode.Scalar.init)
    }

    /// Calls `take` with each scalar of the decomposed text, not yet ordered. - Returns: whether it is UTF-8.
    private static func decompose(_ text: UnsafeRawBufferPointer, _ take: (UInt32) -> Void) -> Bool {
        var codec = Unicode.UTF8()
        var bytes = text.makeIterator()
        while true {
            switch codec.decode(&bytes) {
            case .emptyInput: return true
            case .error: return false
            case .scalarValue(let scalar): decompose(scalar.value, take)
            }
        }
    }

    private static func decompose(_ scalar: UInt32, _ take: (UInt32) -> Void) {
        if scalar < 0x80 {
            take(scalar)
        } else if Hangul.syllables.contains(scalar) {
            Hangul.decompose(scalar, take)
        } else if !CompatibilityMappings.shared.decompose(scalar, take) {
            take(scalar)
        }
    }

    /// Applies the canonical ordering: marks after a letter by their class, and stable within a class.
    private static func order(_ scalars: UnsafeMutableBufferPointer<UInt32>) {
        for end in scalars.indices.dropFirst() {
            let number = CompatibilityMappings.shared.combiningClass(of: scalars[end])
            var position = end
            while number != 0, position > 0,
                CompatibilityMappings.shared.combiningClass(of: scalars[position - 1]) > number
            {
                scalars.swapAt(position, position - 1)
                position -= 1
            }
        }
    }

    private static func size(_ scalar: UInt32) -> Int {
        scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
    }

    private static func write(_ scalar: UInt32, to bytes: UnsafeMutableRawBufferPointer, at position: inout Int) {
        let count = size(scalar)
        let lead: [UInt8] = [0, 0, 0xC0, 0xE0, 0xF0]
        for place in 0..<count {
            let bits = UInt8(truncatingIfNeeded: scalar >> UInt32(6 * (count - 1 - place)))
            bytes[position] = place > 0 ? 0x80 | (bits & 0x3F) : count == 1 ? bits : lead[count] | bits
            position += 1
        }
    }
}

/// The syllables of Korean, whose parts are computed (The Unicode Standard, 3.12).
private enum Hangul {
    static let syllables: Range<UInt32> = 0xAC00..<0xAC00 + 11_172

    static func decompose(_ syllable: UInt32, _ take: (UInt32) -> Void) {
        let index = syllable - syllables.lowerBound
        take(0x1100 + index / 588)
        take(0x1161 + index % 588 / 28)
        if index % 28 != 0 { take(0x11A7 + index % 28) }
    }
}
