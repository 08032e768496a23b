#if canImport(Glibc)
    internal import Glibc
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    @Suite struct AvailabilityTests {
        private func fault(at address: String) async throws -> BackendFault? {
            await TPMDevice(at: try TPMAddress(address), limit: .seconds(60)).unavailability()
        }

        @Test(arguments: ["libfueki-esys.so.0", "libfueki-tctildr.so.0", "libfueki-mu.so.0"])
        func `A missing library is named`(_ file: String) async throws {
            var libraries = TSS.Libraries()
            if file.contains("esys") { libraries.esys = file }
            if file.contains("tctildr") { libraries.tctildr = file }
            if file.contains("mu.") { libraries.mu = file }
            let device = TPMDevice(at: .resourceManager, limit: .seconds(60), libraries: libraries)
            #expect(await device.unavailability() == .unavailable(.library(file)))
            #expect(
                refusal { () throws(SecureStorageError) in try TPMSealer(with: device, boundTo: nil).seal() }
                    == .backend(.tpm, .unavailable(.library(file))))
        }

        @Test func `A library without the functions counts as missing`() async throws {
            var libraries = TSS.Libraries()
            libraries.esys = "libc.so.6"
            let device = TPMDevice(at: .resourceManager, limit: .seconds(60), libraries: libraries)
            #expect(await device.unavailability() == .unavailable(.library("libc.so.6")))
        }

        @Test(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
        func `A missing device is reported`() async throws {
            let folder = try TemporaryFolder()
            #expect(try await fault(at: "device:\(folder.path)/tpmrm0") == .unavailable(.noDevice))
            #expect(try await fault(at: "swtpm:path=\(folder.path)/tpm") == .unavailable(.noDevice))
            // A file that is not a TPM.
            #expect(try await fault(at: "swtpm:path=\(try folder.write("", to: "file"))") == .unavailable(.noDevice))
        }

        @Test(.enabled(if: Peer.tpm.isExpected && geteuid() != 0, "root may use every device"))
        func `A device that this user may not use is reported`() async throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("", to: "tpmrm0")
            chmod(path, 0)
            #expect(try await fault(at: "device:\(path)") == .unavailable(.noPermission))
        }

        @Test(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
        func `A TPM tells whether it protects a PIN`() async throws {
            let rig = try Rig(isProtected: false)
            #expect(await rig.device.unavailability() == nil)
            #expect(await rig.device.pinProtection().fault == .unavailable(.lockoutAuthorizationEmpty))
            try rig.chip.protectLockout()
            let protection = await rig.device.pinProtection()
            #expect(protection.fault == nil)
            #expect(protection.daysToTryAllPINs == 115)
            for (interval, recovery, days) in [("1", "86400", 0), ("1000", "1", 0), ("259", "0", 29)] {
                try rig.chip.tool(
                    "dictionarylockout", "-s", "-n", "3", "-t", interval, "-l", recovery, "-p", SwTPM.lockoutPassword)
                let weak = BackendFault.unavailable(.weakLockout(days: days))
                #expect(await rig.device.pinProtection().fault == weak)
                #expect(
                    refusal { () throws(SecureStorageError) in try rig.sealer().seal() } == .backend(.tpm, weak),
                    "interval \(interval), recovery \(recovery)")
            }
            try rig.chip.tool(
                "dictionarylockout", "-s", "-n", "3", "-t", "260", "-l", "0", "-p", SwTPM.lockoutPassword)
            #expect(await rig.device.pinProtection().fault == nil)
        }

        @Test func `Only known transports are loaded`() {
            for text in [
                "", "device", "device:", "device:tpm0", "swtpm:port=2321", "cmd:/bin/sh", "mssim:", "swtpm:path=tpm",
                "device:/dev/\u{e4}", "device:/" + String(repeating: "a", count: 130), "libevil.so:/dev/tpm0",
            ] {
                #expect(
                    refusal { () throws(SecureStorageError) in try TPMAddress(text) } == .outsideLimits(.name),
                    "\(text)")
            }
            #expect((try? TPMAddress("device:/dev/tpmrm0")) == .resourceManager)
        }

        @Test func `Registers that can be reset without a restart are refused`() {
            for registers in [[], [16], [23], [-1], [24], [0, 17]] {
                #expect(
                    refusal { () throws(SecureStorageError) in try PCRSelection(registers) } == .outsideLimits(.name))
            }
            #expect((try? PCRSelection([7, 0, 15, 7]))?.registers == [0, 7, 15])
        }
    }
#endif
