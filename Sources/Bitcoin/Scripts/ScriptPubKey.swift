internal import Curves

/// The script of an output, which says who may spend it.
public struct ScriptPubKey: Hashable, Sendable {
    /// The bytes of the script.
    public let bytes: [UInt8]

    /// Creates a script of these bytes, which are not checked.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The forms in use. Hashes and keys are 20 or 32 bytes.
    public enum Kind: Hashable, Sendable {
        /// Pays to a taproot output key: its x coordinate (BIP-341).
        case p2tr(outputKey: [UInt8])
        /// Pays to the hash of a key, spent by a witness (BIP-141).
        case p2wpkh(keyHash: [UInt8])
        /// Pays to the hash of a script, spent by a witness (BIP-141).
        case p2wsh(scriptHash: [UInt8])
        /// Pays to the hash of a public key: 20 bytes.
        case p2pkh(keyHash: [UInt8])
        /// Pays to the hash of a script: 20 bytes.
        case p2sh(scriptHash: [UInt8])
        /// Can never be spent: contains data.
        case opReturn
        /// Any other script: the conditions for spending it are unknown.
        case unknown
    }

    /// The standard form of the script.
    public var kind: Kind {
        switch (bytes.count, bytes.first) {
        case (34, 0x51) where bytes[1] == 0x20: .p2tr(outputKey: Array(bytes[2...]))
        case (22, 0x00) where bytes[1] == 0x14: .p2wpkh(keyHash: Array(bytes[2...]))
        case (34, 0x00) where bytes[1] == 0x20: .p2wsh(scriptHash: Array(bytes[2...]))
        // OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG
        case (25, 0x76) where bytes[1] == 0xA9 && bytes[2] == 0x14 && bytes[23] == 0x88 && bytes[24] == 0xAC:
            .p2pkh(keyHash: Array(bytes[3..<23]))
        // OP_HASH160 <20> OP_EQUAL
        case (23, 0xA9) where bytes[1] == 0x14 && bytes[22] == 0x87: .p2sh(scriptHash: Array(bytes[2..<22]))
        case (_, 0x6A): .opReturn
        default: .unknown
        }
    }

    /// Creates the script of a known kind.
    public init(_ kind: Kind) {
        switch kind {
        case .p2tr(let key): bytes = [0x51, 0x20] + key
        case .p2wpkh(let hash): bytes = [0x00, 0x14] + hash
        case .p2wsh(let hash): bytes = [0x00, 0x20] + hash
        case .p2pkh(let hash): bytes = [0x76, 0xA9, 0x14] + hash + [0x88, 0xAC]
        case .p2sh(let hash): bytes = [0xA9, 0x14] + hash + [0x87]
        case .opReturn: bytes = [0x6A]
        case .unknown: bytes = []
        }
    }

    /// Whether it is spent by a witness: a version opcode, and one push of 2...40 bytes (BIP-141).
    var isWitnessProgram: Bool {
        guard (4...42).contains(bytes.count), Int(bytes[1]) == bytes.count - 2 else { return false }
        return bytes[0] == 0x00 || (0x51...0x60).contains(bytes[0])
    }

    /// Whether it can never be spent, because the key is not a point of the curve or the script says so.
    public var isUnspendable: Bool {
        switch kind {
        case .opReturn: true
        case .p2tr(let key): (try? Secp256k1.Point(xOnly: key)) == nil
        default: false
        }
    }

    /// The smallest amount that nodes relay in an output with this script: a smaller one would cost more to spend than
    /// it is worth, at 3 satoshi per virtual byte (Bitcoin Core, `GetDustThreshold`).
    public var dustLimit: Amount {
        guard kind != .opReturn else { return .zero }
        let output = 8 + CompactSize.size(of: bytes.count) + bytes.count
        // A witness is discounted: 32 + 4 + 1 + 107 / 4 + 4, else 32 + 4 + 1 + 107 + 4.
        let input = isWitnessProgram ? 67 : 148
        return (try? Amount(satoshis: UInt64(3 * (output + input)))) ?? .maximum
    }
}
