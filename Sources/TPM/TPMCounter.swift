#if canImport(Glibc)
    internal import CTPM
    internal import Crypto
    internal import Encoding
    public import SecureStorage

    /// A rollback guard in the memory of a TPM: a counter for each vault, which nothing can set back.
    ///
    /// A counter begins at a value that no counter of this TPM had before, also after its deletion and after the TPM was
    /// cleared. So a vault's generations follow the counter and not the other way round: ``firstGeneration(of:)`` makes
    /// the counter when the vault is created, and each write moves both by one. A vault whose counter is missing is
    /// never taken for a new one.
    ///
    /// - Important: Every program that may use the TPM can move the counter forward or delete it, unless the owner's
    ///   authorization is set. The vault is refused then; its contents are not revealed. Keep a backup that is opened with
    ///   `Freshness.unchecked`.
    public struct TPMCounter: RollbackGuard {
        private let device: TPMDevice

        /// Creates a guard that keeps its counters in the TPM.
        public init(in device: TPMDevice) { self.device = device }

        /// Returns the value of the vault's counter.
        ///
        /// - Throws: `BackendFault.bindingChanged(_:)` if the TPM does not have the counter: it was cleared or
        ///   replaced, or the counter was deleted.
        public func lastSeen(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
            try onIndex(of: vault) { (connection, index) throws(SecureStorageError) in
                try connection.value(of: index)
            }
        }

        /// Moves the vault's counter to a generation, step by step.
        ///
        /// - Throws: `SecureStorageError.rolledBack(found:expected:)` if the counter is beyond it;
        ///   `BackendFault.malformedAnswer` if it is more than 1,024 steps away.
        public func record(_ generation: UInt64, of vault: VaultID) throws(SecureStorageError) {
            try onIndex(of: vault) { (connection, index) throws(SecureStorageError) in
                let value = try connection.value(of: index)
                guard value <= generation else { throw .rolledBack(found: generation, expected: value) }
                guard generation - value <= Limits.counterSteps else { throw .tpm(.malformedAnswer) }
                for _ in value..<generation { try connection.increment(index) }
                guard try connection.value(of: index) == generation else { throw .tpm(.malformedAnswer) }
            }
        }

        /// Makes the counter of a new vault, and returns the vault's first generation: one more than the counter's value.
        public func firstGeneration(of vault: VaultID) throws(SecureStorageError) -> UInt64? {
            try define(for: vault) + 1
        }

        /// Makes the counter of a new vault.
        ///
        /// - Returns: its first value. The vault's first generation is one more.
        /// - Throws: `SecureStorageError.alreadyExists` if the vault has one;
        ///   `BackendFault.full` if the TPM has no room.
        public func define(for vault: VaultID) throws(SecureStorageError) -> UInt64 {
            try device.calls.runBlocking { [device] () throws(SecureStorageError) in
                let connection = try device.connect()
                guard try connection.index(of: vault) == nil else { throw .alreadyExists }
                for place in CounterIndex.places(for: vault) {
                    guard let handle = try connection.define(CounterIndex(of: vault, at: place)) else { continue }
                    defer { connection.close(handle) }
                    // A new counter has no value until its first step, which takes it beyond every earlier counter's.
                    try connection.increment(handle)
                    return try connection.value(of: handle)
                }
                throw .tpm(.full)
            }
        }

        /// Deletes the counter of a deleted vault. - Returns: whether there was one.
        @discardableResult
        public func remove(for vault: VaultID) throws(SecureStorageError) -> Bool {
            try device.calls.runBlocking { [device] () throws(SecureStorageError) in
                let connection = try device.connect()
                guard let index = try connection.index(of: vault) else { return false }
                try connection.undefine(index)
                return true
            }
        }

        /// The TPM counts: a vault that was made with this guard opens for writing only with it.
        public var anchor: StoreBackend? { .tpm }

        /// Deletes the counter of a deleted vault. A missing counter is not an error.
        public func forget(_ vault: VaultID) throws(SecureStorageError) { _ = try remove(for: vault) }

        private func onIndex<Value: Sendable>(
            of vault: VaultID,
            _ body: @escaping @Sendable (Connection, _ index: Handle) throws(SecureStorageError) -> Value
        ) throws(SecureStorageError) -> Value {
            try device.calls.runBlocking { [device] () throws(SecureStorageError) in
                let connection = try device.connect()
                guard let index = try connection.index(of: vault) else { throw .tpm(.bindingChanged(.device)) }
                defer { connection.close(index) }
                return try body(connection, index)
            }
        }
    }

    /// The public area of a counter in the TPM (`TPM2B_NV_PUBLIC`).
    struct CounterIndex: Equatable {
        private enum Attribute {
            /// Reading and counting need the authorization of the index, which is empty.
            static let authWrite: UInt32 = 1 << 2
            static let authRead: UInt32 = 1 << 18
            /// `TPM_NT_COUNTER`, in bits 4 to 7.
            static let counter: UInt32 = 1 << 4
            /// An empty authorization cannot be guessed wrong; and a lockout by wrong PINs must not lock the counter.
            static let noDA: UInt32 = 1 << 25
            /// Set by the TPM at the first step.
            static let written: UInt32 = 1 << 29
        }
        /// The first handle of those that the TCG leaves to the owner, and their number ("Registry of Reserved TPM 2.0 Handles
        /// and Localities").
        private static let firstPlace: UInt32 = 0x0180_0000
        private static let placeCount: UInt32 = 0x0040_0000

        /// The handle: `TPM_HT_NV_INDEX`.
        let place: UInt32
        /// A digest of the vault's identity, in place of a policy's: no attribute permits anything by a policy, and no
        /// session could have this digest. It tells the counters of vaults apart whose places collide.
        let label: [UInt8]

        init(of vault: VaultID, at place: UInt32) {
            self.place = place
            label = Self.label(of: vault)
        }

        private static func label(of vault: VaultID) -> [UInt8] {
            [UInt8](SHA256.hash(data: [UInt8]("fueki tpm counter v1".utf8) + vault.bytes))
        }

        /// Returns the places that the vault's counter can have, the preferred one first.
        static func places(for vault: VaultID) -> [UInt32] {
            let start = label(of: vault).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % placeCount
            return (0..<Limits.counterProbes).map { firstPlace + (start + $0) % placeCount }
        }

        func encoded(isWritten: Bool) -> [UInt8] {
            var writer = ByteWriter(reserving: 64)
            writer.bigEndian(place)
            writer.bigEndian(Algorithm.sha256)
            let attributes = Attribute.authWrite | Attribute.authRead | Attribute.counter | Attribute.noDA
            writer.bigEndian(attributes | (isWritten ? Attribute.written : 0))
            writer.sized(label)
            // The size of a counter.
            writer.bigEndian(UInt16(8))
            var sized = ByteWriter(reserving: 64)
            sized.sized(writer.bytes)
            return sized.bytes
        }
    }

    extension Connection {
        /// Finds the counter of a vault.
        fileprivate func index(of vault: VaultID) throws(SecureStorageError) -> Handle? {
            for place in CounterIndex.places(for: vault) {
                var handle = Handle.none
                let code = ResponseCode(
                    rawValue: tss.pointee.Esys_TR_FromTPMPublic(context, place, .none, .none, .none, &handle))
                if code.isUnknownHandle { continue }
                guard code.isSuccess else { throw .tpm(code.fault) }
                let area: [UInt8]
                do throws(SecureStorageError) { area = try publicArea(of: handle) } catch {
                    close(handle)
                    throw error
                }
                let expected = CounterIndex(of: vault, at: place)
                // Whatever else has the place is not looked at: an index with this label and other attributes was not made
                // by this target, and could be set back.
                if area == expected.encoded(isWritten: true) { return handle }
                // A crash between the definition and the first step: the vault was never written.
                if area == expected.encoded(isWritten: false) { try undefine(handle) } else { close(handle) }
            }
            return nil
        }

        private func publicArea(of index: Handle) throws(SecureStorageError) -> [UInt8] {
            var area: UnsafeMutablePointer<TPM2B_NV_PUBLIC>?
            var name: UnsafeMutablePointer<TPM2B_NAME>?
            try check(tss.pointee.Esys_NV_ReadPublic(context, index, .none, .none, .none, &area, &name))
            defer { free(name) }
            return try taking(area) { pointer throws(SecureStorageError) in
                try pointer.encoded(limit: Limits.publicArea, writing: tss.pointee.Tss2_MU_TPM2B_NV_PUBLIC_Marshal)
            }
        }

        /// Makes an index; nil if its place is taken.
        fileprivate func define(_ index: CounterIndex) throws(SecureStorageError) -> Handle? {
            let area = try read(index.encoded(isWritten: false), tss.pointee.Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal)
            let noAuthorization = empty(TPM2B_AUTH.self)
            var handle = Handle.none
            let code = ResponseCode(
                rawValue: tss.pointee.Esys_NV_DefineSpace(
                    context, .owner, .password, .none, .none, noAuthorization, area, &handle))
            if code.isDefined { return nil }
            guard code.isSuccess else { throw .tpm(code.fault) }
            return handle
        }

        fileprivate func undefine(_ index: Handle) throws(SecureStorageError) {
            do throws(SecureStorageError) {
                try check(tss.pointee.Esys_NV_UndefineSpace(context, .owner, index, .password, .none, .none))
            } catch {
                close(index)
                throw error
            }
        }

        fileprivate func increment(_ index: Handle) throws(SecureStorageError) {
            try check(tss.pointee.Esys_NV_Increment(context, index, index, .password, .none, .none))
        }

        fileprivate func value(of index: Handle) throws(SecureStorageError) -> UInt64 {
            var data: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
            try check(tss.pointee.Esys_NV_Read(context, index, index, .password, .none, .none, 8, 0, &data))
            return try taking(data) { pointer throws(SecureStorageError) in
                let bytes = try pointer.sizedBytes(limit: 8)
                guard bytes.count == 8 else { throw .tpm(.malformedAnswer) }
                return bytes.reduce(0) { $0 << 8 | UInt64($1) }
            }
        }

        /// Forgets a handle of this program's; the index stays in the TPM.
        fileprivate func close(_ index: Handle) {
            var index = index
            _ = tss.pointee.Esys_TR_Close(context, &index)
        }
    }
#endif
