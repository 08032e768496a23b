#if canImport(Glibc)
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import SecureStorage
    @testable internal import TPM

    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct CounterTests {
        private let vault = VaultID(unchecked: [UInt8](repeating: 1, count: 16))
        private let other = VaultID(unchecked: [UInt8](repeating: 2, count: 16))
        private let missing = SecureStorageError.backend(.tpm, .bindingChanged(.device))

        @Test func `A counter follows the generations of its vault`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            defer { withExtendedLifetime(rig) {} }
            let first = try #require(try counter.firstGeneration(of: vault))
            #expect(try counter.lastSeen(of: vault) == first - 1)
            for generation in [first, first + 1, first + 1, first + 5] {
                try counter.record(generation, of: vault)
                #expect(try counter.lastSeen(of: vault) == generation)
            }
        }

        @Test func `An older generation is refused`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            defer { withExtendedLifetime(rig) {} }
            let first = try #require(try counter.firstGeneration(of: vault))
            try counter.record(first + 2, of: vault)
            #expect(
                refusal { () throws(SecureStorageError) in try counter.record(first + 1, of: vault) }
                    == .rolledBack(found: first + 1, expected: first + 2))
            #expect(try counter.lastSeen(of: vault) == first + 2)
        }

        @Test func `A generation that no crash explains is refused`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            defer { withExtendedLifetime(rig) {} }
            let value = try counter.define(for: vault)
            #expect(
                refusal { () throws(SecureStorageError) in try counter.record(value + 1_025, of: vault) }
                    == .backend(.tpm, .malformedAnswer))
            #expect(try counter.lastSeen(of: vault) == value)
            try counter.record(value + 1_024, of: vault)
        }

        @Test func `A vault whose counter is missing is not taken for a new one`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            #expect(refusal { () throws(SecureStorageError) in try counter.lastSeen(of: vault) } == missing)
            #expect(refusal { () throws(SecureStorageError) in try counter.record(5, of: vault) } == missing)
            _ = try counter.define(for: vault)
            #expect(refusal { () throws(SecureStorageError) in try counter.lastSeen(of: other) } == missing)
            try rig.chip.tool("clear", "-c", "platform")
            #expect(refusal { () throws(SecureStorageError) in try counter.lastSeen(of: vault) } == missing)
        }

        @Test func `Deleting and making a counter again does not set it back, nor does clearing the TPM`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            var highest = try counter.define(for: vault) + 9
            try counter.record(highest, of: vault)
            #expect(try counter.remove(for: vault))
            #expect(try !counter.remove(for: vault))
            var value = try counter.define(for: vault)
            #expect(value > highest)
            highest = value + 3
            try counter.record(highest, of: vault)
            try rig.chip.tool("clear", "-c", "platform")
            value = try counter.define(for: vault)
            #expect(value > highest)
        }

        @Test func `A counter keeps its value over an unclean power-off`() async throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            let value = try counter.define(for: vault)
            for step in 1...3 as ClosedRange<UInt64> {
                try counter.record(value + step, of: vault)
                try await rig.chip.cutPowerAndSwitchOn()
                #expect(try counter.lastSeen(of: vault) == value + step)
            }
        }

        @Test func `A counter cannot be written as an ordinary index, and a lockout does not lock it`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            let value = try counter.define(for: vault)
            let place = String(try #require(CounterIndex.places(for: vault).first))
            #expect(throws: Program.Failure.self) {
                try rig.chip.tool("nvwrite", place, "-C", place, "-i", "/dev/null")
            }
            let sealed = try rig.sealer().seal()
            for _ in 0..<4 {
                _ = refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
            }
            #expect(try counter.lastSeen(of: vault) == value)
            try counter.record(value + 1, of: vault)
        }

        @Test func `A place that is taken by another index is left alone, and the next one is used`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            let places = CounterIndex.places(for: vault)
            let first = String(try #require(places.first))
            try rig.chip.tool("nvdefine", first, "-s", "8", "-a", "authread|authwrite|nt=counter")
            try rig.chip.tool("nvincrement", first, "-C", first)
            let value = try counter.define(for: vault)
            try counter.record(value + 1, of: vault)
            #expect(try counter.lastSeen(of: vault) == value + 1)
            #expect(
                refusal { () throws(SecureStorageError) in try counter.define(for: vault) } == .alreadyExists)
            // The other index goes: the vault's own is found behind the gap.
            try rig.chip.tool("nvundefine", first)
            #expect(try counter.lastSeen(of: vault) == value + 1)
        }

        @Test func `An index with the vault's label that can be set back is not its counter`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            let folder = try TemporaryFolder()
            let index = CounterIndex(of: vault, at: try #require(CounterIndex.places(for: vault).first))
            let label = try folder.write("", to: "label")
            try writeBytes(index.label, to: label)
            try rig.chip.tool(
                "nvdefine", String(index.place), "-s", "8", "-L", label, "-a", "authread|authwrite|no_da")
            let value = try folder.write("", to: "value")
            try writeBytes([0, 0, 0, 0, 0, 0, 0, 9], to: value)
            try rig.chip.tool("nvwrite", String(index.place), "-C", String(index.place), "-i", value)
            #expect(refusal { () throws(SecureStorageError) in try counter.lastSeen(of: vault) } == missing)
        }

        @Test func `Two vaults have two counters`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            defer { withExtendedLifetime(rig) {} }
            let first = try counter.define(for: vault)
            let second = try counter.define(for: other)
            try counter.record(first + 4, of: vault)
            #expect(try counter.lastSeen(of: other) == second)
            #expect(try counter.remove(for: vault))
            #expect(try counter.lastSeen(of: other) == second)
        }

        @Test func `A TPM that is full says so`() throws {
            let rig = try Rig()
            let counter = TPMCounter(in: rig.device)
            defer { withExtendedLifetime(rig) {} }
            // Large indexes first, then smaller ones, until not even a counter fits.
            var place = 0x0150_0000
            for size in [2048, 512, 64, 8] {
                while (try? rig.chip.tool("nvdefine", String(place), "-s", String(size), "-a", "authread|authwrite"))
                    != nil
                {
                    place += 1
                }
            }
            // Chips keep some room for counters alone.
            var fault: SecureStorageError?
            for number in 0..<200 as Range<UInt8> where fault == nil {
                fault = refusal { () throws(SecureStorageError) in
                    try counter.define(for: VaultID(unchecked: [UInt8](repeating: number, count: 16)))
                }
            }
            #expect(fault == .backend(.tpm, .full))
        }
    }
#endif
