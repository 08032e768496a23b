#if os(Linux)
    internal import Glibc
    package import Secrets

    /// A secret that this process searches for in its own memory without holding it in the clear: as two byte strings
    /// whose exclusive or is the secret. The search looks for four pieces of eight bytes, in either byte order, so that
    /// parts of a copy, and a copy as a number in words, are found too.
    package struct Needle {
        private let masked: [UInt8]
        private let mask: [UInt8]

        package init(_ secret: borrowing SecretBytes) {
            let mask = SystemRandom().publicBytes(count: secret.count)
            var masked = [UInt8](repeating: 0, count: secret.count)
            secret.withUnsafeBytes { secret in
                for offset in mask.indices { masked[offset] = secret[offset] ^ mask[offset] }
            }
            self.mask = mask
            self.masked = masked
        }

        /// Makes a new secret of 32 bytes, which is never in memory in the clear. Any value is a private key: no byte
        /// is zero, which is most of memory, and the first is below the order of every group.
        package init() {
            let mask = SystemRandom().publicBytes(count: 32)
            self.mask = mask
            masked = zip(mask, SystemRandom().publicBytes(count: 32)).map { $0 ^ ($1 & 0x7f | 1) }
        }

        /// The secret, in guarded memory.
        package func secret() -> SecretBytes {
            SecretBytes(count: mask.count) { memory in
                for offset in mask.indices { memory[offset] = mask[offset] ^ masked[offset] }
            }
        }

        /// Returns the number of places with a piece of the secret.
        ///
        /// - Parameter ignored: addresses that do not count: the stack, which contains numbers during a computation.
        package func traces(outside ignored: Range<UInt> = 0..<0) -> Int {
            var count = 0
            OwnMemory.forEachChunk(overlapping: 7) { chunk, address in
                for start in stride(from: 0, to: mask.count - 7, by: 8) {
                    count += occurrences(in: chunk, at: address, outside: ignored) { $0 + start }
                    count += occurrences(in: chunk, at: address, outside: ignored) { start + 7 - $0 }
                }
            }
            return count
        }

        /// Returns how often the eight bytes at these positions of the secret occur in a chunk.
        private func occurrences(
            in chunk: UnsafeRawBufferPointer, at address: UInt, outside ignored: Range<UInt>, _ place: (Int) -> Int
        ) -> Int {
            guard let base = chunk.baseAddress else { return 0 }
            let first = Int32(masked[place(0)] ^ mask[place(0)])
            var count = 0
            var offset = 0
            while offset + 8 <= chunk.count, let hit = memchr(base + offset, first, chunk.count - offset) {
                offset = UnsafeRawPointer(hit) - base
                guard offset + 8 <= chunk.count else { break }
                // Byte by byte: the piece is never as a whole in a register or a variable.
                var same = 1
                while same < 8, chunk[offset + same] ^ mask[place(same)] == masked[place(same)] { same += 1 }
                if same == 8, !ignored.contains(address + UInt(offset)) { count += 1 }
                offset += 1
            }
            return count
        }
    }
#endif
