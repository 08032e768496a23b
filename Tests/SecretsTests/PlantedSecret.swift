#if os(Linux)
    internal import Glibc
    internal import Secrets

    /// A random secret that this process can look for in its own memory without holding it in the clear.
    ///
    /// It is kept as two random byte strings, whose exclusive or it is: the bytes come together one by one, and only where
    /// ``make()`` writes them. The search looks for every eight bytes of it, so that what is left of a copy of which the
    /// rest was overwritten is found too.
    struct PlantedSecret {
        private let masked: [UInt8]
        private let mask: [UInt8]

        /// - Parameter text: whether it is letters, which a `String` takes as they are.
        init(count: Int = 48, text: Bool = false) {
            precondition(count.isMultiple(of: Self.piece))
            let mask = SystemRandom().publicBytes(count: count)
            self.mask = mask
            masked = SystemRandom().publicBytes(count: count).enumerated().map { offset, random in
                // A letter, or any byte that is not zero: most of memory is zeros, and the search starts from a byte.
                let byte = text ? 0x61 + random % 26 : max(random, 1)
                return byte ^ mask[offset]
            }
        }

        var count: Int { mask.count }

        /// Writes one byte of the secret after the other.
        func write(to memory: UnsafeMutableRawBufferPointer) {
            for offset in mask.indices { memory[offset] = masked[offset] ^ mask[offset] }
        }

        /// The secret, in guarded memory and nowhere else.
        func make() -> SecretBytes { SecretBytes(count: count) { write(to: $0) } }

        /// The addresses of all pieces of the secret that are in memory now.
        func traces() -> [UInt] {
            var found: [UInt] = []
            OwnMemory.forEachChunk(overlapping: Self.piece - 1) { chunk, address in
                for start in stride(from: 0, to: count, by: Self.piece) {
                    found += offsets(ofPieceAt: start, in: chunk).map { address + UInt($0) }
                }
            }
            return found
        }

        /// Whether there are pieces of the secret outside these guarded secrets.
        func leaked(outside guarded: [Range<UInt>] = []) -> Bool {
            traces().contains { trace in !guarded.contains { $0.contains(trace) } }
        }

        private static let piece = 8

        private func offsets(ofPieceAt start: Int, in chunk: UnsafeRawBufferPointer) -> [Int] {
            var found: [Int] = []
            guard let base = chunk.baseAddress else { return found }
            let first = Int32(masked[start] ^ mask[start])
            var offset = 0
            while offset + Self.piece <= chunk.count, let hit = memchr(base + offset, first, chunk.count - offset) {
                offset = UnsafeRawPointer(hit) - base
                guard offset + Self.piece <= chunk.count else { break }
                // Byte by byte: the piece is in no register and no variable as a whole.
                var same = 1
                while same < Self.piece, chunk[offset + same] ^ mask[start + same] == masked[start + same] { same += 1 }
                if same == Self.piece { found.append(offset) }
                offset += 1
            }
            return found
        }
    }

    extension SecretBytes {
        /// Where the bytes are, for tests that look at memory.
        borrowing func addresses() -> Range<UInt> {
            withUnsafeBytes { bytes in
                let start = UInt(bitPattern: bytes.baseAddress)
                return start..<(start + UInt(bytes.count))
            }
        }
    }
#endif
