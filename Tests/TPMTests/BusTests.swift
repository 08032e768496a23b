import Files

#if canImport(Glibc)
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    /// What a device between the program and the TPM sees, and what it can do.
    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct BusTests {
        private let rig: Rig
        private let bus: Interposer
        private let device: TPMDevice

        init() throws {
            rig = try Rig()
            bus = try Interposer(before: rig.chip.socket)
            device = TPMDevice(at: try TPMAddress(bus.address), limit: .seconds(Patience.seconds))
        }

        private func sealer(_ registers: Int...) throws(SecureStorageError) -> TPMSealer {
            TPMSealer(with: device, boundTo: registers.isEmpty ? nil : try PCRSelection(registers))
        }

        @Test func `Neither the secret nor its authorization crosses the bus in the clear`() async throws {
            let secret = SecretBytes(count: 32, from: SystemRandom())
            let authorization = SecretBytes(count: 32, from: SystemRandom())
            for registers in [nil, try PCRSelection([7])] {
                let sealer = TPMSealer(with: device, boundTo: registers)
                let sealed = try sealer.seal(secret, authorizedBy: authorization)
                #expect(try sealer.open(sealed, authorizedBy: authorization).matches(secret))
            }
            let traffic = bus.traffic
            #expect(traffic.count > 2_000)
            for value in [exposed(secret), exposed(authorization)] {
                for start in 0...24 { #expect(!traffic.contains(value[start..<(start + 8)])) }
            }
        }

        @Test func `A PIN's authorization does not cross the bus in the clear`() async throws {
            let folder = try TemporaryFolder()
            let keys = TPMKeys(of: device, in: folder.path, random: SeededRandom(seed: 1))
            let name = try KeyName("a")
            _ = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
            let file = try KeyFile(
                decoding: try AtomicFile.read("\(folder.path)/a.tpmkey", limit: 4096, access: .ownerOnly))
            let authorization = exposed(try TPMKeys.value(of: .pin(bytes(pin)), salt: file.salt, hasPIN: true))
            _ = try await keys.sign([1], with: name, authorization: .pin(bytes(pin)))
            for start in 0...24 { #expect(!bus.traffic.contains(authorization[start..<(start + 8)])) }
        }

        @Test func `A register that is extended between the policy and its use costs a repetition (systemd#24906)`()
            throws
        {
            let sealed = try sealer(7).seal()
            bus.set { code, number in
                // The first use only, and a register that the secret is not bound to.
                code == Command.unseal && number == 0 ? .forwardAfter([Command.extend(10)]) : .forward
            }
            #expect(try sealer().open(sealed) == 7)
            // A new salted session for each attempt, and a policy session with it (systemd#31882).
            #expect(bus.commands.count { $0 == Command.startAuthSession } == 4)
            #expect(try rig.chip.failures == 0)
        }

        @Test func `Registers that never rest end in an error and not in a loop`() throws {
            let sealed = try sealer(7).seal()
            bus.set { code, _ in code == Command.unseal ? .forwardAfter([Command.extend(10)]) : .forward }
            #expect(
                refusal { () throws(SecureStorageError) in try sealer().open(sealed) }
                    == .backend(.tpm, .refused(code: 0x128)))
            #expect(bus.commands.count { $0 == Command.startAuthSession } == 2 * Limits.policyAttempts)
            #expect(try rig.chip.leftovers.isEmpty)
        }

        @Test func `A register of the policy that is extended between the policy and its use closes the secret`() throws
        {
            let sealed = try sealer(7).seal()
            bus.set { code, number in
                code == Command.unseal && number == 0 ? .forwardAfter([Command.extend(7)]) : .forward
            }
            #expect(
                refusal { () throws(SecureStorageError) in try sealer().open(sealed) }
                    == .backend(.tpm, .bindingChanged(.platformState)))
        }

        @Test func `Every changed answer is noticed, and no other secret is returned`() throws {
            let sealed = try sealer(7).seal()
            bus.set { _, _ in .forward }
            #expect(try sealer().open(sealed) == 7)
            let count = bus.commands.count
            let random = SeededRandom(seed: 19)
            var refused: [SecureStorageError] = []
            for number in 0..<count {
                for kind in 0..<4 {
                    let position = Int(random.next() % 4096)
                    bus.setByPosition { current in
                        guard current == number else { return .forward }
                        switch kind {
                        // One bit, behind the header.
                        case 0: return .change { Self.flipping($0, at: 10 + position) }
                        case 1: return .change { Self.flipping($0, at: position) }
                        // Another size, as the header says it.
                        case 2:
                            return .change { Self.resized([UInt8]($0.prefix(10 + position % max(1, $0.count - 10)))) }
                        default:
                            return .answer(
                                Self.resized([0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0] + random.publicBytes(count: 60)))
                        }
                    }
                    do throws(SecureStorageError) {
                        // A change in a part that nothing uses changes nothing else.
                        let value = try sealer().open(sealed)
                        #expect(value == 7)
                    } catch {
                        refused.append(error)
                        guard case .backend(.tpm, _) = error else {
                            Issue.record("\(error), seed \(random.seed)")
                            continue
                        }
                    }
                    // What the program could not take out again, since it was told a wrong handle.
                    for option in ["-t", "-l", "-s"] { try rig.chip.tool("flushcontext", option) }
                }
            }
            // Each command has answers without which nothing is opened.
            #expect(refused.count > count)
        }

        private static func flipping(_ answer: [UInt8], at position: Int) -> [UInt8] {
            var answer = answer
            answer[position % answer.count] ^= 1 << UInt8(position % 8)
            // The size stays right: the transport would wait for the missing bytes otherwise.
            return resized(answer)
        }

        private static func resized(_ answer: [UInt8]) -> [UInt8] {
            var answer = answer
            withUnsafeBytes(of: UInt32(answer.count).bigEndian) { answer.replaceSubrange(2..<6, with: $0) }
            return answer
        }

        @Test func `A TPM that hangs costs no more than the time limit, and later calls nothing`() async throws {
            let sealed = try sealer().seal()
            bus.set { _, _ in .hang }
            let impatient = TPMDevice(at: try TPMAddress(bus.address), limit: .milliseconds(200))
            let sealer = TPMSealer(with: impatient, boundTo: nil)
            for _ in 0..<5 {
                #expect(
                    refusal { () throws(SecureStorageError) in try sealer.open(sealed) } == .backend(.tpm, .timedOut))
            }
            #expect(await impatient.unavailability() == .timedOut)
            #expect(bus.commands.count == 1)
        }

        @Test func `A connection that is lost is reported`() throws {
            let sealed = try sealer().seal()
            bus.set { code, _ in code == Command.unseal ? .close : .forward }
            #expect(
                refusal { () throws(SecureStorageError) in try sealer().open(sealed) }
                    == .backend(.tpm, .unavailable(.noDevice)))
        }

        @Test func `The last command after a use tells the TPM that the power may go`() throws {
            let sealed = try sealer(7).seal()
            bus.set { _, _ in .forward }
            _ = try sealer().open(sealed)
            #expect(bus.commands.last == Command.shutdown)
            bus.set { _, _ in .forward }
            _ = refusal { () throws(SecureStorageError) in try sealer().open(sealed, pin: wrongPIN) }
            #expect(bus.commands.last == Command.shutdown)
        }
    }
#endif
