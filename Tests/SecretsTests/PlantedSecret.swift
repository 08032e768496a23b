#if os(Linux)
    internal import Glibc
    internal import Secrets
    internal import TestSupport

    /// A random secret that this process can search for in its own memory without holding it in the clear.
    ///
    /// It is kept as two random byte strings whose exclusive or is the secret: the bytes are combined one by one, and
    /// only where ``make()`` writes them. The search looks for several pieces of eight bytes, so that the rest of a
    /// copy that was partly overwritten is found too.
    struct PlantedSecret {
        private let masked: [UInt8]
        private let mask: [UInt8]

        /// - Parameters:
        ///   - count: an unusual size, so that hardly any other allocation reuses the block and the left-overs of a
        ///     copy stay there.
        ///   - text: whether the bytes are letters, which a `String` keeps unchanged.
        init(count: Int = 888, text: Bool = false) {
            let random = SystemRandom()
            mask = random.publicBytes(count: count)
            var masked = [UInt8](repeating: 0, count: count)
            for offset in 0..<count {
                var byte: UInt8 = 0
                withUnsafeMutableBytes(of: &byte) { random.fill($0) }
                // Returns a letter, or any byte except zero: most of memory is zeros, and the search starts from a
                // byte.
                masked[offset] = (text ? 0x61 + byte % 26 : max(byte, 1)) ^ mask[offset]
            }
            self.masked = masked
        }

        var count: Int { mask.count }

        /// The positions of the pieces in the secret.
        var pieces: StrideTo<Int> { stride(from: 0, to: count - Self.piece + 1, by: 144) }

        static let piece = 8

        /// Writes one byte of the secret after the other.
        func write(to memory: UnsafeMutableRawBufferPointer) {
            for offset in mask.indices { memory[offset] = masked[offset] ^ mask[offset] }
        }

        /// Returns the secret, in guarded memory and nowhere else.
        func make() -> SecretBytes { SecretBytes(count: count) { write(to: $0) } }

        /// Returns the addresses of all pieces of the secret in memory.
        func traces() -> [UInt] {
            var found: [UInt] = []
            OwnMemory.forEachChunk(overlapping: Self.piece - 1) { chunk, address in
                for start in pieces {
                    forEachOffset(ofPieceAt: start, in: chunk) { found.append(address + UInt($0)) }
                }
            }
            return found
        }

        /// Returns whether pieces of the secret exist outside these guarded secrets.
        func leaked(outside guarded: [Range<UInt>] = []) -> Bool {
            traces().contains { trace in !guarded.contains { $0.contains(trace) } }
        }

        private func forEachOffset(ofPieceAt start: Int, in chunk: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
            guard let base = chunk.baseAddress else { return }
            let first = Int32(masked[start] ^ mask[start])
            var offset = 0
            while offset + Self.piece <= chunk.count, let hit = memchr(base + offset, first, chunk.count - offset) {
                offset = UnsafeRawPointer(hit) - base
                guard offset + Self.piece <= chunk.count else { break }
                // Byte by byte: the piece is never as a whole in a register or a variable.
                var same = 1
                while same < Self.piece, chunk[offset + same] ^ mask[start + same] == masked[start + same] { same += 1 }
                if same == Self.piece { body(offset) }
                offset += 1
            }
        }
    }

    extension SecretBytes {
        /// The address of the bytes, for tests that inspect memory.
        borrowing func addresses() -> Range<UInt> {
            withUnsafeBytes { bytes in
                let start = UInt(bitPattern: bytes.baseAddress)
                return start..<(start + UInt(bytes.count))
            }
        }
    }
#endif
