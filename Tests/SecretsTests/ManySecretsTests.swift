#if os(Linux)
    internal import Glibc
    internal import Secrets
    internal import Synchronization
    internal import TestSupport
    internal import Testing

    /// Secrets in such numbers that they share regions. Each test is a process of its own, because regions belong to
    /// the process.
    @Suite("Many secrets")
    struct ManySecretsTests {
        @Test("200,000 secrets of both kinds use a few mappings, keep their contents, and return their memory")
        func many() async {
            await #expect(processExitsWith: .success) {
                let before = OwnMemory.mappings
                var held: [Held] = []
                for number in 0..<200_000 { held.append(Held(number, isFleeting: number % 2 == 0)) }
                precondition(OwnMemory.mappings - before < 2_000, "too many mappings")
                precondition(SecretMemory.state.mapped > 200_000 * 64 / 2)
                for (number, one) in held.enumerated() { precondition(one.holds(number), "another's bytes") }
                // Every second one first, so that no arena becomes empty at once.
                for number in held.indices where number % 3 != 0 { held[number] = held[0] }
                for number in 0..<10_000 { precondition(Held(number, isFleeting: number % 2 == 0).holds(number)) }
                for (number, one) in held.enumerated() where number % 3 == 0 { precondition(one.holds(number)) }
                held = []
                // The memory kept for the next secrets, and no more.
                precondition(SecretMemory.state.mapped < 4 << 20, "arenas were not given back")
                precondition(OwnMemory.mappings - before < 1_000, "mappings were not given back")
            }
        }

        @Test("secrets of all sizes and kinds are separate, zeros before filling, and intact after others are freed")
        func sizes() async {
            await #expect(processExitsWith: .success) {
                ManySecretsTests.useUpOwnRegions()
                for _ in 0..<3 {
                    var held: [Held] = []
                    for size in ManySecretsTests.sizes {
                        for number in 0..<6 {
                            held.append(Held(number * 7 + size, count: size, isFleeting: number % 2 == 0))
                        }
                    }
                    for number in stride(from: 0, to: held.count, by: 2) { held[number] = held[1] }
                    for (number, one) in held.enumerated() where number % 2 == 1 {
                        precondition(one.holds(number % 6 * 7 + one.secret.count))
                    }
                }
            }
        }

        @Test("many threads allocate and free secrets of both kinds and many sizes, and none sees another's")
        func threads() async {
            await #expect(processExitsWith: .success) {
                ManySecretsTests.useUpOwnRegions()
                await withTaskGroup(of: Void.self) { group in
                    for thread in 0..<8 {
                        group.addTask {
                            var held: [Held] = []
                            for round in 0..<4_000 {
                                let number = thread * 100_003 + round
                                held.append(Held(number, count: number % 131, isFleeting: number % 4 != 0))
                                precondition(held[round - round % 7].holds(number - round % 7))
                                if round % 64 == 63 { held[round / 4] = held[round / 2] }
                            }
                        }
                    }
                }
                precondition(SecretMemory.state.mapped < 8 << 20)
            }
        }

        // MARK: Attacks, which end the process.

        @Test("control: the same process continues without the attack")
        func control() async {
            await #expect(processExitsWith: .success) {
                ManySecretsTests.useUpOwnRegions()
                do { _ = SecretBytes(count: 32, from: SystemRandom()) }
                do { _ = SecretBytes(fleeting: 32) { $0[0] = 1 } }
            }
        }

        @Test(
            "a filler that wrote past a secret in an arena ends the process", arguments: [-16, -1, 32, 47],
            [true, false])
        func canary(offset: Int, isFleeting: Bool) async {
            await #expect(processExitsWith: .failure) { [offset = offset as Int, isFleeting = isFleeting as Bool] in
                ManySecretsTests.useUpOwnRegions()
                do { _ = Held(count: 32, isFleeting: isFleeting) { $0.flip(offset) } }
                exit(0)
            }
        }

        @Test("a copy that overruns a secret's canary into another secret ends the process")
        func copiedCanary() async {
            await #expect(processExitsWith: .failure) {
                let first = SecretBytes(fleeting: 32) { _ in }
                do {
                    _ = SecretBytes(fleeting: 32) { memory in
                        first.withUnsafeBytes { memory.baseAddress?.copyMemory(from: $0.start, byteCount: 48) }
                    }
                }
                exit(0)
            }
        }

        @Test("writing to a sealed secret in an arena ends the process, also after others were filled and freed")
        func sealed() async {
            for attack in 0..<3 {
                await #expect(processExitsWith: .failure) { [attack = attack as Int] in
                    ManySecretsTests.useUpOwnRegions()
                    let secret = SecretBytes(count: 32, from: SystemRandom())
                    if attack > 0 { ManySecretsTests.kept.withLock { $0.append(Held(1, isFleeting: false)) } }
                    if attack > 1 { ManySecretsTests.kept.withLock { _ = $0.popLast() } }
                    secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(mutating: $0)[0] = 1 }
                    exit(0)
                }
            }
        }

        @Test("an arena is locked, left out of core dumps, and between inaccessible pages")
        func region() async {
            await #expect(processExitsWith: .success) {
                ManySecretsTests.useUpOwnRegions()
                for secret in [Held(1, isFleeting: false), Held(1, isFleeting: true)] {
                    let address = secret.secret.addresses().lowerBound
                    let mapping = OwnMemory.mapping(at: address)
                    precondition(mapping.map { $0.isReadable } == true)
                    let start = mapping?.addresses.lowerBound ?? 0
                    let end = mapping?.addresses.upperBound ?? 0
                    precondition(OwnMemory.mapping(at: end).map { $0.isReadable } == false)
                    precondition(OwnMemory.mapping(at: start - 1).map { $0.isReadable } == false)
                    let flags = OwnMemory.flags(at: address)
                    precondition(flags.isEmpty || flags.contains("dd"))
                    precondition(flags.isEmpty || flags.contains("lo") || SecretMemory.state.unlocked > 0)
                }
            }
        }

        @Test("dropped secrets leave no bytes in their arena")
        func wiped() async {
            await #expect(processExitsWith: .success) {
                ManySecretsTests.useUpOwnRegions()
                let planted = Needle()
                for _ in 0..<3 {
                    let sealed = planted.secret()
                    let clone = sealed.clone()
                    let fleeting = SecretBytes(fleeting: 32) { memory in
                        sealed.withUnsafeBytes { memory.copyMemory(from: $0) }
                    }
                    // Three copies, of four pieces each: no more while they live.
                    precondition(planted.traces() == 12 && clone.matches(fleeting))
                }
                precondition(planted.traces() == 0)
            }
        }

        // MARK: Locking.

        @Test("memory that the system does not lock is counted until it is freed")
        func unlocked() async {
            await #expect(processExitsWith: .success) {
                precondition(SecretMemory.state.unlocked == 0 || SecretMemory.lockLimit.map { $0 < 1 << 20 } == true)
                var none = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
                setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none)
                precondition(SecretMemory.lockLimit == 65_536)
                // The superuser locks memory beyond the limit.
                precondition(geteuid() != 0 || setuid(65_534) == 0)
                do {
                    let large = SecretBytes(count: 1 << 20, from: SystemRandom())
                    precondition(large.count == 1 << 20 && SecretMemory.state.unlocked >= 1 << 20)
                    precondition(SecretMemory.state.unlocked <= SecretMemory.state.mapped)
                }
                precondition(SecretMemory.state.unlocked < 1 << 20)
            }
        }

        // MARK: Helpers of the tests

        /// Sizes from 0 to 64 KiB, around those of arenas, and above them.
        private static let sizes =
            [0, 1, 15, 16, 17, 63, 64, 65, 80, 81, 128, 129, 4_095, 4_096, 20_480, 49_152, 65_535, 65_536, 65_537]

        private static let kept = Mutex<[Held]>([])

        /// Makes several sealed secrets, so that the next ones are in arenas.
        private static func useUpOwnRegions() {
            kept.withLock { kept in for number in 0..<300 { kept.append(Held(number, isFleeting: false)) } }
        }
    }

    /// A box for a secret in an array.
    private final class Held: Sendable {
        let secret: SecretBytes

        init(count: Int, isFleeting: Bool, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
            secret =
                isFleeting ? SecretBytes(fleeting: count, filledBy: fill) : SecretBytes(count: count, filledBy: fill)
        }

        /// Returns bytes derived from a number.
        convenience init(_ number: Int, count: Int = 32, isFleeting: Bool) {
            self.init(count: count, isFleeting: isFleeting) { memory in
                for offset in memory.indices {
                    precondition(memory[offset] == 0, "memory that is not zeros")
                    memory[offset] = Self.byte(number, offset)
                }
            }
        }

        func holds(_ number: Int) -> Bool {
            secret.withUnsafeBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == Self.byte(number, $0) } }
        }

        private static func byte(_ number: Int, _ offset: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (number &* 31 &+ offset &* 7) ^ (number >> 8)) | 1
        }
    }

    extension UnsafeRawBufferPointer {
        /// The address of the bytes; no secret is empty here.
        fileprivate var start: UnsafeRawPointer {
            guard let baseAddress else { preconditionFailure("a buffer without memory") }
            return baseAddress
        }
    }

    extension UnsafeMutableRawBufferPointer {
        /// Changes a byte, even one outside the buffer.
        fileprivate func flip(_ offset: Int) {
            guard let baseAddress else { return }
            let byte = baseAddress.load(fromByteOffset: offset, as: UInt8.self)
            baseAddress.storeBytes(of: ~byte, toByteOffset: offset, as: UInt8.self)
        }
    }
#endif
