#if canImport(Glibc)
    internal import CTPM
    internal import SecureStorage
    internal import Secrets

    /// A handle of tpm2-tss for an object, a session or an index of one connection.
    typealias Handle = UInt32

    /// A connection to the TPM for one operation. It is closed with this value.
    ///
    /// An operation opens a connection of its own, because a device without a resource manager has one user at a time, and
    /// the kernel's resource manager drops what a connection left in the chip when it is closed. In addition, every
    /// function here that makes an object or a session takes it out of the chip again, in each case: a chip has three
    /// places for objects.
    final class Connection {
        let tss: UnsafePointer<ctpm_functions>
        private(set) var context: OpaquePointer?
        private var transport: OpaquePointer?
        /// What the library works on. It is wiped with this value.
        private var structures: [AnyObject] = []

        /// Connects.
        ///
        /// - Throws: ``BackendFault/unavailable(_:)``.
        init(to address: TPMAddress, with tss: TSS) throws(SecureStorageError) {
            self.tss = tss.functions
            var transport: OpaquePointer?
            var code = ResponseCode(rawValue: self.tss.pointee.Tss2_TctiLdr_Initialize(address.description, &transport))
            guard code.isSuccess, transport != nil else { throw .tpm(.unavailable(.noDevice)) }
            var context: OpaquePointer?
            code = ResponseCode(rawValue: self.tss.pointee.Esys_Initialize(&context, transport, nil))
            guard code.isSuccess, context != nil else {
                self.tss.pointee.Tss2_TctiLdr_Finalize(&transport)
                throw .tpm(code.fault)
            }
            self.transport = transport
            self.context = context
        }

        deinit {
            tss.pointee.Esys_Finalize(&context)
            tss.pointee.Tss2_TctiLdr_Finalize(&transport)
        }

        func keep<Value>(_ structure: Structure<Value>) -> Structure<Value> {
            structures.append(structure)
            return structure
        }

        /// Makes a call for which no number has a special meaning.
        func check(_ code: UInt32) throws(SecureStorageError) {
            let code = ResponseCode(rawValue: code)
            guard code.isSuccess else { throw .tpm(code.fault) }
        }

        /// Takes an object or a session out of the chip. It may be gone, or the connection lost: nothing can be done then.
        func flush(_ handle: Handle) {
            if tss.pointee.Esys_FlushContext(context, handle) != 0 {
                var handle = handle
                _ = tss.pointee.Esys_TR_Close(context, &handle)
            }
        }

        /// Wipes and frees a structure that the library allocated.
        func free<Value>(_ pointer: UnsafeMutablePointer<Value>?) {
            guard let pointer else { return }
            wipe(UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<Value>.size))
            tss.pointee.Esys_Free(pointer)
        }

        /// Takes over a structure that the library allocated.
        func taking<Value, Result: ~Copyable>(
            _ pointer: UnsafeMutablePointer<Value>?, _ body: (UnsafePointer<Value>) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            defer { free(pointer) }
            guard let pointer else { throw .tpm(.malformedAnswer) }
            return try body(UnsafePointer(pointer))
        }

        // MARK: Authorizations

        /// Calls `body` while an object has the authorization, which is overwritten in the library's memory afterwards.
        func withAuthorization<Result: ~Copyable>(
            _ authorization: borrowing SecretBytes, of object: Handle,
            _ body: () throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            let value = simple(TPM2B_AUTH.self, authorization)
            try check(tss.pointee.Esys_TR_SetAuth(context, object, value))
            defer {
                // A full-length value overwrites all bytes of the earlier one.
                let zeros = simple(TPM2B_AUTH.self, [UInt8](repeating: 0, count: 64))
                _ = tss.pointee.Esys_TR_SetAuth(context, object, zeros)
            }
            return try body()
        }

        // MARK: Sessions

        /// The parameters of a command that its session encrypts on the way, where the command has one that can be.
        struct Encryption: OptionSet {
            let rawValue: UInt8
            /// The first parameter of the command: the TPM decrypts it.
            static let command = Encryption(rawValue: 1 << 5)
            /// The first parameter of the answer.
            static let answer = Encryption(rawValue: 1 << 6)
        }

        enum SessionKind: UInt8 {
            case hmac = 0
            case policy = 1
            /// Computes the digest of a policy, and permits nothing.
            case trial = 3
        }

        /// Calls `body` with a session whose secret only the TPM learns: it is encrypted to the storage root key. The
        /// parameters are encrypted by AES-128 in CFB mode, and every command and answer carries an HMAC.
        func withSession<Result: ~Copyable>(
            _ kind: SessionKind, saltedTo root: Handle, _ body: (Handle) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            let symmetric = try read([0, 6, 0, 128, 0, 0x43], tss.pointee.Tss2_MU_TPMT_SYM_DEF_Unmarshal)
            var session = Handle.none
            try check(
                tss.pointee.Esys_StartAuthSession(
                    context, root, .none, .none, .none, .none, nil, kind.rawValue, symmetric, Algorithm.sha256,
                    &session))
            defer { flush(session) }
            return try body(session)
        }

        /// Sets what a session encrypts at the next command. The session stays after it.
        func set(_ encryption: Encryption, of session: Handle) throws(SecureStorageError) {
            let all: UInt8 = 0xff
            let continues: UInt8 = 1
            try check(tss.pointee.Esys_TRSess_SetAttributes(context, session, encryption.rawValue | continues, all))
        }

        // MARK: Keys

        /// Calls `body` with the storage root key and its name.
        ///
        /// - Parameter expected: the name that the key had before; nil if it is not known yet.
        /// - Throws: ``BackendFault/bindingChanged(_:)`` with another name: the TPM is another one, or was cleared.
        func withStorageRoot<Result: ~Copyable>(
            named expected: [UInt8]?, _ body: (Handle, _ name: [UInt8]) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            try withPrimary(PublicArea.storageRoot) { (root, publicArea) throws(SecureStorageError) in
                let name = try self.name(of: root)
                // The salt of every session is encrypted to this key: a device on the bus that puts its own key in the
                // place of the TPM's is noticed here, except when the name is recorded for the first time.
                guard expected == nil || expected == name else { throw .tpm(.bindingChanged(.device)) }
                return try body(root, name)
            }
        }

        /// Calls `body` with a primary key of the owner's and its public area.
        func withPrimary<Result: ~Copyable>(
            _ template: [UInt8], _ body: (Handle, _ publicArea: [UInt8]) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            let template = try read(template, tss.pointee.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
            let nothing = empty(TPM2B_SENSITIVE_CREATE.self)
            let outside = empty(TPM2B_DATA.self)
            let noRegisters = empty(TPML_PCR_SELECTION.self)
            var key = Handle.none
            var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
            try check(
                tss.pointee.Esys_CreatePrimary(
                    context, .owner, .password, .none, .none, nothing, template, outside,
                    noRegisters, &key, &publicArea, nil, nil, nil))
            defer { flush(key) }
            let bytes = try taking(publicArea) { pointer throws(SecureStorageError) in try self.encoded(pointer) }
            return try body(key, bytes)
        }

        func encoded(_ area: UnsafePointer<TPM2B_PUBLIC>) throws(SecureStorageError) -> [UInt8] {
            try area.encoded(limit: Limits.publicArea, writing: tss.pointee.Tss2_MU_TPM2B_PUBLIC_Marshal)
        }

        func name(of object: Handle) throws(SecureStorageError) -> [UInt8] {
            var name: UnsafeMutablePointer<TPM2B_NAME>?
            try check(tss.pointee.Esys_TR_GetName(context, object, &name))
            return try taking(name) { pointer throws(SecureStorageError) in
                let bytes = try pointer.sizedBytes(limit: SealedObject.nameSize)
                guard bytes.count == SealedObject.nameSize else { throw .tpm(.malformedAnswer) }
                return bytes
            }
        }

        /// Makes an object under the storage root key.
        ///
        /// - Parameters:
        ///   - sensitive: the encoding of `TPM2B_SENSITIVE_CREATE`: its authorization and its data.
        ///   - session: a session of `withSession`, which encrypts `sensitive`.
        /// - Returns: its public area, and its private part.
        func create(
            _ template: [UInt8], sensitive: borrowing SecretBytes, under root: Handle, session: Handle
        ) throws(SecureStorageError) -> (publicArea: [UInt8], privatePart: [UInt8]) {
            let template = try read(template, tss.pointee.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
            let sensitive = try read(sensitive, tss.pointee.Tss2_MU_TPM2B_SENSITIVE_CREATE_Unmarshal)
            let outside = empty(TPM2B_DATA.self)
            let noRegisters = empty(TPML_PCR_SELECTION.self)
            try set([.command, .answer], of: session)
            var privatePart: UnsafeMutablePointer<TPM2B_PRIVATE>?
            var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
            try check(
                tss.pointee.Esys_Create(
                    context, root, session, .none, .none, sensitive, template, outside,
                    noRegisters, &privatePart, &publicArea, nil, nil, nil))
            defer { free(publicArea) }
            let bytes = try taking(privatePart) { pointer throws(SecureStorageError) in
                try pointer.sizedBytes(limit: Limits.privatePart)
            }
            guard let publicArea else { throw .tpm(.malformedAnswer) }
            return (try encoded(UnsafePointer(publicArea)), bytes)
        }

        /// Calls `body` with an object that was made under the storage root key.
        func withObject<Result: ~Copyable>(
            _ publicArea: [UInt8], _ privatePart: [UInt8], under root: Handle, session: Handle,
            _ body: (Handle) throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            let area = try read(publicArea, tss.pointee.Tss2_MU_TPM2B_PUBLIC_Unmarshal)
            let part = simple(TPM2B_PRIVATE.self, privatePart)
            try set([.command, .answer], of: session)
            var object = Handle.none
            try check(
                tss.pointee.Esys_Load(
                    context, root, session, .none, .none, part, area, &object))
            defer { flush(object) }
            return try body(object)
        }
    }

    extension Handle {
        static let none: Handle = 0xfff
        static let password: Handle = 0xff
        static let owner: Handle = 0x101
    }
#endif
