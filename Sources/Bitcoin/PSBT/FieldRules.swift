internal import Curves
internal import Encoding
internal import HDKeys

/// The required form of each field of a PSBT (BIP-174, BIP-371, BIP-370). Fields of other types are kept unchecked.
enum FieldRules {
    /// Checks each field of a map by the rules of its type.
    ///
    /// - Parameter version: the PSBT's version, 0 or 2: each has fields that the other must not have.
    /// - Throws: ``PSBTError/badField(_:)`` for the first field that breaks its rule.
    static func check(_ map: KeyValueMap, as name: PSBTField.Map, version: UInt32 = 0) throws(BitcoinError) {
        for (key, value) in map.entries {
            guard let type = KeyValueMap.type(of: key) else { throw .psbt(.badField(PSBTField(name, type: .max))) }
            let data = Array(key.dropFirst(CompactSize.size(of: Int(clamping: type))))
            let isVersion2 = version == 2
            let isRight =
                switch name {
                case .global where PSBTType.Global.version2.contains(type):
                    isVersion2 && data.isEmpty && PSBTMaps.isGlobal(type, value)
                case .global where type == PSBTType.Global.unsignedTransaction: !isVersion2 && data.isEmpty
                case .input where PSBTType.Input.version2.contains(type):
                    isVersion2 && data.isEmpty && PSBTMaps.isInput(type, value)
                case .output where PSBTType.Output.version2.contains(type):
                    isVersion2 && data.isEmpty && PSBTMaps.isOutput(type, value)
                case .global: global(type, data, value)
                case .input: input(type, data, value)
                case .output: output(type, data, value)
                }
            guard isRight else { throw .psbt(.badField(PSBTField(name, type: type))) }
        }
    }

    private static func global(_ type: UInt64, _ data: [UInt8], _ value: [UInt8]) -> Bool {
        switch type {
        case PSBTType.Global.version: data.isEmpty && value.count == 4
        case PSBTType.Global.extendedKey: isExtendedKey(data, origin: value)
        case PSBTType.proprietary: isProprietary(data)
        default: true
        }
    }

    private static func input(_ type: UInt64, _ data: [UInt8], _ value: [UInt8]) -> Bool {
        switch type {
        case PSBTType.Input.nonWitnessUTXO, PSBTType.Input.witnessUTXO, PSBTType.Input.redeemScript,
            PSBTType.Input.witnessScript, PSBTType.Input.proofOfReserves:
            data.isEmpty
        case PSBTType.Input.finalScriptSig: data.isEmpty && !value.isEmpty
        case PSBTType.Input.finalScriptWitness: data.isEmpty && witness(value)?.isEmpty == false
        case PSBTType.Input.sighashType: data.isEmpty && value.count == 4
        // The type follows the signature. A signature that finalising would refuse is refused here.
        case PSBTType.Input.partialSignature:
            isPublicKey(data) && (try? ECDSASignature(der: value.dropLast())) != nil
        case PSBTType.Input.derivation: isPublicKey(data) && KeyOrigin(value[...]) != nil
        case PSBTType.Input.ripemd160: data == RIPEMD160.hash(value)
        case PSBTType.Input.sha256: data == SHA256.hash(value)
        case PSBTType.Input.hash160: data == Hash160.hash(value)
        case PSBTType.Input.hash256: data == SHA256.hash(SHA256.hash(value))
        case PSBTType.Input.tapKeySignature: data.isEmpty && isTapSignature(value)
        case PSBTType.Input.tapScriptSignature:
            data.count == 64 && isXOnlyKey(data.prefix(32)) && isTapSignature(value)
        case PSBTType.Input.tapLeafScript: isControlBlock(data) && !value.isEmpty
        case PSBTType.Input.tapDerivation: isXOnlyKey(data) && TaprootDerivation(key: data[...], value: value) != nil
        case PSBTType.Input.tapInternalKey: data.isEmpty && isXOnlyKey(value)
        case PSBTType.Input.tapMerkleRoot: data.isEmpty && value.count == 32
        case PSBTType.proprietary: isProprietary(data)
        default: true
        }
    }

