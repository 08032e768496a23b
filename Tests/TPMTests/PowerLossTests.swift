#if canImport(Glibc)
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import SecureStorage
    @testable internal import TPM

    /// A TPM that lost its power since a protected object was used counts a wrong attempt at its next start.
    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct PowerLossTests {
        @Test func `An unclean power-off does not count as a wrong PIN (systemd#20668, tpm2-tools#583)`() async throws {
            let rig = try Rig()
            let sealed = try rig.sealer(7).seal()
            let plain = try rig.sealer().seal()
            // The emulator locks after three wrong ones.
            for _ in 0..<8 {
                #expect(try rig.sealer().open(sealed) == 7)
                #expect(try rig.sealer().open(plain) == 7)
                try await rig.chip.cutPowerAndSwitchOn()
                #expect(try rig.chip.failures == 0)
            }
        }

        @Test func `An unclean power-off after signing with a PIN does not count as a wrong PIN`() async throws {
            let rig = try Rig()
            let folder = try TemporaryFolder()
            let keys = TPMKeys(of: rig.device, in: folder.path, random: SystemRandom())
            let name = try KeyName("a")
            _ = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
            for _ in 0..<5 {
                _ = try await keys.sign([1], with: name, authorization: .pin(bytes(pin)))
                try await rig.chip.cutPowerAndSwitchOn()
                #expect(try rig.chip.failures == 0)
            }
        }

        @Test func `Commands of other kinds between the last use and the power-off change nothing`() async throws {
            let rig = try Rig()
            let sealed = try rig.sealer(7).seal()
            let counter = TPMCounter(in: rig.device)
            let vault = VaultID(unchecked: [UInt8](repeating: 1, count: 16))
            let value = try counter.define(for: vault)
            for step in 1...4 as ClosedRange<UInt64> {
                #expect(try rig.sealer().open(sealed) == 7)
                try counter.record(value + step, of: vault)
                try rig.extend(10)
                try rig.chip.tool("getrandom", "8", "--hex")
                _ = try rig.sealer().seal()
                try await rig.chip.cutPowerAndSwitchOn()
                #expect(try rig.chip.failures == 0)
            }
        }

        @Test func `A power-off in the middle of a use counts as one wrong PIN`() async throws {
            let rig = try Rig()
            let bus = try Interposer(before: rig.chip.socket)
            let device = TPMDevice(at: try TPMAddress(bus.address), limit: .seconds(Patience.seconds))
            let sealed = try rig.sealer().seal()
            // The message after the use never arrives.
            bus.set { code, _ in code == Command.shutdown ? .close : .forward }
            #expect(try TPMSealer(with: device, boundTo: nil).open(sealed) == 7)
            try await rig.chip.cutPowerAndSwitchOn()
            #expect(try rig.chip.failures == 1)
            #expect(try rig.sealer().open(sealed) == 7)
        }

        @Test func `Cutting the power does not take back a wrong PIN`() async throws {
            let rig = try Rig()
            let sealed = try rig.sealer().seal()
            for count in 1...2 {
                _ = refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
                try await rig.chip.cutPowerAndSwitchOn()
                #expect(try rig.chip.failures == count)
            }
            _ = refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
            try await rig.chip.cutPowerAndSwitchOn()
            guard
                case .backend(.tpm, .lockedOut(_?)) = refusal({ () throws(SecureStorageError) in
                    try rig.sealer().open(sealed)
                })
            else {
                Issue.record("not locked out")
                return
            }
        }
    }
#endif
