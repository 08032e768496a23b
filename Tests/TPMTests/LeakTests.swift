#if canImport(Glibc)
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import SecureStorage
    @testable internal import TPM

    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct LeakTests {
        /// Without a resource manager a TPM has three places for objects and three for sessions.
        @Test func `Two hundred operations, also refused ones, leave nothing in the TPM`() async throws {
            let rig = try Rig()
            try rig.chip.tool(
                "dictionarylockout", "-s", "-n", "100", "-t", "1000", "-l", "1000", "-p", SwTPM.lockoutPassword)
            let folder = try TemporaryFolder()
            let keys = TPMKeys(of: rig.device, in: folder.path, random: SystemRandom())
            let (name, vault) = (try KeyName("a"), VaultID(unchecked: [UInt8](repeating: 1, count: 16)))
            let counter = TPMCounter(in: rig.device)
            var generation = try #require(try counter.firstGeneration(of: vault))
            let plain = try rig.sealer().seal()
            let bound = try rig.sealer(7).seal()
            let stale = try rig.sealer(8).seal()
            try rig.extend(8)
            let foreign = try SealedObject(decoding: plain)
            var part = foreign.privatePart
            part[part.count - 1] ^= 1
            let broken = SealedObject(
                rootName: foreign.rootName, registers: nil, publicArea: foreign.publicArea, privatePart: part
            ).encoded
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            for _ in 0..<20 {
                #expect(try rig.sealer().open(plain) == 7)
                #expect(try rig.sealer().open(bound) == 7)
                for (sealed, value) in [(plain, wrongPIN), (bound, wrongPIN), (stale, pin), (broken, pin)] {
                    #expect(
                        refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: value) } != nil)
                }
                _ = try rig.sealer(7).seal()
                _ = try await keys.sign([1], with: name, authorization: .none)
                _ = try await keys.attest(name, challenge: [UInt8](repeating: 1, count: 16))
                try counter.record(generation, of: vault)
                generation += 1
            }
            #expect(try rig.chip.leftovers.isEmpty)
        }

        @Test func `Threads that use the TPM at the same time do not disturb each other`() async throws {
            let rig = try Rig()
            let folder = try TemporaryFolder()
            let keys = TPMKeys(of: rig.device, in: folder.path, random: SystemRandom())
            let name = try KeyName("a")
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            let (sealed, plain) = (try rig.sealer(7).seal(), try rig.sealer().seal())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { () throws in
                        for _ in 0..<10 {
                            #expect(try rig.sealer().open(sealed) == 7)
                            #expect(try await keys.sign([1], with: name, authorization: .none).count == 64)
                            #expect(try rig.sealer().open(plain) == 7)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try rig.chip.failures == 0)
            #expect(try rig.chip.leftovers.isEmpty)
        }

        /// The emulator has no resource manager: the commands of two programs mix, and share the three places.
        @Test func `Without a resource manager, a program gets its own secret or a refusal`() async throws {
            let rig = try Rig()
            let sealed = [try rig.sealer(7).seal(1), try rig.sealer().seal(2)]
            let address = rig.device.address
            let refusals = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 {
                    group.addTask { () throws in
                        var refusals = 0
                        for _ in 0..<10 {
                            for (value, sealed) in zip([1, 2] as [UInt8], sealed) {
                                // A device of its own for each, as in another process.
                                let sealer = TPMSealer(
                                    with: TPMDevice(at: address, limit: .seconds(Patience.seconds)), boundTo: nil)
                                do throws(SecureStorageError) {
                                    let opened = try sealer.open(sealed)
                                    #expect(opened == value)
                                } catch {
                                    #expect(error == .backend(.tpm, .full))
                                    refusals += 1
                                }
                            }
                        }
                        return refusals
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(refusals < 40)
            #expect(try rig.chip.failures == 0)
            #expect(try rig.chip.leftovers.isEmpty)
        }
    }
#endif
