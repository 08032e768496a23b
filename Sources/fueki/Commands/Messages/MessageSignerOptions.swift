internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import ErrorTexts
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet

/// The wallet address that signs a message.
struct MessageSignerOptions: ParsableArguments {
    @Option(
        help: .value(
            "address",
            "The address that signs: one of the first \(BitcoinLimits.scannedAddresses) of each kind, or of the first "
                + "\(WalletLimits.accounts) accounts."))
    var address: String?

    @Option(help: "The kind of Bitcoin address.")
    var type = WalletAddress.Kind.taproot

    @Option(help: .value("number", "Which Bitcoin address, from 0."))
    var index: UInt32 = 0

    @Option(help: .value("number", "Which account on Ethereum, from 0."))
    var account: UInt32 = 0

    func validate() throws {
        guard index < 1 << 31, account < 1 << 31 else {
            throw ValidationError("--index and --account are at most \(Int32.max)")
        }
    }

    /// Whether the named address is an Ethereum address.
    var isOfEthereum: Bool { address?.lowercased().hasPrefix("0x") == true }

    func bitcoin(of wallet: WalletRecord) throws(Failure) -> AddressLabel {
        do throws(MessageSignerFault) { return try wallet.messageSigner(type, index: index, address: address) } catch {
            throw error.failure(address: address)
        }
    }

    func ethereum(of wallet: WalletRecord) throws(Failure) -> UInt32 {
        guard let address else { return account }
        do throws(MessageSignerFault) { return try wallet.messageAccount(at: address) } catch {
            throw error.failure(address: address)
        }
    }
}
