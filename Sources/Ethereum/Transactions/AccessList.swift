internal import Encoding

/// An account and storage keys that a transaction announces to access (EIP-2930).
public struct AccessListEntry: Hashable, Sendable {
    /// The account that the transaction will touch.
    public let address: EthereumAddress
    /// The storage keys, 32 bytes each.
    public let storageKeys: [[UInt8]]

    /// Creates an entry. Each storage key has 32 bytes.
    ///
    /// - Throws: ``EthereumError/badTransaction(_:)`` if a key does not have 32 bytes.
    public init(address: EthereumAddress, storageKeys: [[UInt8]]) throws(EthereumError) {
        guard storageKeys.allSatisfy({ $0.count == 32 }) else { throw .badTransaction(.field(.accessList)) }
        self.address = address
        self.storageKeys = storageKeys
    }

    var item: RLP { .list([.bytes(address.bytes), .list(storageKeys.map { .bytes($0) })]) }

    init(_ item: RLP) throws(EthereumError) {
        guard let fields = item.list, fields.count == 2, let address = fields[0].bytes, let keys = fields[1].list else {
            throw .badTransaction(.field(.accessList))
        }
        var storageKeys: [[UInt8]] = []
        for key in keys {
            guard let bytes = key.bytes else { throw .badTransaction(.field(.accessList)) }
            storageKeys.append(bytes)
        }
        guard let address = try? EthereumAddress(bytes: address) else {
            throw .badTransaction(.field(.accessList))
        }
        try self.init(address: address, storageKeys: storageKeys)
    }
}
