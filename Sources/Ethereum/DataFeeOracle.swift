internal import Amounts

/// A contract that reports the fee for a transaction's data. Its chain charges that fee beside gas, and no limit in the
/// transaction bounds it.
public struct DataFeeOracle: Hashable, Sendable {
    /// The contract's address, the same on all chains with this oracle.
    public let address: EthereumAddress
    /// Whether it needs the transaction with its signature; otherwise it adds the signature's size itself.
    public let wantsSignature: Bool
    /// Whether it also reports an operator's fee (`getOperatorFee`).
    public let hasOperatorFee: Bool

    /// `GasPriceOracle` of the OP stack, a predeploy: Optimism, Base and many others.
    public static let optimism = DataFeeOracle(
        address: EthereumAddress(predeploy: 0x42, 0x0F), wantsSignature: false, hasOperatorFee: true)
    /// `L1GasPriceOracle` of Scroll, a predeploy.
    public static let scroll = DataFeeOracle(
        address: EthereumAddress(predeploy: 0x53, 0x02), wantsSignature: true, hasOperatorFee: false)

    /// Returns the call `getL1Fee(bytes)` for this transaction, whose result is a number of wei.
    public func dataFeeCall(for transaction: EthereumTransaction) -> [UInt8] {
        // Incompressible bytes are placeholders for r and s, with their lengths, and for v.
        let signature = wantsSignature ? [UInt8](repeating: 0xFF, count: Self.signatureBytes) : []
        let arguments = try? ABI.encode([.bytes(transaction.encoded + signature)], as: [.bytes])
        return [0x49, 0x94, 0x8E, 0x0E] + (arguments ?? [])
    }

    /// Returns the call `getOperatorFee(uint256)` for this much gas, whose result is a number of wei; nil if the oracle
    /// has no such function.
    public func operatorFeeCall(gas: UInt64) -> [UInt8]? {
        hasOperatorFee ? [0x27, 0x5A, 0xED, 0xD2] + UInt256(gas).bytes : nil
    }

    private static let signatureBytes = 68
}
