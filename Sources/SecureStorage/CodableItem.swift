internal import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The name, attributes and type of an item that is an app's own value, as JSON.
///
/// ```swift
/// let session = CodableItem<Session>(try ItemName(service: "app", account: "session"), attributes: .sensitive(.other))
/// try await store.save(value, as: session)
/// let value = try await store.load(session)
/// ```
///
/// - Warning: The value itself is not wiped, nor are the buffers that the JSON coder makes while it works. For a secret
///   that must leave no copy, save a `SecretBytes`.
public struct CodableItem<Value: Codable & Sendable>: Sendable {
    /// The name that the value is stored under.
    public let name: ItemName
    /// The attributes that the value is stored with.
    public let attributes: ItemAttributes

    /// Creates the description of an item.
    public init(_ name: ItemName, attributes: ItemAttributes) {
        self.name = name
        self.attributes = attributes
    }

    /// Returns the JSON of a value. The coder's result is wiped once its bytes are in guarded memory.
    fileprivate func encode(_ value: Value) throws(SecureStorageError) -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard var data = try? encoder.encode(value) else { throw .wrongKind }
        // The data are not shared, so that this reaches the coder's bytes and not a copy of them.
        return SecretBytes(count: data.count) { memory in
            data.withUnsafeMutableBytes { bytes in
                memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
                wipe(bytes)
            }
        }
    }

    /// Returns the value of a JSON. The coder reads the guarded memory in place.
    fileprivate func decode(_ secret: borrowing SecretBytes) throws(SecureStorageError) -> Value {
        guard secret.count <= Limits.itemSize else { throw .outsideLimits(.itemSize) }
        let value = secret.withUnsafeBytes { bytes -> Value? in
            guard let base = bytes.baseAddress else { return nil }
            let data = Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)
            return try? JSONDecoder().decode(Value.self, from: data)
        }
        guard let value else { throw .wrongKind }
        return value
    }
}

extension SecretStore {
    /// Stores a value, and replaces an existing one.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the value has no JSON, and the store's errors.
    public func save<Value>(_ value: Value, as item: CodableItem<Value>) async throws(SecureStorageError) {
        try await save(try item.encode(value), as: item.name, attributes: item.attributes)
    }

    /// Returns the stored value; nil if the store does not have it.
    ///
    /// - Throws: ``SecureStorageError/wrongKind`` if the stored item is of another kind, class or type, and the store's
    ///   errors.
    public func load<Value>(_ item: CodableItem<Value>) async throws(SecureStorageError) -> Value? {
        guard let attributes = try await attributes(of: item.name) else { return nil }
        guard attributes.kind == item.attributes.kind, attributes.dataClass == item.attributes.dataClass else {
            throw .wrongKind
        }
        guard let secret = try await load(item.name) else { return nil }
        return try item.decode(secret)
    }

    /// Removes the value. - Returns: whether there was one.
    @discardableResult
    public func delete<Value>(_ item: CodableItem<Value>) async throws(SecureStorageError) -> Bool {
        try await delete(item.name)
    }
}
