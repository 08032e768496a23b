internal import CKeyrings
internal import Secrets
internal import SecureStorage

/// The steps of operations on the user's keyring in the kernel.
struct KeyringSteps: Sendable {
    let keys: any KernelKeys
    /// The time-out in seconds; 0 for none.
    let lifetime: UInt32
    let description: KeyDescription

    private static let keyring = Int32(ck_user_keyring)

    /// Writes an item, and checks that it can be read back.
    func save(_ payload: borrowing SecretBytes, as name: ItemName) throws(SecureStorageError) {
        // Only an item of this format is replaced.
        _ = try open(name)
        if try put(payload, as: name) { return }
        // A key that had expired may remain expired with its new payload.
        try remove(name)
        guard try put(payload, as: name) else { throw Self.fault(.malformedAnswer) }
    }

    /// Writes a key with permissions and time-out. - Returns: whether it can be read back.
    private func put(_ payload: borrowing SecretBytes, as name: ItemName) throws(SecureStorageError) -> Bool {
        try payload.withUnsafeBytes { payload throws(SecureStorageError) in
            do throws(KernelError) {
                let key = try keys.add(.user, description.text(of: name), payload: payload, to: Self.keyring)
                try keys.setPermissions(KernelKeyring.permissions, of: key)
                try keys.setTimeout(lifetime, of: key)
            } catch {
                if error.isAbsence { return false }
                throw Self.failure(error)
            }
            guard let stored = try read(name) else { return false }
            return stored.withUnsafeBytes { constantTimeEquals($0, payload) }
        }
    }

    /// Opens an item; nil if it is missing.
    func open(_ name: ItemName) throws(SecureStorageError) -> ItemEnvelope? {
        guard let payload = try read(name) else { return nil }
        return try payload.withUnsafeBytes { payload throws(SecureStorageError) in
            do throws(SecureStorageError) {
                return try ItemEnvelope(decoding: payload, as: name, upTo: Limits.kernelItemSize)
            } catch { throw error.ofItem(in: .kernelKeyring) }
        }
    }

    /// Removes a key. - Returns: whether there was one.
    @discardableResult
    func remove(_ name: ItemName) throws(SecureStorageError) -> Bool {
        do throws(KernelError) {
            try keys.unlink(
                try keys.search(Self.keyring, .user, description.text(of: name)), from: Self.keyring)
            return true
        } catch {
            if error.isAbsence { return false }
            throw Self.failure(error)
        }
    }

    func names(in service: String?) throws(SecureStorageError) -> [ItemName] {
        var names: [ItemName] = []
        for key in try members() {
            let text: String
            do throws(KernelError) { text = try keys.describe(key) } catch {
                // Forgotten meanwhile, or another program's key that this process may not see.
                if error.isAbsence || error == .accessDenied { continue }
                throw Self.failure(error)
            }
            // "user", user, group, permissions, description.
            let fields = text.split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false)
            guard fields.count == 5, fields[0] == KeyType.user.rawValue, let name = description.name(in: fields[4])
            else { continue }
            if service == nil || name.service == service { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the numbers of the keys of the user's keyring.
    private func members() throws(SecureStorageError) -> [Int32] {
        let numbers = UnsafeMutableBufferPointer<Int32>.allocate(capacity: Limits.kernelKeyCount)
        defer { numbers.deallocate() }
        numbers.initialize(repeating: 0)
        let memory = UnsafeMutableRawBufferPointer(numbers)
        var count = 0
        do throws(KernelError) { count = try keys.read(Self.keyring, into: memory) } catch {
            throw Self.failure(error)
        }
        guard count.isMultiple(of: MemoryLayout<Int32>.size) else { throw Self.fault(.malformedAnswer) }
        guard count <= memory.count else { throw .outsideLimits(.itemCount) }
        return Array(numbers.prefix(count / MemoryLayout<Int32>.size))
    }

    /// Reads a payload; nil if the key is missing.
    private func read(_ name: ItemName) throws(SecureStorageError) -> SecretBytes? {
        var count = 0
        do throws(KernelError) {
            let key = try keys.search(Self.keyring, .user, description.text(of: name))
            let memory = try SecretBytes(count: Limits.kernelPayload) { memory throws(KernelError) in
                count = try keys.read(key, into: memory)
            }
            if count <= memory.count { return memory.prefix(count) }
        } catch {
            if error.isAbsence { return nil }
            throw Self.failure(error)
        }
        throw Self.fault(.malformedAnswer)
    }

    // MARK: Errors

    private static func failure(_ error: KernelError) -> SecureStorageError {
        switch error {
        case .quotaExceeded, .outOfMemory: fault(.full)
        // A container's filter of system calls answers EPERM or ENOSYS.
        case .accessDenied, .notPermitted: fault(.unavailable(.noPermission))
        case .noSystemCall: fault(.unavailable(.noService))
        default: fault(.refused(code: Int(error.code)))
        }
    }

    private static func fault(_ fault: BackendFault) -> SecureStorageError { .backend(.kernelKeyring, fault) }
}
