import Files

#if canImport(Glibc)
    internal import Crypto
    internal import Encoding
    internal import Foundation
    internal import SecureStorage
    internal import Secrets
    internal import TestSupport
    internal import Testing

    @testable internal import TPM

    @Suite(.enabled(if: Peer.tpm.isExpected, Comment(rawValue: Peer.tpm.absence)))
    struct KeysTests {
        private let rig: Rig
        private let folder: KeptFolder
        private let keys: TPMKeys
        private let name: KeyName

        init() throws {
            rig = try Rig()
            folder = KeptFolder(try TemporaryFolder())
            keys = TPMKeys(of: rig.device, in: "\(folder.path)/keys", random: SystemRandom())
            name = try KeyName("dpop-1")
        }

        private func verifies(_ signature: [UInt8], of message: [UInt8], by key: HardwarePublicKey) throws -> Bool {
            try P256.Signing.PublicKey(x963Representation: key.x963)
                .isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
        }

        private func refusalOfSigning(with authorization: consuming KeyAuthorization) async -> SecureStorageError? {
            do throws(SecureStorageError) {
                _ = try await keys.sign([1], with: name, authorization: authorization)
                return nil
            } catch { return error }
        }

        @Test func `A key signs, and its public key verifies the signature`() async throws {
            let key = try await keys.generate(name, protection: .none, authorization: .none)
            #expect(key.backend == .tpm && key.protection == .none)
            #expect(try await keys.publicKey(of: name) == key)
            for message in [[], [1, 2, 3], [UInt8](repeating: 7, count: 5_000)] as [[UInt8]] {
                let signature = try await keys.sign(message, with: name, authorization: .none)
                #expect(signature.count == 64)
                #expect(try verifies(signature, of: message, by: key))
            }
            #expect(try rig.chip.leftovers.isEmpty)
        }

        @Test func `A key with a PIN signs with it after a restart, and with no other`() async throws {
            let key = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
            #expect(key.protection == .pin)
            try await rig.chip.cutPowerAndSwitchOn()
            #expect(
                try verifies(try await keys.sign([1], with: name, authorization: .pin(bytes(pin))), of: [1], by: key))
            #expect(
                await refusalOfSigning(with: .pin(bytes(wrongPIN)))
                    == .backend(.tpm, .authenticationFailed(attemptsLeft: 2)))
            #expect(try rig.chip.failures == 1)
            _ = await refusalOfSigning(with: .pin(bytes(wrongPIN)))
            _ = await refusalOfSigning(with: .pin(bytes(wrongPIN)))
            guard case .backend(.tpm, .lockedOut(_?)) = await refusalOfSigning(with: .pin(bytes(pin))) else {
                Issue.record("not locked out")
                return
            }
        }

        @Test func `A key without a PIN signs during a lockout`() async throws {
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            let sealed = try rig.sealer().seal()
            for _ in 0..<4 {
                _ = refusal { () throws(SecureStorageError) in try rig.sealer().open(sealed, pin: wrongPIN) }
            }
            #expect(try await keys.sign([1], with: name, authorization: .none).count == 64)
        }

        @Test func `A PIN that is missing, or of a key without one, is refused`() async throws {
            let failed = SecureStorageError.backend(.tpm, .authenticationFailed(attemptsLeft: nil))
            _ = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
            #expect(await refusalOfSigning(with: .none) == failed)
            #expect(await refusalOfSigning(with: .prompt(reason: "x")) == failed)
            try await keys.delete(name)
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            #expect(await refusalOfSigning(with: .pin(bytes(pin))) == failed)
            #expect(try rig.chip.failures == 0)
        }

        @Test func `A PIN on a TPM that does not protect it is refused`() async throws {
            let open = try Rig(isProtected: false)
            let keys = TPMKeys(of: open.device, in: folder.path, random: SystemRandom())
            do {
                _ = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
                Issue.record("not refused")
            } catch { #expect(error == .backend(.tpm, .unavailable(.lockoutAuthorizationEmpty))) }
            #expect(try await keys.generate(name, protection: .none, authorization: .none).protection == .none)
            #expect(try open.chip.leftovers.isEmpty)
        }

        @Test func `A protection that a TPM does not have is unsupported`() async throws {
            do {
                _ = try await keys.generate(name, protection: .access(.userPresence), authorization: .none)
                Issue.record("not refused")
            } catch { #expect(error == .backend(.tpm, .unsupported)) }
        }

        @Test func `Names are listed, taken, and free after deletion`() async throws {
            #expect(try keys.names().isEmpty)
            for name in ["b", "a"] {
                _ = try await keys.generate(try KeyName(name), protection: .none, authorization: .none)
            }
            #expect(try keys.names().map(\.description) == ["a", "b"])
            do {
                _ = try await keys.generate(try KeyName("a"), protection: .none, authorization: .none)
                Issue.record("not refused")
            } catch { #expect(error == .alreadyExists) }
            #expect(try await keys.delete(try KeyName("a")))
            #expect(try await !keys.delete(try KeyName("a")))
            #expect(try await keys.publicKey(of: try KeyName("a")) == nil)
            #expect(try keys.names().map(\.description) == ["b"])
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/keys/b.tpmkey")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }

        @Test func `A key's file works with its own TPM only, until that is cleared`() async throws {
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            let changed = SecureStorageError.backend(.tpm, .bindingChanged(.device))
            let other = try Rig()
            let elsewhere = TPMKeys(of: other.device, in: "\(folder.path)/keys", random: SystemRandom())
            do {
                _ = try await elsewhere.sign([1], with: name, authorization: .none)
                Issue.record("not refused")
            } catch { #expect(error == changed) }
            try rig.chip.tool("clear", "-c", "platform")
            #expect(await refusalOfSigning(with: .none) == changed)
        }

        @Test func `A changed file is damaged, or refused by the TPM`() async throws {
            let key = try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
            let path = "\(folder.path)/keys/dpop-1.tpmkey"
            let file = try AtomicFile.read(path, limit: 4096, access: .ownerOnly)
            for position in stride(from: 0, to: file.count, by: 5) {
                var changed = file
                changed[position] ^= 0x10
                try AtomicFile.write(changed, to: path, replacing: .allowed)
                let fault = await refusalOfSigning(with: .pin(bytes(pin)))
                #expect(fault != nil, "\(position)")
                if fault == .backend(.tpm, .authenticationFailed(attemptsLeft: 2)) {
                    // A changed salt is a wrong PIN.
                    try rig.chip.tool("dictionarylockout", "-c", "-p", SwTPM.lockoutPassword)
                }
            }
            try AtomicFile.write(file, to: path, replacing: .allowed)
            #expect(
                try verifies(try await keys.sign([1], with: name, authorization: .pin(bytes(pin))), of: [1], by: key))
            #expect(try rig.chip.leftovers.isEmpty)
        }

        // MARK: Attestation

        @Test(arguments: [KeyProtection.none, .pin])
        func `The TPM states that it made the key, over the verifier's challenge`(_ protection: KeyProtection)
            async throws
        {
            let key =
                protection == .pin
                ? try await keys.generate(name, protection: .pin, authorization: .pin(bytes(pin)))
                : try await keys.generate(name, protection: .none, authorization: .none)
            let challenge = SeededRandom(seed: 5).publicBytes(count: 32)
            let attestation = try await keys.attest(name, challenge: challenge)
            let statement = try Statement(attestation)
            #expect(statement.challenge == challenge)
            #expect(statement.key.x963 == key.x963)
            #expect(statement.nameOfKey == statement.key.name)
            #expect(statement.isSigned)
            // Restricted, so that it signs nothing that only looks like a statement; made by the TPM; and bound to it.
            #expect(statement.attestingKey.attributes & (1 << 16 | 1 << 5 | 1 << 1) == 1 << 16 | 1 << 5 | 1 << 1)
            // The key was made by the TPM, never leaves it, and is not itself restricted.
            #expect(statement.key.attributes & (1 << 16 | 1 << 5 | 1 << 1) == 1 << 5 | 1 << 1)
            #expect(statement.attestingKey.x963 != statement.key.x963)
            #expect(try rig.chip.leftovers.isEmpty)
            #expect(try rig.chip.failures == 0)
        }

        @Test func `A statement about one key is not one about another`() async throws {
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            let other = try KeyName("other")
            _ = try await keys.generate(other, protection: .none, authorization: .none)
            let challenge = [UInt8](repeating: 3, count: 16)
            let first = try Statement(try await keys.attest(name, challenge: challenge))
            let second = try Statement(try await keys.attest(other, challenge: challenge))
            #expect(first.nameOfKey != second.nameOfKey)
            #expect(first.attestingKey.x963 == second.attestingKey.x963)
        }

        @Test(arguments: [0, 15, 65]) func `A challenge of another size is refused`(_ size: Int) async throws {
            _ = try await keys.generate(name, protection: .none, authorization: .none)
            do {
                _ = try await keys.attest(name, challenge: [UInt8](repeating: 1, count: size))
                Issue.record("not refused")
            } catch { #expect(error == .outsideLimits(.itemSize)) }
        }
    }

    /// A folder that a suite holds.
    final class KeptFolder: Sendable {
        private let folder: TemporaryFolder
        var path: String { folder.path }
        init(_ folder: consuming TemporaryFolder) { self.folder = folder }
    }

    /// A verifier of `TPM2_Certify`, written from TPM 2.0, part 2, section 10.12, and not from the code under test.
    private struct Statement {
        let challenge: [UInt8]
        let nameOfKey: [UInt8]
        let key: Key
        let attestingKey: Key
        let isSigned: Bool

        struct Key {
            let attributes: UInt32
            let x963: [UInt8]
            let name: [UInt8]

            init(_ area: [UInt8]) throws {
                var reader = try ByteReader(area, limit: 512)
                #expect(try reader.bigEndian(UInt16.self) == 0x0023)
                #expect(try reader.bigEndian(UInt16.self) == 0x000b)
                attributes = try reader.bigEndian(UInt32.self)
                _ = try reader.bytes(Int(try reader.bigEndian(UInt16.self)))
                #expect(try reader.bigEndian(UInt16.self) == 0x0010)
                #expect(try reader.bigEndian(UInt32.self) == 0x0018_000b)
                #expect(try reader.bigEndian(UInt16.self) == 0x0003)
                #expect(try reader.bigEndian(UInt16.self) == 0x0010)
                let x = [UInt8](try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
                let y = [UInt8](try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
                try reader.finish()
                x963 =
                    [4] + [UInt8](repeating: 0, count: 32 - x.count) + x + [UInt8](repeating: 0, count: 32 - y.count)
                    + y
                name = [0, 0x0b] + SHA256.hash(data: area)
            }
        }

        init(_ attestation: KeyAttestation) throws {
            guard case .tpm(let statement, let signature, let attestingArea, let area) = attestation else {
                throw Patience.Exhausted(description: "not a TPM's")
            }
            key = try Key(area)
            attestingKey = try Key(attestingArea)
            var reader = try ByteReader(statement, limit: 1024)
            // The magic number "\u{ff}TCG" and the type `TPM_ST_ATTEST_CERTIFY`.
            #expect(try reader.bigEndian(UInt32.self) == 0xff54_4347)
            #expect(try reader.bigEndian(UInt16.self) == 0x8017)
            let signer = [UInt8](try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
            // The signer's qualified name: of its own name and its hierarchy's.
            #expect(signer == [0, 0x0b] + SHA256.hash(data: [0x40, 0, 0, 1] + attestingKey.name))
            challenge = [UInt8](try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
            // Clock, resets, restarts, safe, and the firmware's version.
            _ = try reader.bytes(8 + 4 + 4 + 1 + 8)
            nameOfKey = [UInt8](try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
            _ = try reader.bytes(Int(try reader.bigEndian(UInt16.self)))
            try reader.finish()

            var signed = try ByteReader(signature, limit: 512)
            #expect(try signed.bigEndian(UInt32.self) == 0x0018_000b)
            let r = [UInt8](try signed.bytes(Int(try signed.bigEndian(UInt16.self))))
            let s = [UInt8](try signed.bytes(Int(try signed.bigEndian(UInt16.self))))
            try signed.finish()
            let raw = [r, s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
            isSigned = try P256.Signing.PublicKey(x963Representation: attestingKey.x963)
                .isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: raw), for: statement)
        }
    }
#endif
