// Makes the calls of `SystemKeychain` and compares the dictionaries that reach the keychain. It is compiled and run by
// SystemKeychainTests, in one module with a part of AppleStores.
internal import Foundation
internal import LocalAuthentication
internal import Secrets
internal import SecureStorage
internal import Security

nonisolated(unsafe) var failures = 0

func expect(_ condition: Bool, _ what: String, line: Int = #line) {
    guard !condition else { return }
    failures += 1
    print("line \(line): \(what)")
}

func status(_ call: () throws(KeychainStatus) -> Void) -> KeychainStatus? {
    do {
        try call()
        return nil
    } catch { return error }
}

func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { [UInt8]($0) } }

func addition(_ account: String, _ protection: KeychainProtection, group: String? = nil) -> KeychainAddition {
    KeychainAddition(
        service: "app:wallet", account: account, accessGroup: group, header: [1, 2, 3], protection: protection)
}

let keychain = SystemKeychain()
let value = SecretBytes(count: 40) { for index in $0.indices { $0[index] = UInt8(index) } }

// The five levels, alone.
let levels: [(Accessibility, String)] = [
    (.whenPasscodeSetThisDeviceOnly, "akpu"), (.whenUnlockedThisDeviceOnly, "aku"), (.whenUnlocked, "ak"),
    (.afterFirstUnlockThisDeviceOnly, "cku"), (.afterFirstUnlock, "ck"),
]
for (level, attribute) in levels {
    expect(
        status { () throws(KeychainStatus) in try keychain.add(addition("\(level)", .accessible(level)), value: value) }
            == nil, "\(level) is added")
    let sent = FakeKeychain.additions.last ?? [:]
    expect(sent[kSecAttrAccessible] as? String == attribute, "\(level)")
    expect(sent[kSecAttrAccessControl] == nil, "one of accessibility and access control")
    expect(sent[kSecAttrGeneric] as? Data == Data([1, 2, 3]), "the header")
    expect(sent[kSecAttrAccessGroup] == nil, "no group")
}
expect(
    status { () throws(KeychainStatus) in
        try keychain.add(addition("whenUnlocked", .accessible(.whenUnlocked)), value: value)
    } == .duplicateItem,
    "a duplicate")

// Access control, with the accessibility inside.
let policies: [(AccessControlPolicy, UInt)] = [
    (.userPresence, 1), (.biometryAny, 2), (.biometryCurrentSet, 8), (.devicePasscode, 16),
    (.custom([.biometryAny, .devicePasscode, .or]), 2 | 16 | 1 << 14),
]
for (policy, flags) in policies {
    let item = addition("\(flags)", .accessControl(.whenUnlockedThisDeviceOnly, policy), group: "group.second")
    expect(status { () throws(KeychainStatus) in try keychain.add(item, value: value) } == nil, "\(policy) is added")
    let sent = FakeKeychain.additions.last ?? [:]
    let control = sent[kSecAttrAccessControl] as? SecAccessControl
    expect(control?.flags.rawValue == flags && control?.protection == "aku", "\(policy)")
    expect(sent[kSecAttrAccessible] == nil, "one of accessibility and access control")
    expect(sent[kSecAttrAccessGroup] as? String == "group.second", "the group")
}
expect(
    status { () throws(KeychainStatus) in
        try keychain.add(
            addition("x", .accessControl(.whenUnlocked, .custom(AccessControlFlags(rawValue: 1 << 20)))), value: value)
    } == .param, "an access control that the system refuses")

// Listing: all items, no value, no prompt.
let all = (try? keychain.list(KeychainQuery(service: nil, accessGroup: nil))) ?? []
expect(all.count == 10, "ten items")
let second = (try? keychain.list(KeychainQuery(service: "app:wallet", accessGroup: "group.second"))) ?? []
expect(second.count == 5, "five items of one group")
expect(
    second.allSatisfy { $0.accessibility == .whenUnlockedThisDeviceOnly && $0.header == [1, 2, 3] }, "the attributes")
for (level, _) in levels {
    expect(all.contains { $0.key.account == "\(level)" && $0.accessibility == level }, "\(level) is read")
}
expect(
    status { () throws(KeychainStatus) in _ = try keychain.list(KeychainQuery(service: "other", accessGroup: nil)) }
        == .itemNotFound,
    "an empty listing")
expect(FakeKeychain.prompts.allSatisfy { !$0.isAllowed }, "a listing shows no prompt")
expect(FakeKeychain.queries.allSatisfy { $0[kSecReturnData] == nil }, "a listing decrypts nothing")

// Values: one item of one group, with a prompt only if it is allowed. The system's bytes are wiped.
let open = KeychainKey(service: "app:wallet", account: "whenUnlocked", accessGroup: "group.first")
do {
    let read = try keychain.value(of: open, prompt: .refused)
    expect(bytes(read) == bytes(value), "the value")
    expect([UInt8](FakeKeychain.returned) == [UInt8](repeating: 0, count: 40), "the system's bytes are wiped")
} catch { expect(false, "the value is read: \(error)") }
let guarded = KeychainKey(service: "app:wallet", account: "8", accessGroup: "group.second")
expect(
    status { () throws(KeychainStatus) in _ = bytes(try keychain.value(of: guarded, prompt: .refused)) }
        == .interactionNotAllowed,
    "no prompt")
expect(FakeKeychain.prompts.last?.isAllowed == false, "the prompt is refused")
expect(
    status { () throws(KeychainStatus) in _ = bytes(try keychain.value(of: guarded, prompt: .allowed(reason: "why"))) }
        == nil,
    "a prompt")
expect(FakeKeychain.prompts.last.map { $0.isAllowed && $0.reason == "why" } ?? false, "the prompt's reason")

// Deleting: one item of one group.
expect(status { () throws(KeychainStatus) in try keychain.delete(open) } == nil, "an item is deleted")
expect(status { () throws(KeychainStatus) in try keychain.delete(open) } == .itemNotFound, "it is gone")
expect(FakeKeychain.items.count == 9, "no other item is deleted")
expect(FakeKeychain.queries.last?[kSecAttrAccessGroup] as? String == "group.first", "a deletion names the group")
expect(FakeKeychain.queries.last?[kSecAttrAccount] as? String == "whenUnlocked", "a deletion names the account")

// Every call.
for sent in FakeKeychain.additions + FakeKeychain.queries {
    expect(sent[kSecClass] as? String == "genp", "the class")
    expect(sent[kSecAttrSynchronizable] as? Bool == false, "not synchronised")
    expect(sent[kSecUseDataProtectionKeychain] as? Bool == true, "the data-protection keychain")
}
for query in FakeKeychain.queries { expect(query[kSecAttrAccessible] == nil, "no query matches on the accessibility") }

print(failures == 0 ? "all as expected" : "\(failures) failures")
exit(failures == 0 ? 0 : 1)
