public import Amounts

/// An unsigned Ethereum transaction of any existing type (EIP-155, 2930, 1559, 4844, 7702).
///
/// A value of this type could be accepted by a node: a contradictory transaction can neither be made nor read. Whether
/// it should be signed is a policy's decision, above all for ``Kind-swift.enum/setCode(_:_:_:)``.
public struct EthereumTransaction: Hashable, Sendable {
    /// The fees, and the fields that only some types have.
    public enum Kind: Hashable, Sendable {
        /// The first form, which has no type byte.
        case legacy(gasPrice: Wei)
        /// Type 1 (EIP-2930).
        case accessList(gasPrice: Wei, [AccessListEntry])
        /// Type 2 (EIP-1559), which wallets use today.
        case dynamicFee(Fees, [AccessListEntry])
        /// Type 3 (EIP-4844). The blobs themselves are not part of it.
        case blob(Fees, [AccessListEntry], maxFeePerBlobGas: Wei, blobHashes: [[UInt8]])
        /// Type 4 (EIP-7702): delegates accounts to contracts.
        case setCode(Fees, [AccessListEntry], [Authorization])
    }

    /// The maximum prices of a unit of gas (EIP-1559).
    public struct Fees: Hashable, Sendable {
        /// The maximum for the block's producer.
        public let maxPriorityFeePerGas: Wei
        /// The maximum in all.
        public let maxFeePerGas: Wei

        /// Creates the fees, in wei for each unit of gas.
        public init(maxPriorityFeePerGas: Wei, maxFeePerGas: Wei) {
            self.maxPriorityFeePerGas = maxPriorityFeePerGas
            self.maxFeePerGas = maxFeePerGas
        }
    }

    /// The only chain on which it is valid; nil for a legacy transaction without EIP-155, which is valid on every chain.
    public let chainID: ChainID?
    /// The nonce: the number of the sender's earlier transactions.
    public let nonce: UInt64
    /// The most units of gas that the transaction may use.
    public let gasLimit: UInt64
    /// The account that is called; nil to create a contract, whose code is in ``data``.
    public let to: EthereumAddress?
    /// The ether that is sent.
    public let value: Wei
    /// The data of the call, or the code of a new contract.
    public let data: [UInt8]
    /// The price of gas, with the fields that only this type of transaction has.
    public let kind: Kind

    /// Creates a transaction.
    ///
    /// - Throws: ``EthereumError/badTransaction(_:)`` for a transaction that no node accepts.
    public init(
        chainID: ChainID?, nonce: UInt64, gasLimit: UInt64, to: EthereumAddress?, value: Wei, data: [UInt8], kind: Kind
    ) throws(EthereumError) {
        self.chainID = chainID
        self.nonce = nonce
        self.gasLimit = gasLimit
        self.to = to
        self.value = value
        self.data = data
        self.kind = kind
        try check()
    }

    private func check() throws(EthereumError) {
        // EIP-2681: the account could not count any further.
        guard nonce < .max else { throw .badTransaction(.field(.nonce)) }
        if let fees {
            guard chainID != nil else { throw .badTransaction(.field(.chainID)) }
            guard fees.maxPriorityFeePerGas <= fees.maxFeePerGas else {
                throw .badTransaction(.priorityAboveMaximum)
            }
        } else if case .accessList = kind, chainID == nil {
            throw .badTransaction(.field(.chainID))
        }
        switch kind {
        case .blob(_, _, _, let hashes):
            guard to != nil else { throw .badTransaction(.field(.to)) }
            // The first byte is the version; 1 is the only one.
            guard !hashes.isEmpty, hashes.allSatisfy({ $0.count == 32 && $0.first == 1 }) else {
                throw .badTransaction(.field(.blobHashes))
            }
        case .setCode(_, _, let authorizations):
            guard to != nil else { throw .badTransaction(.field(.to)) }
            guard !authorizations.isEmpty else { throw .badTransaction(.field(.authorizations)) }
        case .legacy, .accessList, .dynamicFee: break
        }
        do { _ = try checkedFee() } catch { throw .badTransaction(.costOverflow) }
    }
}

extension EthereumTransaction {
    /// The type byte (EIP-2718); nil for a legacy transaction.
    public var type: UInt8? {
        switch kind {
        case .legacy: nil
        case .accessList: 1
        case .dynamicFee: 2
        case .blob: 3
        case .setCode: 4
        }
    }

    /// The fees of EIP-1559; nil for the types before it.
    public var fees: Fees? {
        switch kind {
        case .legacy, .accessList: nil
        case .dynamicFee(let fees, _), .blob(let fees, _, _, _), .setCode(let fees, _, _): fees
        }
    }

    /// The most that a unit of gas can cost.
    public var maxFeePerGas: Wei {
        switch kind {
        case .legacy(let price), .accessList(let price, _): price
        case .dynamicFee(let fees, _), .blob(let fees, _, _, _), .setCode(let fees, _, _): fees.maxFeePerGas
        }
    }

    /// The announced accounts and storage keys (EIP-2930); empty for types without the field.
    public var accessList: [AccessListEntry] {
        switch kind {
        case .legacy: []
        case .accessList(_, let list), .dynamicFee(_, let list), .blob(_, let list, _, _), .setCode(_, let list, _):
            list
        }
    }

    /// The authorizations to delegate accounts (EIP-7702).
    public var authorizations: [Authorization] { if case .setCode(_, _, let list) = kind { list } else { [] } }

    /// The maximum cost beside the value: gas, and gas of blobs.
    public var maximumFee: Wei { (try? checkedFee()) ?? Wei(.maximum) }

    private func checkedFee() throws(AmountError) -> Wei {
        let fee = try maxFeePerGas.multiplied(by: gasLimit)
        guard case .blob(_, _, let price, let hashes) = kind else { return fee }
        return try fee.adding(try price.multiplied(by: UInt64(hashes.count) * Self.gasPerBlob))
    }

    private static let gasPerBlob: UInt64 = 1 << 17
}

extension EthereumTransaction {
    /// The gas that it takes before any code runs (Yellow Paper, appendix G; EIP-2028, 2930, 3860 and 7702). Nodes
    /// refuse a lower limit.
    public var intrinsicGas: UInt64 {
        let zeros = UInt64(data.count { $0 == 0 })
        var gas: UInt64 = 21_000 + 4 * zeros + 16 * (UInt64(data.count) - zeros)
        if to == nil { gas += 32_000 + 2 * ((UInt64(data.count) + 31) / 32) }
        for entry in accessList { gas += 2_400 + 1_900 * UInt64(entry.storageKeys.count) }
        return gas + 25_000 * UInt64(authorizations.count)
    }

    /// The maximum size of the code that creates a contract (EIP-3860).
    public static let maximumInitCode = 49_152
}
