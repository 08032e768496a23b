import Encoding
import Foundation
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

extension SigningRequest {
    var tweaks: [KeyTweak] {
        get throws {
            guard case .taproot(let key) = key else { throw HDKeyError.badKey }
            return key.tweaks
        }
    }
}

extension PSBT {
    /// Returns the same PSBT with a field of one input set or removed.
    func replacing(_ type: UInt64, data: [UInt8] = [], with value: [UInt8]?, ofInput index: Int) throws -> PSBT {
        var changed = self
        let map = try inputs[index].map.with(type, data, value)
        changed.inputs[index] = try PSBTInput(
            map, spending: unsignedTransaction.inputs[index].previousOutput, index: index)
        return try PSBT(decoding: changed.encoded)
    }
}

extension KeyValueMap {
    /// Returns the same map with a field set or removed.
    func with(_ type: UInt64, _ data: [UInt8], _ value: [UInt8]?) throws -> KeyValueMap {
        var entries = self.entries
        entries[Self.key(type, data: data)] = value
        var map = KeyValueMap()
        for (key, value) in entries { try map.insert(value, forKey: key, in: .global) }
        return map
    }
}
