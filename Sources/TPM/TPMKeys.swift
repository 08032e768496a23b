internal import Files

#if canImport(Glibc)
    internal import CTPM
    internal import Crypto
    internal import Encoding
    public import Secrets
    public import SecureStorage

    /// Signing keys on P-256 that a TPM made and keeps. Each has a file, which only this TPM can use.
    ///
    /// A key with a PIN is protected against guessing by the TPM, which is refused if it does not do that
    /// (`BackendFault.Unavailability.lockoutAuthorizationEmpty`). The system does not ask the user for
    /// a TPM's key, so `KeyProtection.access(_:)` is unsupported.
    public struct TPMKeys: HardwareKeys {
        /// The place of the private keys: the TPM.
        public var backend: StoreBackend { .tpm }
        private let device: TPMDevice
        private let folder: String
        private let random: any RandomSource

        /// Creates the keys of a folder.
        ///
        /// - Parameters:
        ///   - folder: the path of the folder of the keys' files. The first key makes it.
        ///   - random: the source of the salts.
        public init(of device: TPMDevice, in folder: String, random: some RandomSource) {
            self.device = device
            self.folder = folder
            self.random = random
        }

        /// Returns the reason why keys cannot be made or used now; nil if they can.
        public func unavailability() async -> BackendFault? { await device.unavailability() }

        /// Makes a key, without a PIN or with one of 4 to 64 bytes.
        public func generate(
            _ name: KeyName, protection: KeyProtection, authorization: borrowing KeyAuthorization
        ) async throws(SecureStorageError) -> HardwarePublicKey {
            let hasPIN: Bool
            switch protection {
            case .none: hasPIN = false
            case .pin: hasPIN = true
            case .access: throw .tpm(.unsupported)
            }
            guard !FolderCreation.isOccupied(path(of: name)) else { throw .alreadyExists }
            let salt = random.publicBytes(count: KeyFile.saltSize)
            let authorization = try Self.value(of: authorization, salt: salt, hasPIN: hasPIN)
            let sensitive = OneShot(
                Sensitive.encode(authorization: authorization, data: SecretBytes(count: 0) { _ in }))
            let file = try await device.calls.run { [device] () throws(SecureStorageError) in
                guard let sensitive = sensitive.take() else { throw .tpm(.timedOut) }
                let connection = try device.connect()
                if hasPIN, let fault = try connection.dictionaryAttackState().fault { throw .tpm(fault) }
                return try connection.withStorageRoot(named: nil) { (root, rootName) throws(SecureStorageError) in
                    try connection.withSession(.hmac, saltedTo: root) { session throws(SecureStorageError) in
                        let (area, part) = try connection.create(
                            PublicArea.signing(countsWrongPINs: hasPIN, x: [], y: []), sensitive: sensitive,
                            under: root,
                            session: session)
                        guard
                            let file = try? KeyFile(
                                hasPIN: hasPIN, salt: salt, rootName: rootName, publicArea: area, privatePart: part)
                        else { throw .tpm(.malformedAnswer) }
                        return file
                    }
                }
            }
            try onDisk(FolderCreation.make(folder))
            try onDisk(AtomicFile.create(file.encoded, at: path(of: name), for: .owner))
            return file.publicKey
        }

        /// Returns the public key; nil if the name is free.
        public func publicKey(of name: KeyName) async throws(SecureStorageError) -> HardwarePublicKey? {
            do throws(SecureStorageError) { return try file(of: name).publicKey } catch .notFound { return nil }
        }

        /// Signs a message with ECDSA over its SHA-256 digest: 64 bytes, `r` and `s`.
        public func sign(
            _ message: [UInt8], with name: KeyName, authorization: borrowing KeyAuthorization
        ) async throws(SecureStorageError) -> [UInt8] {
            let file = try file(of: name)
            let authorization = OneShot(try Self.value(of: authorization, salt: file.salt, hasPIN: file.hasPIN))
            let digest = [UInt8](SHA256.hash(data: message))
            let signature = try await device.calls.run { [device] () throws(SecureStorageError) in
                guard let authorization = authorization.take() else { throw .tpm(.timedOut) }
                let connection = try device.connect()
                if !file.hasPIN { return try connection.sign(digest, with: file, authorization: authorization) }
                return try connection.usingCountedObject { () throws(SecureStorageError) in
                    try connection.sign(digest, with: file, authorization: authorization)
                }
            }
            guard file.publicKey.isValidSignature(signature, of: message) else { throw .tpm(.malformedAnswer) }
            return signature
        }

        /// Deletes a key. - Returns: whether there was one.
        @discardableResult
        public func delete(_ name: KeyName) async throws(SecureStorageError) -> Bool {
            guard FolderCreation.isOccupied(path(of: name)) else { return false }
            try onDisk(FolderCreation.removeForGood(path(of: name)))
            return true
        }

        /// Returns the statement of a key of the TPM's (`TPM2_Certify`). It needs no PIN, and gives no use of the key.
        ///
        /// The attesting key is restricted to what the TPM itself wrote. That it belongs to a genuine TPM is not part of
        /// the statement: that takes the certificate of the TPM's maker.
        public func attest(_ name: KeyName, challenge: [UInt8]) async throws(SecureStorageError) -> KeyAttestation {
            guard Limits.challenge.contains(challenge.count) else { throw .outsideLimits(.itemSize) }
            let file = try file(of: name)
            return try await device.calls.run { [device] () throws(SecureStorageError) in
                try device.connect().certify(file, challenge: challenge)
            }
        }

        /// Returns the names of all keys of the folder, in order.
        public func names() throws(SecureStorageError) -> [KeyName] {
            var names: [KeyName] = []
            for name in try onDisk(FolderCreation.names(in: folder, limit: Limits.keyFiles)).sorted()
            where name.hasSuffix(Self.ending) {
                if let name = try? KeyName(String(name.dropLast(Self.ending.count))) { names.append(name) }
            }
            return names
        }

        // MARK: Files

        private static let ending = ".tpmkey"

        private func path(of name: KeyName) -> String { "\(folder)/\(name)\(Self.ending)" }

        private func file(of name: KeyName) throws(SecureStorageError) -> KeyFile {
            let bytes = try onDisk(AtomicFile.read(path(of: name), limit: Limits.keyFile, access: .ownerOnly))
            guard let file = try? KeyFile(decoding: bytes) else { throw .damaged }
            return file
        }

        // MARK: Authorization

        /// Returns the authorization for the TPM: empty, or HKDF-SHA256 of the PIN.
        ///
        /// The derivation is fast on purpose: the TPM limits the guesses, and the salt keeps the same PIN of two keys from
        /// having the same value.
        static func value(
            of authorization: borrowing KeyAuthorization, salt: [UInt8], hasPIN: Bool
        ) throws(SecureStorageError) -> SecretBytes {
            switch authorization {
            case .none where !hasPIN: return SecretBytes(count: 0) { _ in }
            case .pin(let pin) where hasPIN:
                guard Limits.pin.contains(pin.count) else { throw .outsideLimits(.passphrase) }
                let key = pin.withUnsafeBytes { pin in
                    HKDF<SHA256>.deriveKey(
                        inputKeyMaterial: SymmetricKey(data: pin), salt: salt,
                        info: [UInt8]("fueki tpm key v1 pin".utf8),
                        outputByteCount: 32)
                }
                return SecretBytes(count: 32) { memory in key.withUnsafeBytes { memory.copyMemory(from: $0) } }
            default: throw .tpm(.authenticationFailed(attemptsLeft: nil))
            }
        }
    }

    extension KeyFile {
        fileprivate var publicKey: HardwarePublicKey {
            HardwarePublicKey(backend: .tpm, x963: x963, protection: hasPIN ? .pin : .none)
        }
    }

    extension Connection {
        private func withKey<Result>(
            _ file: KeyFile, _ body: (Handle, _ session: Handle, _ root: Handle) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            try withStorageRoot(named: file.rootName) { (root, _) throws(SecureStorageError) in
                try withSession(.hmac, saltedTo: root) { session throws(SecureStorageError) in
                    try withObject(file.publicArea, file.privatePart, under: root, session: session) {
                        (key) throws(SecureStorageError) in
                        try body(key, session, root)
                    }
                }
            }
        }

        /// `TPMT_SIG_SCHEME`: ECDSA with SHA-256.
        private func scheme() throws(SecureStorageError) -> UnsafeMutablePointer<TPMT_SIG_SCHEME> {
            try read([0, 0x18, 0, 0x0b], tss.pointee.Tss2_MU_TPMT_SIG_SCHEME_Unmarshal)
        }

        private func encoded(_ signature: UnsafePointer<TPMT_SIGNATURE>) throws(SecureStorageError) -> [UInt8] {
            try signature.encoded(limit: Limits.publicArea, writing: tss.pointee.Tss2_MU_TPMT_SIGNATURE_Marshal)
        }

        fileprivate func sign(
            _ digest: [UInt8], with file: KeyFile, authorization: borrowing SecretBytes
        ) throws(SecureStorageError) -> [UInt8] {
            try withKey(file) { (key, session, _) throws(SecureStorageError) in
                try withAuthorization(authorization, of: key) { () throws(SecureStorageError) in
                    let digest = simple(TPM2B_DIGEST.self, digest)
                    // The key may sign every digest: a ticket that says that the digest is not of the TPM's own data.
                    let ticket = try read(
                        [0x80, 0x24, 0x40, 0, 0, 7, 0, 0], tss.pointee.Tss2_MU_TPMT_TK_HASHCHECK_Unmarshal)
                    try set(.command, of: session)
                    var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
                    let code = ResponseCode(
                        rawValue: tss.pointee.Esys_Sign(
                            context, key, session, .none, .none, digest, try scheme(), ticket,
                            &signature))
                    guard code.isSuccess else { throw error(of: code) }
                    return try taking(signature) { pointer throws(SecureStorageError) in
                        try Self.raw(try encoded(pointer))
                    }
                }
            }
        }

        /// Returns `r` and `s` of an ECDSA signature (`TPMT_SIGNATURE`), 32 bytes each.
        static func raw(_ signature: [UInt8]) throws(SecureStorageError) -> [UInt8] {
            do throws(EncodingError) {
                var reader = try ByteReader(signature, limit: Limits.publicArea)
                guard try reader.bigEndian(UInt16.self) == Algorithm.ecdsa,
                    try reader.bigEndian(UInt16.self) == Algorithm.sha256
                else { throw .unsupported }
                let (r, s) = (try reader.sized(limit: 32), try reader.sized(limit: 32))
                try reader.finish()
                return PublicArea.padded(r) + PublicArea.padded(s)
            } catch { throw .tpm(.malformedAnswer) }
        }

        fileprivate func certify(
            _ file: KeyFile, challenge: [UInt8]
        ) throws(SecureStorageError) -> KeyAttestation {
            // Three objects at once: the attesting key, the storage root key and the key. Every chip has room for three.
            try withPrimary(PublicArea.attesting) { (attesting, attestingArea) throws(SecureStorageError) in
                try withKey(file) { (key, _, root) throws(SecureStorageError) in
                    try withSession(.policy, saltedTo: root) { session throws(SecureStorageError) in
                        try check(
                            tss.pointee.Esys_PolicyCommandCode(
                                context, session, .none, .none, .none, Policy.certifiedCommand))
                        let challenge = simple(TPM2B_DATA.self, challenge)
                        var statement: UnsafeMutablePointer<TPM2B_ATTEST>?
                        var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
                        try check(
                            tss.pointee.Esys_Certify(
                                context, key, attesting, session, .password, .none, challenge,
                                try scheme(), &statement, &signature))
                        defer { free(signature) }
                        let bytes = try taking(statement) { pointer throws(SecureStorageError) in
                            try pointer.sizedBytes(limit: 1024)
                        }
                        guard let signature else { throw .tpm(.malformedAnswer) }
                        return .tpm(
                            statement: bytes, signature: try encoded(UnsafePointer(signature)),
                            attestingKey: [UInt8](attestingArea.dropFirst(2)),
                            key: [UInt8](file.publicArea.dropFirst(2)))
                    }
                }
            }
        }
    }
#endif
