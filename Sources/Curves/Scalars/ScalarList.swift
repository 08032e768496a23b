/// Lists of public scalars, which are decoded, encoded and iterated as words, without an array for each number.
extension Scalar {
    /// Decodes consecutive numbers of 32 bytes.
    ///
    /// - Throws: the errors of ``init(canonical:)``; ``CurvesError/wrongSize(expected:got:)`` for a size that is not a
    ///   multiple of 32.
    package static func list(canonical bytes: [UInt8]) throws(CurvesError) -> [Scalar] {
        let (count, rest) = bytes.count.quotientAndRemainder(dividingBy: scalarSize)
        guard rest == 0 else { throw .wrongSize(expected: (count + 1) * scalarSize, got: bytes.count) }
        let order = Group.order
        var areBelow = true
        let list = Self.list(of: bytes) { words in
            areBelow = areBelow && order.contains(words)
            return words
        }
        guard areBelow else { throw .scalarOutOfRange }
        return list
    }

    /// Decodes consecutive numbers of 32 bytes, modulo the group order.
    ///
    /// - Precondition: the size is a multiple of 32.
    package static func list(reducing bytes: [UInt8]) -> [Scalar] {
        precondition(bytes.count.isMultiple(of: scalarSize), "no whole number of scalars")
        let order = Group.order
        return list(of: bytes) { order.reduce($0) }
    }

    /// Encodes the first number of each row, then the second of each, and so on.
    ///
    /// - Precondition: all rows have the length of the first.
    package static func encoded(interleaving rows: [[Scalar]]) -> [UInt8] {
        let count = rows.first?.count ?? 0
        precondition(rows.allSatisfy { $0.count == count }, "rows of different lengths")
        let byteOrder = Group.order.byteOrder
        var bytes = [UInt8](repeating: 0, count: rows.count * count * scalarSize)
        bytes.withUnsafeMutableBytes { bytes in
            for (number, row) in rows.enumerated() {
                withWords(of: row) { words in
                    for position in 0..<count {
                        let start = (position * rows.count + number) * scalarSize
                        words(position).store(
                            to: UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + scalarSize)]), byteOrder)
                    }
                }
            }
        }
        return bytes
    }

    private static func list(of bytes: [UInt8], _ change: (Words) -> Words) -> [Scalar] {
        let byteOrder = Group.order.byteOrder
        return bytes.withUnsafeBytes { bytes in
            list(count: bytes.count / scalarSize) { position in
                let start = position * scalarSize
                return change(
                    Words(loading: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + scalarSize)]), byteOrder))
            }
        }
    }

    // A scalar consists of its words only, and is read and written as words: an array of a generic type is slow to
    // build.

    /// Returns a list of `count` numbers, which must all be below the order.
    static func list(count: Int, _ number: (Int) -> Words) -> [Scalar] {
        [Scalar](unsafeUninitializedCapacity: count) { memory, initialised in
            let memory = UnsafeMutableRawBufferPointer(memory)
            for position in 0..<count {
                memory.storeBytes(of: number(position), toByteOffset: position * scalarSize, as: Words.self)
            }
            initialised = count
        }
    }

    /// Calls `body` with a function that reads the number at a position.
    static func withWords<Result: ~Copyable>(of list: [Scalar], _ body: ((Int) -> Words) -> Result) -> Result {
        precondition(MemoryLayout<Scalar>.stride == scalarSize, "a scalar is its four words")
        // The array's own method returns copyable results only.
        var result: Result?
        list.withUnsafeBytes { memory in
            result = body { memory.loadUnaligned(fromByteOffset: $0 * scalarSize, as: Words.self) }
        }
        guard let result else { preconditionFailure("a closure that was not called") }
        return result
    }
}
