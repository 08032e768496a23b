#if canImport(Glibc)
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct SealerTests {
        @Test func `A secret is opened with its authorization`() throws {
            let rig = try Rig()
            let sealed = try rig.sealer().seal(7)
            #expect(try rig.sealer().open(sealed) == 7)
            #expect(sealed.count <= 4096)
        }

        @Test func `An authorization that ends with zeros is accepted`() throws {
            let rig = try Rig()
            let authorization = SecretBytes(count: 32) { $0.storeBytes(of: 1, as: UInt8.self) }
            let sealed = try rig.sealer().seal(bytes(9), authorizedBy: authorization)
            #expect(exposed(try rig.sealer().open(sealed, authorizedBy: authorization)) == exposed(bytes(9)))
        }

        @Test func `A wrong authorization is refused with the number of attempts that are left`() throws {
            let rig = try Rig()
            let sealed = try rig.sealer().seal()
            try rig.chip.tool(
                "dictionarylockout", "-s", "-n", "5", "-t", "100", "-l", "100", "-p", SwTPM.lockoutPassword)
            for left in [4, 3] {
                #expect(
                    refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
                        == .backend(.tpm, .authenticationFailed(attemptsLeft: left)))
            }
            #expect(try rig.sealer().open(sealed) == 7)
            #expect(try rig.chip.failures == 2)
        }

        @Test func `Too many wrong authorizations lock out the right one, also after a restart`() async throws {
            let rig = try Rig()
            let sealed = try rig.sealer().seal()
            try rig.chip.tool(
                "dictionarylockout", "-s", "-n", "2", "-t", "1000", "-l", "100", "-p", SwTPM.lockoutPassword)
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
                    == .backend(.tpm, .authenticationFailed(attemptsLeft: 1)))
            let lockedOut = SecureStorageError.backend(.tpm, .lockedOut(seconds: 1000))
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) } == lockedOut)
            #expect(refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed) } == lockedOut)
            try await rig.chip.cutPowerAndSwitchOn()
            #expect(refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed) } == lockedOut)
            try rig.chip.tool("dictionarylockout", "-c", "-p", SwTPM.lockoutPassword)
            #expect(try rig.sealer().open(sealed) == 7)
        }

        @Test func `A TPM with an empty lockout authorization seals nothing (secureblue#1867)`() throws {
            let rig = try Rig(isProtected: false)
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().seal() }
                    == .backend(.tpm, .unavailable(.lockoutAuthorizationEmpty)))
        }

        @Test(arguments: [["-t", "0", "-n", "5"], ["-t", "100", "-n", "5000"]])
        func `A TPM that permits any number of attempts seals nothing`(_ parameters: [String]) throws {
            let rig = try Rig()
            try rig.chip.tool(
                "dictionarylockout", "-s", parameters[0], parameters[1], parameters[2], parameters[3], "-l", "100",
                "-p",
                SwTPM.lockoutPassword)
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().seal() } == .backend(.tpm, .unsupported))
        }

        @Test func `A secret is opened after a restart`() async throws {
            let rig = try Rig()
            let sealed = try rig.sealer(7).seal()
            try await rig.chip.cutPowerAndSwitchOn()
            #expect(try rig.sealer().open(sealed) == 7)
        }

        @Test func `A changed register closes the secret, and sealing anew binds it to the new state (facelock#70)`()
            throws
        {
            let rig = try Rig()
            let sealed = try rig.sealer(7, 11).seal()
            #expect(try rig.sealer().open(sealed) == 7)
            try rig.extend(11)
            let changed = SecureStorageError.backend(.tpm, .bindingChanged(.platformState))
            #expect(refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed) } == changed)
            // The policy fails before the authorization is looked at: nothing is counted.
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) } == changed)
            #expect(try rig.chip.failures == 0)
            let again = try rig.sealer(7, 11).seal()
            #expect(try rig.sealer().open(again) == 7)
        }

        @Test func `A secret that is bound to registers needs the authorization, too`() throws {
            let rig = try Rig()
            let sealed = try rig.sealer(7).seal()
            guard
                case .backend(.tpm, .authenticationFailed(let left?)) = refusal({ () throws(SecureStorageError) in
                    try rig.sealer().open(sealed, pin: wrongPIN)
                })
            else {
                Issue.record("another error")
                return
            }
            #expect(left > 0)
            #expect(try rig.chip.failures == 1)
        }

        @Test func `A register outside of the selection may change`() throws {
            let rig = try Rig()
            let sealed = try rig.sealer(7).seal()
            try rig.extend(10)
            #expect(try rig.sealer().open(sealed) == 7)
        }

        @Test func `A secret of a cleared TPM, or of another one, is not opened`() throws {
            let rig = try Rig()
            let sealed = try rig.sealer().seal()
            let other = try Rig()
            let changed = SecureStorageError.backend(.tpm, .bindingChanged(.device))
            #expect(refusal { () throws(SecureStorageError) in try other.sealer().open(sealed) } == changed)
            try rig.chip.tool("clear", "-c", "platform")
            #expect(refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed) } == changed)
        }

        @Test func `A private part under another TPM's name is not opened`() throws {
            let (rig, other) = (try Rig(), try Rig())
            let sealed = try SealedObject(decoding: try rig.sealer().seal())
            let others = try SealedObject(decoding: try other.sealer().seal())
            let forged = SealedObject(
                rootName: others.rootName, registers: nil, publicArea: sealed.publicArea,
                privatePart: sealed.privatePart)
            #expect(
                refusal { () throws(SecureStorageError) in try other.sealer().open(forged.encoded) }
                    == .backend(.tpm, .bindingChanged(.device)))
        }

        @Test func `A storage root key of another name than before is not used`() throws {
            let rig = try Rig()
            let sealed = try SealedObject(decoding: try rig.sealer().seal())
            let renamed = SealedObject(
                rootName: [0, 0x0b] + [UInt8](repeating: 3, count: 32), registers: nil, publicArea: sealed.publicArea,
                privatePart: sealed.privatePart)
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().open(renamed.encoded) }
                    == .backend(.tpm, .bindingChanged(.device)))
        }

        @Test func `A damaged blob is refused before the TPM is asked`() throws {
            let sealer = TPMSealer(
                with: TPMDevice(at: try TPMAddress("swtpm:path=/missing"), limit: .seconds(60)), boundTo: nil)
            for blob in [[], [1], [UInt8](repeating: 1, count: 300)] as [[UInt8]] {
                #expect(refusal { () throws(SecureStorageError) in try sealer.open(blob) } == .damaged)
            }
        }

        @Test func `A TPM whose owner set an authorization is not used`() throws {
            let rig = try Rig()
            try rig.chip.tool("changeauth", "-c", "owner", "owner password")
            #expect(
                refusal { () throws(SecureStorageError) in try rig.sealer().seal() }
                    == .backend(.tpm, .unavailable(.noPermission)))
        }
    }
#endif
