#if os(Linux)
    internal import Glibc
    package import Secrets

    /// A secret that this process looks for in its own memory without holding it in the clear: as two byte strings whose
    /// exclusive or it is. Four pieces of eight bytes are looked for, in either order of the bytes, so that what is left of a
    /// copy, and a copy as a number in words, are found too.
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

        /// A new secret of 32 bytes, which is in no memory in the clear. Any is a private key: no byte is nought, which most of
        /// memory is, and the first is below the order of every group.
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

        /// In how many places there is a piece of the secret now.
        ///
        /// - Parameter ignored: addresses that do not count: the stack, on which numbers lie while they are computed with.
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

        /// How often the eight bytes at these places of the secret are in a chunk.
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
                // Byte by byte: the piece is in no register and no variable as a whole.
                var same = 1
                while same < 8, chunk[offset + same] ^ mask[place(same)] == masked[place(same)] { same += 1 }
                if same == 8, !ignored.contains(address + UInt(offset)) { count += 1 }
                offset += 1
            }
            return count
        }
    }
#endif
