/// A field of a PSBT: its map and its type.
public struct PSBTField: Hashable, Sendable {
    /// The parts of a PSBT. Indices are counted from 0.
    public enum Map: Hashable, Sendable {
        /// The map of the whole transaction.
        case global
        /// The map of the input at this position.
        case input(Int)
        /// The map of the output at this position.
        case output(Int)
    }

    /// The map that the field is in.
    public let map: Map
    /// The type's number in BIP-174's registry.
    public let type: UInt64

    /// Creates the name of the field of this type.
    public init(_ map: Map, type: UInt64) {
        self.map = map
        self.type = type
    }
}

/// The types that this module knows, by their names in BIP-174 and BIP-371. Signature, script and derivation fields of
/// other kinds of spending are checked and kept, and not used.
enum PSBTType {
    enum Global {
        static let unsignedTransaction: UInt64 = 0x00
        static let extendedKey: UInt64 = 0x01
        static let version: UInt64 = 0xFB
        /// The types from this one to ``modifiable`` are those of BIP-370: only in version 2.
        static let transactionVersion: UInt64 = 0x02
        static let fallbackLockTime: UInt64 = 0x03
        static let inputCount: UInt64 = 0x04
        static let outputCount: UInt64 = 0x05
        static let modifiable: UInt64 = 0x06
        static let version2 = transactionVersion...modifiable

        static func isKnown(_ type: UInt64) -> Bool { [unsignedTransaction, extendedKey, version].contains(type) }
    }

    enum Input {
        static let nonWitnessUTXO: UInt64 = 0x00
        static let witnessUTXO: UInt64 = 0x01
        static let partialSignature: UInt64 = 0x02
        static let sighashType: UInt64 = 0x03
        static let redeemScript: UInt64 = 0x04
        static let witnessScript: UInt64 = 0x05
        static let derivation: UInt64 = 0x06
        static let finalScriptSig: UInt64 = 0x07
        static let finalScriptWitness: UInt64 = 0x08
        static let proofOfReserves: UInt64 = 0x09
        static let ripemd160: UInt64 = 0x0A
        static let sha256: UInt64 = 0x0B
        static let hash160: UInt64 = 0x0C
        static let hash256: UInt64 = 0x0D
        /// The types from here to ``requiredHeight`` are BIP-370's: only in version 2.
        static let previousTransaction: UInt64 = 0x0E
        static let outputIndex: UInt64 = 0x0F
        static let sequence: UInt64 = 0x10
        static let requiredTime: UInt64 = 0x11
        static let requiredHeight: UInt64 = 0x12
        static let version2 = previousTransaction...requiredHeight
        static let tapKeySignature: UInt64 = 0x13
        static let tapScriptSignature: UInt64 = 0x14
        static let tapLeafScript: UInt64 = 0x15
        static let tapDerivation: UInt64 = 0x16
        static let tapInternalKey: UInt64 = 0x17
        static let tapMerkleRoot: UInt64 = 0x18

        static func isKnown(_ type: UInt64) -> Bool {
            type <= hash256 || (tapKeySignature...tapMerkleRoot).contains(type)
        }
    }

    enum Output {
        static let redeemScript: UInt64 = 0x00
        static let witnessScript: UInt64 = 0x01
        static let derivation: UInt64 = 0x02
        /// The types from here to ``script`` are BIP-370's: only in version 2.
        static let amount: UInt64 = 0x03
        static let script: UInt64 = 0x04
        static let version2 = amount...script
        static let tapInternalKey: UInt64 = 0x05
        static let tapTree: UInt64 = 0x06
        static let tapDerivation: UInt64 = 0x07

        static func isKnown(_ type: UInt64) -> Bool {
            type <= derivation || (tapInternalKey...tapDerivation).contains(type)
        }
    }

    static let proprietary: UInt64 = 0xFC
}
