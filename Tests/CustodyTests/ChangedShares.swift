import Secrets
import Threshold
import ThresholdECDSA
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

extension SealedShare {
    /// Returns one of three shares whose participant extends its oblivious transfers from other trees than its peers
    /// expect.
    consuming func cheating() throws -> SealedShare {
        let record = record
        return SealedShare(keys: try takeKeys().cheating(), record: record)
    }
}

extension SealedShare {
    /// Returns the share in the format from before pairs were stored as now.
    consuming func outdated() throws -> SealedShare {
        for peer in keys.groups.parameters.indices where peer != keys.index { try keys.ecdsa.ban(peer) }
        let original = try encoded()
        let changed = SecretBytes(count: original.count) { memory in
            original.withUnsafeBytes { memory.copyMemory(from: $0) }
            // Format and name of the counts; the share of the Schnorr key; size and version of the ECDSA key's, and its kind.
            let schnorr = Int(UInt32(bigEndian: memory.loadUnaligned(fromByteOffset: 17, as: UInt32.self)))
            memory[17 + 4 + schnorr + 4 + 1] = 0x03
        }
        return try SealedShare(decoding: changed, name: nil)
    }
}
