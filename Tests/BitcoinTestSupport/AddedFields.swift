import Encoding
import HDKeys

@testable package import Bitcoin

extension PSBT {
    /// Returns the same PSBT with an additional entry in one of its maps: 0 is the global one, then inputs and outputs.
    package func adding(_ key: [UInt8], _ value: [UInt8], toMap number: Int) throws -> PSBT {
        try PSBT(decoding: encoded.adding(key, value, toMap: number))
    }
}

extension [UInt8] {
    /// Returns a PSBT's bytes with an additional first entry in one of its maps. Sizes before it are below 253.
    package func adding(_ key: [UInt8], _ value: [UInt8], toMap number: Int) -> [UInt8] {
        var position = 5
        for _ in 0..<number {
            while self[position] != 0 {
                position += 1 + Int(self[position])
                position += 1 + Int(self[position])
            }
            position += 1
        }
        var entry = ByteWriter()
        entry.sized(key)
        entry.sized(value)
        return self[..<position] + entry.bytes + self[position...]
    }
}

/// Returns the value of a BIP-174 derivation.
package func derivation(_ account: SegwitAccount, _ path: [UInt32]) -> [UInt8] {
    account.key.fingerprint.bytes
        + path.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }
}

package func derivation(_ account: TaprootAccount, _ path: [UInt32], fingerprint: [UInt8]? = nil) -> [UInt8] {
    [0] + (fingerprint ?? account.key.fingerprint.bytes)
        + path.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }
}
