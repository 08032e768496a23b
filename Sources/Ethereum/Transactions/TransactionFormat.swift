internal import Amounts
internal import Curves
internal import Encoding

extension EthereumTransaction {
    /// The bytes that are hashed for signing: the fields after the type byte; with EIP-155 also the chain and two
    /// zeros.
    public var encoded: [UInt8] { encoded(signature: nil) }

    /// The hash that is signed.
    public var signingHash: [UInt8] { Keccak256.hash(encoded) }

    func encoded(signature: EthereumSignature?) -> [UInt8] {
        var items = items
        if let signature {
            items.append(RLP(v(of: signature)))
            // 32 bytes are always a number.
            items.append(RLP(number: (try? UInt256(bytes: signature.signature.r.encoded)) ?? .zero))
            items.append(RLP(number: (try? UInt256(bytes: signature.signature.s.encoded)) ?? .zero))
        } else if type == nil, let chainID {
            items += [RLP(chainID.value), RLP(0), RLP(0)]
        }
        let list = RLP.list(items).encoded
        return type.map { [$0] + list } ?? list
    }

    /// Returns the parity, or `v` as EIP-155 computes it from the parity and the chain.
    private func v(of signature: EthereumSignature) -> UInt64 {
        let parity: UInt64 = signature.isOdd ? 1 : 0
        if type != nil { return parity }
        // A chain id is at most half of the largest number that fits.
        return chainID.map { $0.value * 2 + 35 + parity } ?? 27 + parity
    }

    private var items: [RLP] {
        let target = [RLP(gasLimit), RLP(address: to), RLP(number: value.value), .bytes(data)]
        let head = [RLP(chainID?.value ?? 0), RLP(nonce)]
        let list = RLP.list(accessList.map(\.item))
        switch kind {
        case .legacy(let price): return [RLP(nonce), RLP(number: price.value)] + target
        case .accessList(let price, _): return head + [RLP(number: price.value)] + target + [list]
        case .dynamicFee(let fees, _): return head + fees.items + target + [list]
        case .blob(let fees, _, let price, let hashes):
            return head + fees.items + target + [list, RLP(number: price.value), .list(hashes.map { .bytes($0) })]
        case .setCode(let fees, _, let authorizations):
            return head + fees.items + target + [list, .list(authorizations.map(\.item))]
        }
    }
}

extension EthereumTransaction.Fees {
    fileprivate var items: [RLP] { [RLP(number: maxPriorityFeePerGas.value), RLP(number: maxFeePerGas.value)] }
}

extension EthereumTransaction {
    /// Reads a transaction that is not signed: exactly what ``encoded`` gives.
    ///
    /// - Throws: ``EthereumError/badTransaction(_:)``.
    public init(decoding bytes: some Collection<UInt8>) throws(EthereumError) {
        let (type, items) = try Self.split(bytes)
        if type == nil, items.count == 9 {
            // EIP-155: the chain is in place of the signature.
            guard items[7] == RLP(0), items[8] == RLP(0) else { throw .badTransaction(.field(.r)) }
            var fields = FieldReader(Array(items[6...]))
            try self.init(type, Array(items[..<6]), legacyChain: try fields.chain())
        } else {
            try self.init(type, items, legacyChain: nil)
        }
    }

    /// Splits off the type byte, and reads the fields.
    static func split(_ bytes: some Collection<UInt8>) throws(EthereumError) -> (type: UInt8?, items: [RLP]) {
        var bytes = Array(bytes)
        guard let first = bytes.first else { throw .badTransaction(.malformed(.truncated)) }
        var type: UInt8?
        if first < 0x80 {
            guard (1...4).contains(first) else { throw .badTransaction(.unsupportedType(first)) }
            type = first
            bytes.removeFirst()
        }
        let item: RLP
        do {
            item = try RLP(decoding: bytes, limit: EthereumLimits.ethereumTransactionBytes)
        } catch {
            throw .badTransaction(.malformed(error))
        }
        guard let items = item.list else { throw .badTransaction(.malformed(.unsupported)) }
        return (type, items)
    }

    /// Reads the fields without a signature.
    init(_ type: UInt8?, _ items: [RLP], legacyChain: ChainID?) throws(EthereumError) {
        let count = [nil: 6, 1: 8, 2: 9, 3: 11, 4: 10][type]
        guard items.count == count else { throw .badTransaction(.fieldCount(items.count)) }
        var fields = FieldReader(items)
        let chainID = type == nil ? legacyChain : try fields.chain()
        let nonce = try fields.integer(.nonce)
        var price = Wei.zero
        var fees = Fees(maxPriorityFeePerGas: .zero, maxFeePerGas: .zero)
        if type == nil || type == 1 {
            price = try fields.wei(.gasPrice)
        } else {
            let priority = try fields.wei(.maxPriorityFeePerGas)
            fees = Fees(maxPriorityFeePerGas: priority, maxFeePerGas: try fields.wei(.maxFeePerGas))
        }
        let gasLimit = try fields.integer(.gasLimit)
        let to = try fields.recipient()
        let value = try fields.wei(.value)
        let data = try fields.bytes(.data)
        let list =
            type == nil
            ? [] : try fields.elements(.accessList) { item throws(EthereumError) in try AccessListEntry(item) }
        let kind: Kind
        switch type {
        case nil: kind = .legacy(gasPrice: price)
        case 1: kind = .accessList(gasPrice: price, list)
        case 2: kind = .dynamicFee(fees, list)
        case 3:
            let price = try fields.wei(.maxFeePerBlobGas)
            let hashes = try fields.elements(.blobHashes) { item throws(EthereumError) in
                guard let bytes = item.bytes else { throw .badTransaction(.field(.blobHashes)) }
                return bytes
            }
            kind = .blob(fees, list, maxFeePerBlobGas: price, blobHashes: hashes)
        default:
            let authorizations = try fields.elements(.authorizations) { item throws(EthereumError) in
                try Authorization(item)
            }
            kind = .setCode(fees, list, authorizations)
        }
        try self.init(
            chainID: chainID, nonce: nonce, gasLimit: gasLimit, to: to, value: value, data: data, kind: kind)
    }
}
