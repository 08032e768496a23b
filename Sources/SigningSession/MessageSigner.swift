public import Bitcoin
public import Custody
public import Ethereum
public import HDKeys
internal import Wallet

/// The reason why a wallet has no such signer of messages.
public enum MessageSignerFault: Error, Equatable, Sendable {
    /// An Ethereum account was named for a Bitcoin message.
    case accountForBitcoin
    /// The address is not one of the searched ones of this wallet.
    case notOurs(WalletName)
    /// The Bitcoin address is malformed, or one of another network.
    case bitcoinAddress(BitcoinError)
    /// The Ethereum address is malformed.
    case account(EthereumError)
    /// The index is out of range.
    case key(HDKeyError)
    /// The wallet's description is unusable.
    case custody(CustodyError)
}

extension WalletRecord {
    /// Returns the Bitcoin address that signs a message.
    ///
    /// - Parameters:
    ///   - kind: the kind of the address with this index.
    ///   - address: the address, in place of kind and index; one of the first `BitcoinLimits.scannedAddresses`.
    /// - Throws: ``MessageSignerFault``.
    public func messageSigner(
        _ kind: WalletAddress.Kind, index: UInt32, address: String?
    ) throws(MessageSignerFault) -> AddressLabel {
        let label: AddressLabel.Kind
        switch kind {
        case .taproot: label = .taproot
        case .segwit: label = .segwit
        case .ethereum: throw .accountForBitcoin
        }
        guard let address else {
            do { return AddressLabel(label, at: try AddressPath(.receive, index: index)) } catch { throw .key(error) }
        }
        let checked: Address<Checked>
        do { checked = try Address<Unchecked>(address).require(network) } catch { throw .bitcoinAddress(error) }
        let found: AddressLabel?
        do { found = try self.label(of: checked) } catch { throw .custody(error) }
        guard let found else { throw .notOurs(name) }
        return found
    }

    /// Returns the number of the Ethereum account that signs a message.
    ///
    /// - Parameter address: the account's address; one of the first `WalletLimits.accounts`.
    /// - Throws: ``MessageSignerFault``.
    public func messageAccount(at address: String) throws(MessageSignerFault) -> UInt32 {
        let wanted: EthereumAddress
        do { wanted = try EthereumAddress(address) } catch { throw .account(error) }
        let found: UInt32?
        do { found = try number(of: wanted, among: 0..<WalletLimits.accounts) } catch { throw .custody(error) }
        guard let found else { throw .notOurs(name) }
        return found
    }
}