    private static func output(_ type: UInt64, _ data: [UInt8], _ value: [UInt8]) -> Bool {
        switch type {
        case PSBTType.Output.redeemScript, PSBTType.Output.witnessScript: data.isEmpty
        case PSBTType.Output.derivation: isPublicKey(data) && KeyOrigin(value[...]) != nil
        case PSBTType.Output.tapInternalKey: data.isEmpty && isXOnlyKey(value)
        case PSBTType.Output.tapTree: data.isEmpty && isTree(value)
        case PSBTType.Output.tapDerivation: isXOnlyKey(data) && TaprootDerivation(key: data[...], value: value) != nil
        case PSBTType.proprietary: isProprietary(data)
        default: true
        }
    }

    // MARK: - Forms

    static func witness(_ value: [UInt8]) -> [[UInt8]]? {
        guard var reader = try? ByteReader(value, limit: value.count), let elements = try? reader.witness(),
            reader.remaining == 0
        else { return nil }
        return elements
    }

    private static func isPublicKey(_ key: [UInt8]) -> Bool {
        switch key.count {
        case 33: (try? Secp256k1.Point(encoded: key)) != nil
        case 65: key[0] == 0x04 && key.dropFirst().withUnsafeBytes { (try? Secp256k1.Point(coordinates: $0)) != nil }
        default: false
        }
    }

    /// Returns whether the 32 bytes are the x coordinate of a point of the curve (BIP-340).
    private static func isXOnlyKey(_ key: some Collection<UInt8>) -> Bool { (try? Secp256k1.Point(xOnly: key)) != nil }

    /// Returns whether it is a taproot signature (BIP-341): 64 bytes, or 65 with a type other than 0.
    private static func isTapSignature(_ signature: [UInt8]) -> Bool {
        signature.count == 64 || (signature.count == 65 && signature[64] != 0)
    }

    private static func isExtendedKey(_ key: [UInt8], origin: [UInt8]) -> Bool {
        guard let (key, _) = try? ExtendedPublicKey.parse(key), let origin = KeyOrigin(origin[...]) else {
            return false
        }
        return origin.path.steps.count == Int(key.depth)
    }

    /// Returns whether it is a control block (BIP-341): the leaf version, the internal key, and up to 128 hashes.
    private static func isControlBlock(_ block: [UInt8]) -> Bool {
        block.count >= 33 && (block.count - 33).isMultiple(of: 32)
            && (block.count - 33) / 32 <= BitcoinLimits.taprootDepth && isXOnlyKey(block[1..<33])
    }

    /// Returns whether it is proprietary data: a sized identifier and a subtype.
    private static func isProprietary(_ data: [UInt8]) -> Bool {
        guard var reader = try? ByteReader(data, limit: data.count) else { return false }
        return (try? reader.sized()) != nil && (try? reader.compactSize()) != nil
    }

    /// Returns whether the leaves with their depths, in the order of a depth-first walk, fill a binary tree.
    private static func isTree(_ value: [UInt8]) -> Bool {
        guard var reader = try? ByteReader(value, limit: value.count), reader.remaining > 0 else { return false }
        // The depths at which a left branch still lacks its right one.
        var open: [Int] = []
        var isComplete = false
        while reader.remaining > 0 {
            guard !isComplete, let depth = (try? reader.uint8()).map(Int.init), depth <= BitcoinLimits.taprootDepth,
                let version = try? reader.uint8(), version & 1 == 0, (try? reader.sized()) != nil
            else { return false }
            guard depth >= open.last ?? 0 else { return false }
            var level = depth
            while let last = open.last, last == level {
                open.removeLast()
                level -= 1
            }
            if level == 0 {
                isComplete = true
            } else {
                open.append(level)
            }
        }
        return isComplete
    }
}
