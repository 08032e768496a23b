public import Bitcoin
public import Ethereum
internal import HDKeys
internal import Wallet

extension WalletRecord {
    /// Returns the label (kind and path) of one of the wallet's addresses, for a message that the address signs.
    ///
    /// - Returns: nil if the address is not one of the first ones of the wallet (`BitcoinLimits.scannedAddresses`).
    /// - Throws: ``CustodyError/wallet(_:)``.
    public func label(of address: Address<Checked>) throws(CustodyError) -> AddressLabel? {
        let accounts = try accounts
        do throws(HDKeyError) {
            return switch try Ownership(of: accounts).key(for: address.scriptPubKey) {
            case .taproot(let key): AddressLabel(.taproot, at: key.path)
            case .segwit(let key): AddressLabel(.segwit, at: key.path)
            case nil: nil
            }
        } catch { throw .wallet(.key(error)) }
    }

    /// Returns the number of an account on Ethereum.
    ///
    /// - Parameter numbers: the numbers that are searched.
    /// - Returns: nil if none of these accounts has the address.
    /// - Throws: ``CustodyError/wallet(_:)``.
    public func number(
        of account: EthereumAddress, among numbers: some Sequence<UInt32>
    ) throws(CustodyError) -> UInt32? {
        guard let accounts = try accounts.ethereum else { return nil }
        return numbers.first { (try? accounts.key(at: $0))?.address == account }
    }
}
