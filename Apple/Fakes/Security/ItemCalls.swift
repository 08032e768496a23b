import LocalAuthentication

/// A keychain in memory behind Apple's calls, in place of the stubs without code. It reads the dictionaries as Apple
/// documents them, and records them.
public enum FakeKeychain {
    public nonisolated(unsafe) static var items: [[String: Any]] = []
    public nonisolated(unsafe) static var additions: [CFDictionary] = []
    public nonisolated(unsafe) static var queries: [CFDictionary] = []
    /// The contexts of the queries, as they were when the call was made.
    public nonisolated(unsafe) static var prompts: [(isAllowed: Bool, reason: String)] = []
    /// The bytes that the last query for a value returned. The memory is kept, so that its wiping is seen.
    public nonisolated(unsafe) static var returned = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    static let key = [kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup]

    static func matches(_ item: [String: Any], _ query: CFDictionary) -> Bool {
        key.allSatisfy { name in query[name].map { $0 as? String == item[name] as? String } ?? true }
    }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    FakeKeychain.additions.append(attributes.filter { $0.key != kSecValueData })
    var item = attributes
    item[kSecAttrAccessGroup] = item[kSecAttrAccessGroup] ?? "group.first"
    guard let value = attributes[kSecValueData] as? Data,
        item[kSecAttrAccessible] == nil || item[kSecAttrAccessControl] == nil
    else { return -50 }
    guard !FakeKeychain.items.contains(where: { FakeKeychain.matches($0, item) }) else { return -25299 }
    // A copy, as the real call makes one: the caller's memory is not used any more when it returns.
    item[kSecValueData] = Data([UInt8](value))
    FakeKeychain.items.append(item)
    return 0
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    FakeKeychain.queries.append(query)
    let context = query[kSecUseAuthenticationContext] as? LAContext
    FakeKeychain.prompts.append((!(context?.interactionNotAllowed ?? false), context?.localizedReason ?? ""))
    let found = FakeKeychain.items.filter { FakeKeychain.matches($0, query) }
    guard let first = found.first else { return -25300 }
    if query[kSecReturnData] as? Bool == true {
        guard query[kSecMatchLimit] as? String == kSecMatchLimitOne, let value = first[kSecValueData] as? Data else {
            return -50
        }
        guard first[kSecAttrAccessControl] == nil || context?.interactionNotAllowed == false else { return -25308 }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: value.count, alignment: 1)
        bytes.copyBytes(from: value)
        FakeKeychain.returned = bytes
        guard let base = bytes.baseAddress else { return -50 }
        result?.pointee = NSData(bytesNoCopy: base, length: bytes.count, freeWhenDone: false)
        return 0
    }
    guard query[kSecReturnAttributes] as? Bool == true, query[kSecMatchLimit] as? String == kSecMatchLimitAll else {
        return -50
    }
    result?.pointee =
        found.map { item in
            var item = item.filter { $0.key != kSecValueData }
            if let control = item[kSecAttrAccessControl] as? SecAccessControl {
                item[kSecAttrAccessible] = control.protection
            }
            return item
        } as AnyObject
    return 0
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    FakeKeychain.queries.append(query)
    let before = FakeKeychain.items.count
    FakeKeychain.items.removeAll { FakeKeychain.matches($0, query) }
    return FakeKeychain.items.count < before ? 0 : -25300
}
