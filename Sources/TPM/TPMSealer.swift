#if canImport(Glibc)
    internal import CTPM
    internal import Encoding
    public import Secrets
    public import SecureStorage

    /// Seals a vault's secret in a TPM under an authorization whose wrong attempts the TPM counts, and, if wanted, under the
    /// state of the machine's firmware and boot.
    ///
    /// Only the TPM that sealed a secret opens it, and only until it is cleared. On the way between program and TPM the
    /// authorization and the secret are never in the clear.
    ///
    /// Sealing is refused on a TPM that does not protect PINs: with an empty lockout authorization
    /// (`BackendFault.Unavailability.lockoutAuthorizationEmpty`), or without a limit of wrong attempts
    /// (`BackendFault.unsupported`).
    public struct TPMSealer: DeviceSealer {
        /// The kind of the chip: a TPM.
        public var backend: StoreBackend { .tpm }
        private let device: TPMDevice
        private let registers: PCRSelection?

        /// Creates a sealer.
        ///
        /// - Parameter registers: the registers that new secrets are bound to; nil for none. Sealed secrets name their own.
        public init(with device: TPMDevice, boundTo registers: PCRSelection?) {
            self.device = device
            self.registers = registers
        }

        /// Seals a secret of 32 bytes under the storage root key, with the authorization and the registers as conditions.
        public func seal(
            _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
        ) throws(SecureStorageError) -> [UInt8] {
            guard secret.count == 32, authorization.count == 32 else { throw .outsideLimits(.itemSize) }
            let sensitive = OneShot(Sensitive.encode(authorization: authorization, data: secret))
            return try device.calls.runBlocking { [device, registers] () throws(SecureStorageError) in
                guard let sensitive = sensitive.take() else { throw .tpm(.timedOut) }
                let connection = try device.connect()
                if let fault = try connection.dictionaryAttackState().fault { throw .tpm(fault) }
                return try connection.withStorageRoot(named: nil) { (root, name) throws(SecureStorageError) in
                    let policy = try registers.map { registers throws(SecureStorageError) in
                        try connection.policyDigest(of: registers, saltedTo: root)
                    }
                    return try connection.withSession(.hmac, saltedTo: root) { session throws(SecureStorageError) in
                        let (area, part) = try connection.create(
                            PublicArea.sealed(policy: policy ?? [], unique: []), sensitive: sensitive, under: root,
                            session: session)
                        let sealed = SealedObject(
                            rootName: name, registers: registers, publicArea: area, privatePart: part)
                        // The TPM's answer has to be readable later.
                        guard (try? SealedObject(decoding: sealed.encoded)) == sealed,
                            (try? PublicArea.policy(ofSealed: area)) == policy ?? []
                        else { throw .tpm(.malformedAnswer) }
                        return sealed.encoded
                    }
                }
            }
        }

        /// Opens a sealed secret.
        public func open(
            _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
        ) throws(SecureStorageError) -> SecretBytes {
            guard authorization.count == 32 else { throw .outsideLimits(.itemSize) }
            guard let sealed = try? SealedObject(decoding: sealed) else { throw .damaged }
            let authorization = OneShot(authorization.clone())
            return try device.calls.runBlocking { [device] () throws(SecureStorageError) in
                guard let authorization = authorization.take() else { throw .tpm(.timedOut) }
                let connection = try device.connect()
                return try connection.usingCountedObject { () throws(SecureStorageError) in
                    try connection.withStorageRoot(named: sealed.rootName) { (root, _) throws(SecureStorageError) in
                        try connection.open(sealed, authorizedBy: authorization, root: root)
                    }
                }
            }
        }
    }

    extension Connection {
        /// Opens a sealed secret. After a change of a PCR it begins again with new sessions: a session whose policy was
        /// refused is no longer useful (systemd#24906, systemd#31882).
        fileprivate func open(
            _ sealed: SealedObject, authorizedBy authorization: borrowing SecretBytes, root: Handle
        ) throws(SecureStorageError) -> SecretBytes {
            var code = ResponseCode(rawValue: 0)
            for _ in 0..<Limits.policyAttempts {
                let secret = try withSession(.hmac, saltedTo: root) {
                    session throws(SecureStorageError) -> SecretBytes? in
                    try withObject(sealed.publicArea, sealed.privatePart, under: root, session: session) {
                        (object) throws(SecureStorageError) -> SecretBytes? in
                        try withAuthorization(authorization, of: object) {
                            () throws(SecureStorageError) -> SecretBytes? in
                            guard let registers = sealed.registers else {
                                return try unseal(object, session: session, code: &code)
                            }
                            return try withSession(.policy, saltedTo: root) {
                                (session) throws(SecureStorageError) -> SecretBytes? in
                                try satisfy(registers, in: session)
                                return try unseal(object, session: session, code: &code)
                            }
                        }
                    }
                }
                if let secret { return secret }
                guard code.isPCRChange else { break }
            }
            if code.isPolicyFailure { throw .tpm(.bindingChanged(.platformState)) }
            throw error(of: code)
        }

        /// Returns the secret; nil if the TPM refused, with its number in `code`.
        private func unseal(
            _ object: Handle, session: Handle, code: inout ResponseCode
        ) throws(SecureStorageError) -> SecretBytes? {
            try set(.answer, of: session)
            var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
            code = ResponseCode(rawValue: tss.pointee.Esys_Unseal(context, object, session, .none, .none, &data))
            guard code.isSuccess else { return nil }
            return try taking(data) { pointer throws(SecureStorageError) -> SecretBytes? in
                let memory = UnsafeRawBufferPointer(start: pointer, count: MemoryLayout<TPM2B_SENSITIVE_DATA>.size)
                guard memory.load(as: UInt16.self) == 32, memory.count >= 34 else { throw .tpm(.malformedAnswer) }
                return SecretBytes(count: 32) {
                    $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[2..<34]))
                }
            }
        }

        /// Fulfils the policy in a session: these registers as they are now, and the authorization.
        private func satisfy(_ registers: PCRSelection, in session: Handle) throws(SecureStorageError) {
            let selection = try read(registers.encoded, tss.pointee.Tss2_MU_TPML_PCR_SELECTION_Unmarshal)
            // An empty digest stands for the present values.
            let present = empty(TPM2B_DIGEST.self)
            try check(
                tss.pointee.Esys_PolicyPCR(
                    context, session, .none, .none, .none, present, selection))
            try check(tss.pointee.Esys_PolicyAuthValue(context, session, .none, .none, .none))
        }

        /// Returns the digest of the policy for the present values of the registers.
        fileprivate func policyDigest(
            of registers: PCRSelection, saltedTo root: Handle
        ) throws(SecureStorageError) -> [UInt8] {
            try withSession(.trial, saltedTo: root) { session throws(SecureStorageError) in
                try satisfy(registers, in: session)
                var digest: UnsafeMutablePointer<TPM2B_DIGEST>?
                try check(tss.pointee.Esys_PolicyGetDigest(context, session, .none, .none, .none, &digest))
                return try taking(digest) { pointer throws(SecureStorageError) in
                    let bytes = try pointer.sizedBytes(limit: 32)
                    guard bytes.count == 32 else { throw .tpm(.malformedAnswer) }
                    return bytes
                }
            }
        }
    }

    /// `TPM2B_SENSITIVE_CREATE`: the authorization and the data of a new object.
    enum Sensitive {
        static func encode(authorization: borrowing SecretBytes, data: borrowing SecretBytes) -> SecretBytes {
            let (first, second) = (authorization.count, data.count)
            return SecretBytes(count: 2 + 2 + first + 2 + second) { memory in
                func write(_ number: Int, at offset: Int) {
                    memory.storeBytes(of: UInt16(number).bigEndian, toByteOffset: offset, as: UInt16.self)
                }
                write(2 + first + 2 + second, at: 0)
                write(first, at: 2)
                authorization.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: memory[4..<(4 + first)]).copyMemory(from: $0)
                }
                write(second, at: 4 + first)
                data.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: memory[(6 + first)...]).copyMemory(from: $0)
                }
            }
        }
    }
#endif
