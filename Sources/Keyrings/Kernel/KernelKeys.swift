internal import CKeyrings

/// The kernel's error number.
struct KernelError: Error, Equatable {
    let code: Int32

    // The numbers of Linux, which has them on all its architectures except Alpha, MIPS, PA-RISC and SPARC.
    static let notPermitted = KernelError(code: 1)
    static let noEntry = KernelError(code: 2)
    static let outOfMemory = KernelError(code: 12)
    static let accessDenied = KernelError(code: 13)
    static let noSystemCall = KernelError(code: 38)
    static let quotaExceeded = KernelError(code: 122)
    static let noKey = KernelError(code: 126)
    static let keyExpired = KernelError(code: 127)
    static let keyRevoked = KernelError(code: 128)

    /// Whether the key does not exist, or no longer does.
    var isAbsence: Bool { [.noEntry, .noKey, .keyExpired, .keyRevoked].contains(self) }
}

/// The system calls on keys: a port, since a test cannot bring every kernel into every state.
protocol KernelKeys: Sendable {
    /// Adds a key to a keyring, or replaces the payload of the key with this description.
    func add(
        _ type: KeyType, _ description: String, payload: UnsafeRawBufferPointer, to keyring: Int32
    ) throws(KernelError) -> Int32
    func search(_ keyring: Int32, _ type: KeyType, _ description: String) throws(KernelError) -> Int32
    /// Reads a payload. - Returns: its size, which may be larger than the buffer.
    func read(_ key: Int32, into memory: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int
    /// Returns the kernel's text about a key: type, user, group, permissions and description, with semicolons.
    func describe(_ key: Int32) throws(KernelError) -> String
    func unlink(_ key: Int32, from keyring: Int32) throws(KernelError)
    func setPermissions(_ permissions: UInt32, of key: Int32) throws(KernelError)
    /// Sets the time after which the kernel forgets a key; 0 for never.
    func setTimeout(_ seconds: UInt32, of key: Int32) throws(KernelError)
}

/// The types of keys. Only `user` is used: bytes that processes read back.
enum KeyType: String {
    case user
}

/// The system calls themselves.
struct SystemKeys: KernelKeys {
    private static func check(_ result: Int64) throws(KernelError) -> Int64 {
        guard result >= 0 else { throw KernelError(code: Int32(truncatingIfNeeded: -result)) }
        return result
    }

    func add(
        _ type: KeyType, _ description: String, payload: UnsafeRawBufferPointer, to keyring: Int32
    ) throws(KernelError) -> Int32 {
        Int32(
            truncatingIfNeeded: try Self.check(
                ck_key_add(
                    type.rawValue, description, payload.isEmpty ? nil : payload.baseAddress, payload.count, keyring)))
    }

    func search(_ keyring: Int32, _ type: KeyType, _ description: String) throws(KernelError) -> Int32 {
        Int32(truncatingIfNeeded: try Self.check(ck_key_search(keyring, type.rawValue, description)))
    }

    func read(_ key: Int32, into memory: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int {
        Int(try Self.check(ck_key_read(key, memory.baseAddress, memory.count)))
    }

    func describe(_ key: Int32) throws(KernelError) -> String {
        var text = [CChar](repeating: 0, count: Limits.kernelDescription)
        let count = Int(try Self.check(ck_key_describe(key, &text, text.count)))
        // The count includes the zero at the end.
        let bytes = text.prefix(max(0, min(count, text.count) - 1)).map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func unlink(_ key: Int32, from keyring: Int32) throws(KernelError) {
        _ = try Self.check(ck_key_unlink(key, keyring))
    }

    func setPermissions(_ permissions: UInt32, of key: Int32) throws(KernelError) {
        _ = try Self.check(ck_key_set_permissions(key, permissions))
    }

    func setTimeout(_ seconds: UInt32, of key: Int32) throws(KernelError) {
        _ = try Self.check(ck_key_set_timeout(key, seconds))
    }
}
