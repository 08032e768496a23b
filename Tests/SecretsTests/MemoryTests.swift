#if os(Linux)
    internal import Glibc
    internal import Secrets
    internal import Synchronization
    internal import TestSupport
    internal import Testing

    /// The process searches all of its own memory for a secret that it had.
    @Suite("Secrets in memory", .serialized)
    struct MemoryTests {
        // MARK: Controls: the search finds leaks.

        @Test("control: a live secret is found once, in its guarded memory")
        func living() {
            let planted = PlantedSecret()
            #expect(planted.traces().isEmpty, "the needle itself is not in the clear")
            let secret = planted.make()
            let traces = planted.traces()
            let addresses = secret.addresses()
            #expect(traces.count == Array(planted.pieces).count)
            #expect(traces.allSatisfy { addresses.contains($0) })
        }

        @Test("control: an array that was copied out on purpose is found, after the secret itself is freed")
        func leakedArray() {
            let planted = PlantedSecret()
            let leak = planted.make().withUnsafeBytes { Array($0) }
            #expect(planted.leaked())
            #expect(leak.count == planted.count)
        }

        @Test("control: an array that was freed without being wiped is found")
        func dropped() {
            let planted = PlantedSecret()
            for _ in 0..<3 { _ = planted.make().withUnsafeBytes { Array($0) } }
            #expect(planted.leaked())
        }

        @Test("control: a string made of it on purpose is found")
        func leakedString() {
            let planted = PlantedSecret(text: true)
            let leak = planted.make().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            #expect(planted.leaked())
            #expect(leak.utf8.count == planted.count)
        }

        @Test("control: eight left-over bytes of a copy are found")
        func leakedPiece() {
            let planted = PlantedSecret()
            let leak = planted.make().withUnsafeBytes { Array($0[144..<152]) }
            #expect(planted.traces().count == 1)
            #expect(leak.count == 8)
        }

        @Test("control: a copy across two chunks of the search is found")
        func leakedAcrossChunks() throws {
            let planted = PlantedSecret()
            let size = 3 << 20
            let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            defer { munmap(memory, size) }
            // The position where chunks of 1 MiB meet depends on the mapping, which may be part of a larger one.
            let start = try #require(OwnMemory.mapping(at: UInt(bitPattern: memory))).addresses.lowerBound
            let step = UInt(1 << 20) - 7
            let edge = start + (UInt(bitPattern: memory) - start + step) / step * step + 7
            let place = UInt(edge) - UInt(bitPattern: memory) - 4
            planted.write(to: UnsafeMutableRawBufferPointer(start: memory + Int(place), count: planted.count))
            #expect(Set(planted.traces()).count == Array(planted.pieces).count)
        }

        // MARK: Correct uses leave no copy.

        private struct Refused: Error {}
        private final class Holder: Sendable {
            let held = Mutex<SecretBytes?>(nil)
        }

        private static func use(_ planted: PlantedSecret) throws {
            let secret = planted.make()
            let clone = secret.clone()
            let isSame = secret.matches(clone)
            let other = SecretBytes(count: planted.count, from: SystemRandom())
            let isOther = secret.matches(other)
            #expect(isSame && !isOther)
            let printed = "\(secret) \(clone.description)"
            #expect(printed == "<redacted 888 bytes> <redacted 888 bytes>")
            let sum = secret.withUnsafeBytes { bytes in bytes.reduce(0) { $0 &+ Int($1) } }
            #expect(sum > 0)
            #expect(throws: Refused.self) {
                try clone.withUnsafeBytes { bytes in
                    _ = constantTimeEquals(bytes, bytes)
                    throw Refused()
                }
            }
            // Moved into an optional, into a class behind a lock, and out again.
            let holder = Holder()
            var moving: SecretBytes? = consume clone
            holder.held.withLock { $0 = moving.take() }
            let back = holder.held.withLock { $0.take() }
            let derived = try Argon2id.derive(
                count: 32, from: secret, salt: [UInt8](repeating: 7, count: 16), memoryKiB: 64, passes: 1)
            #expect(derived.count == 32)
            let guarded = [secret.addresses(), address(of: back)]
            #expect(!planted.leaked(outside: guarded))
        }

        private static func address(of secret: borrowing SecretBytes?) -> Range<UInt> {
            switch secret {
            case .some(let secret): return secret.addresses()
            case .none: return 0..<0
            }
        }

        @Test(
            "after it was cloned, compared, printed, borrowed, held, moved, derived from and dropped, nothing is left")
        func use() throws {
            let planted = PlantedSecret()
            for _ in 0..<3 { try Self.use(planted) }
            #expect(planted.traces().isEmpty)
        }

        @Test("a task that used it on another thread leaves no copy")
        func otherThread() async {
            let planted = PlantedSecret()
            let isSame = await Task.detached {
                let secret = planted.make()
                let clone = secret.clone()
                return secret.matches(clone)
            }.value
            #expect(isSame)
            #expect(planted.traces().isEmpty)
        }

        @Test("moving an array in wipes the array")
        func moving() {
            let planted = PlantedSecret()
            var bytes = [UInt8](repeating: 0, count: planted.count)
            bytes.withUnsafeMutableBytes { planted.write(to: $0) }
            #expect(planted.leaked())
            let secret = SecretBytes(moving: &bytes)
            #expect(bytes.isEmpty)
            #expect(!planted.leaked(outside: [secret.addresses()]))
            let isSame = secret.matches(planted.make())
            #expect(isSame)
        }

        @Test("bytes that a filler wrote before it threw are wiped")
        func throwingFiller() {
            let planted = PlantedSecret()
            #expect(throws: Refused.self) {
                _ = try SecretBytes(count: planted.count) { memory throws(Refused) in
                    planted.write(to: memory)
                    throw Refused()
                }
            }
            #expect(planted.traces().isEmpty)
        }

        @Test("wiping overwrites memory that is not guarded")
        func wiping() {
            let planted = PlantedSecret()
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: planted.count, alignment: 16)
            defer { memory.deallocate() }
            planted.write(to: memory)
            #expect(planted.leaked())
            wipe(memory)
            #expect(memory.allSatisfy { $0 == 0 })
            #expect(planted.traces().isEmpty)
        }

        // MARK: The guarded memory itself.

        // A process of its own: beside many others, a secret has no region of its own.
        @Test("live memory is read-only, between inaccessible pages")
        func protection() async {
            await #expect(processExitsWith: .success) {
                let secret = SecretBytes(count: 32, from: SystemRandom())
                let mapping = try #require(OwnMemory.mapping(at: secret.addresses().lowerBound))
                #expect(mapping.isReadable && !mapping.isWritable)
                // The secret ends where its page ends.
                #expect(mapping.addresses.upperBound == secret.addresses().upperBound)
                let after = try #require(OwnMemory.mapping(at: mapping.addresses.upperBound))
                let before = try #require(OwnMemory.mapping(at: mapping.addresses.lowerBound - 1))
                #expect(!after.isReadable && !before.isReadable)
            }
        }

        @Test("the memory is left out of core dumps", .enabled(if: showsFlags, "the kernel does not show VmFlags"))
        func coreDumps() {
            let secret = SecretBytes(count: 32, from: SystemRandom())
            #expect(OwnMemory.flags(at: secret.addresses().lowerBound).contains("dd"))
            let control = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
            defer { control.deallocate() }
            #expect(!OwnMemory.flags(at: UInt(bitPattern: control)).contains("dd"))
        }

        @Test(
            "the memory is locked against swapping",
            .enabled(if: showsFlags, "the kernel does not show VmFlags"),
            .enabled(if: canLock, "RLIMIT_MEMLOCK is too small here"))
        func swapping() {
            let secret = SecretBytes(count: 32, from: SystemRandom())
            #expect(OwnMemory.flags(at: secret.addresses().lowerBound).contains("lo"))
        }

        private static let showsFlags = !OwnMemory.flags(at: UInt(bitPattern: getenv("PATH"))).isEmpty

        /// Room for this secret and for those of concurrent tests.
        private static let canLock: Bool = {
            let size = 1 << 20
            guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED
            else { return false }
            defer { munmap(memory, size) }
            return mlock(memory, size) == 0
        }()
    }
#else
    internal import Testing

    @Suite("Secrets in memory", .disabled("only Linux shows a process its own memory as a file"))
    struct MemoryTests {
        @Test("after it was used and dropped, no copy is left")
        func use() {}
    }
#endif
