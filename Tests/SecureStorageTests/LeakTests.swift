#if canImport(Glibc)
    internal import Glibc
    internal import SecretStoreTestSupport
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import SecureStorage

    /// Searches this process's own memory for the bytes of a secret.
    private enum Memory {
        /// Returns the number of copies of the secret in memory, beside the given guarded one.
        static func copies(of secret: borrowing SecretBytes) -> Int {
            let size = 1 << 20
            // Mapped separately, so that the search can leave it out.
            guard let chunk = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                chunk != MAP_FAILED
            else { return -1 }
            defer { munmap(chunk, size) }
            let base = UnsafeRawPointer(chunk)
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            defer { close(memory) }
            return secret.withUnsafeBytes { secret in
                // The second half, at most 32 bytes: an allocator overwrites the beginning of freed memory.
                let needle = UnsafeRawBufferPointer(rebasing: secret[(secret.count / 2)...].prefix(32))
                let own = UInt(bitPattern: needle.baseAddress)
                let hidden = UInt(bitPattern: chunk)..<UInt(bitPattern: chunk) + UInt(size)
                var found = 0
                for range in readableRanges() where !range.overlaps(hidden) {
                    var start = range.lowerBound
                    while start < range.upperBound {
                        let count = pread(memory, chunk, min(size, Int(range.upperBound - start)), off_t(start))
                        guard count >= needle.count else { break }
                        var offset = 0
                        while let hit = find(
                            needle, in: UnsafeRawBufferPointer(start: base + offset, count: count - offset))
                        {
                            offset = hit - base + 1
                            if start + UInt(offset - 1) != own { found += 1 }
                        }
                        // The last bytes again, for a copy across the chunk's edge.
                        start += UInt(count == size ? count - needle.count + 1 : count)
                    }
                }
                return found
            }
        }

        private static func find(
            _ needle: UnsafeRawBufferPointer, in memory: UnsafeRawBufferPointer
        ) -> UnsafeRawPointer? {
            guard var position = memory.baseAddress, let start = needle.baseAddress else { return nil }
            let end = position + memory.count
            while end - position >= needle.count, let hit = memchr(position, Int32(needle[0]), end - position) {
                guard end - UnsafeRawPointer(hit) >= needle.count else { return nil }
                if memcmp(hit, start, needle.count) == 0 { return UnsafeRawPointer(hit) }
                position = UnsafeRawPointer(hit) + 1
            }
            return nil
        }

        private static func readableRanges() -> [Range<UInt>] {
            var text = [UInt8](repeating: 0, count: 4 << 20)
            let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
            defer { close(maps) }
            var filled = 0
            while filled < text.count {
                let count = text.withUnsafeMutableBytes { text in
                    read(maps, text.baseAddress.map { $0 + filled }, text.count - filled)
                }
                guard count > 0 else { break }
                filled += count
            }
            return text[..<filled].split(separator: 0x0a).compactMap { line in
                let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
                let edges = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                guard edges.count == 2, fields[1].hasPrefix("r"), fields.last?.hasPrefix("[v") != true else {
                    return nil
                }
                return edges[0]..<edges[1]
            }
        }
    }

    @Suite("Leaks", .serialized)
    struct LeakTests {
        @Test("control: the search finds a copy that is left on purpose")
        func control() {
            let secret = SecretBytes(count: 1024, from: SystemRandom())
            #expect(Memory.copies(of: secret) == 0)
            let leak = secret.withUnsafeBytes { [UInt8]($0) }
            #expect(Memory.copies(of: secret) == 1)
            #expect(leak.count == 1024)
        }

        @Test("saving and loading an item leaves no copy of it, nor of the master key, outside guarded memory")
        func vault() async throws {
            let folder = try SharedFolder()
            let secret = SecretBytes(count: 1024, from: SystemRandom())
            let vault = try VaultFile.createCheaply(at: folder("vault"))
            try await vault.save(secret, as: try name("share"), attributes: .critical(.keyShare))
            for _ in 0..<3 {
                guard let loaded = try await vault.load(try name("share")) else {
                    Issue.record("nothing stored")
                    return
                }
                // The loaded guarded copy is the only other one.
                let copies = Memory.copies(of: secret)
                #expect(copies == 1)
                let same = loaded.matches(secret)
                #expect(same)
            }
            #expect(Memory.copies(of: secret) == 0)
            await vault.close()

            let random = SystemRandom()
            var opened: Vault? = try Vault(passphrase: guarded("p"), by: .cheapForTesting, random: random)
            let masterKey = opened?.masterKey.clone() ?? SecretBytes(count: 1) { _ in }
            let state = try opened?.saving(
                secret, as: try name("share"), attributes: .critical(.keyShare), random: random)
            if let state {
                let bytes = try opened?.encoded(state, random: random) ?? []
                _ = try Vault(opening: bytes, passphrase: guarded("p"), by: .cheapForTesting)
            }
            opened = nil
            #expect(Memory.copies(of: masterKey) == 0)
        }

        @Test("rekeying leaves no copy of an item, nor of the old or new master key, outside guarded memory")
        func rekeying() throws {
            let secret = SecretBytes(count: 1024, from: SystemRandom())
            let random = SystemRandom()
            var old: Vault? = try Vault(passphrase: guarded("p"), by: .cheapForTesting, random: random)
            if let state = try old?.saving(
                secret, as: try name("share"), attributes: .critical(.keyShare), random: random)
            {
                old?.state = state
            }
            var new: Vault? = try old?.rekeyed(to: guarded("q"), device: nil, by: .cheapForTesting, random: random)
            let oldKey = old?.masterKey.clone() ?? SecretBytes(count: 1) { _ in }
            let newKey = new?.masterKey.clone() ?? SecretBytes(count: 1) { _ in }
            #expect(oldKey.count == 32 && newKey.count == 32)
            old = nil
            new = nil
            #expect(Memory.copies(of: secret) == 0)
            #expect(Memory.copies(of: oldKey) == 0)
            #expect(Memory.copies(of: newKey) == 0)
        }
    }
#endif
