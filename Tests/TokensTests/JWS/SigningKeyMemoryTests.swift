#if os(Linux)
    import Encoding
    import Glibc
    import Secrets
    import TestSupport
    import Testing
    import Tokens

    /// The process looks through all of its own memory for private keys that it had.
    ///
    /// A block of 32 bytes that was given back is soon somebody else's: what was left in one may be missed. What is found was
    /// there.
    @Suite("Signing keys in memory", .serialized)
    struct SigningKeyMemoryTests {
        /// 32 random bytes, as two byte strings whose exclusive or they are.
        private struct Planted {
            private let mask: [UInt8]
            private let masked: [UInt8]

            init() {
                mask = SystemRandom().publicBytes(count: 32)
                // No zeros, which most of memory is; and below the order of the group.
                masked = zip(mask, SystemRandom().publicBytes(count: 32)).map { $0 ^ ($1 & 0x7f | 1) }
            }

            func secret() -> SecretBytes {
                SecretBytes(count: 32) { memory in
                    for offset in mask.indices { memory[offset] = mask[offset] ^ masked[offset] }
                }
            }

            /// In how many places eight of the bytes stand, in either order.
            func traces() -> Int {
                var count = 0
                OwnMemory.forEachChunk(overlapping: 7) { chunk, _ in
                    for start in stride(from: 0, to: 32, by: 8) {
                        count += occurrences(in: chunk) { start + $0 }
                        count += occurrences(in: chunk) { start + 7 - $0 }
                    }
                }
                return count
            }

            private func occurrences(in chunk: UnsafeRawBufferPointer, _ place: (Int) -> Int) -> Int {
                guard let base = chunk.baseAddress else { return 0 }
                let first = Int32(mask[place(0)] ^ masked[place(0)])
                var count = 0
                var offset = 0
                while offset + 8 <= chunk.count, let hit = memchr(base + offset, first, chunk.count - offset) {
                    offset = UnsafeRawPointer(hit) - base
                    guard offset + 8 <= chunk.count else { break }
                    var same = 1
                    while same < 8, chunk[offset + same] ^ mask[place(same)] == masked[place(same)] { same += 1 }
                    if same == 8 { count += 1 }
                    offset += 1
                }
                return count
            }
        }

        @Test("control: a key that lives is found")
        func living() throws {
            let planted = Planted()
            #expect(planted.traces() == 0)
            let key = try SigningKey(importing: planted.secret())
            #expect(planted.traces() > 0)
            #expect(CompactJWS.sign(header: ["alg": "ES256"], payload: [], by: key).utf8.count > 100)
        }

        @Test("of a key that was imported, that signed, was exported and went, nothing is left")
        func gone() throws {
            let planted = Planted()
            for _ in 0..<3 {
                let key = try SigningKey(importing: planted.secret())
                #expect(CompactJWS.sign(header: ["alg": "ES256"], payload: [], by: key).utf8.count > 100)
                let exported = key.exported()
                let isSame = exported.matches(planted.secret())
                #expect(isSame)
            }
            #expect(planted.traces() == 0)
        }
    }
#endif
