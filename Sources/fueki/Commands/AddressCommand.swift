public import ArgumentParser
public import Custody
internal import Encoding
internal import Wallet

struct AddressCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Needs no passphrase.",
        discussion: """
            Give everybody who pays you another address: --index 0, 1, 2 and so on. All of them are the wallet's.

            EXAMPLE
              fueki address savings --index 1
              fueki address savings --type segwit --qr
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(help: "The kind of address; 'p2tr' and 'p2wpkh' are other names for the two.")
    var type = WalletAddress.Kind.taproot

    @Option(help: ArgumentHelp("Which address, from 0.", valueName: "number"))
    var index: UInt32 = 0

    @Flag(help: "An address for change, in place of one to be paid to.")
    var change = false

    @Flag(help: "Draw the address as a code for a telephone's camera, too.")
    var qr = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard index < 1 << 31 else { throw ValidationError("--index is at most \(Int32.max)") }
    }

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let address = try attempt { () throws(CustodyError) in
            try wallet.address(type, at: change ? .change : .receive, index: index)
        }
        try output.result(address) {
            // BIP-21, in capitals (BIP-173): a smaller code than the same in small letters.
            let code = qr ? QRCode("bitcoin:\(address.address)".uppercased()) : nil
            return address.address + (code.map { "\n\n\($0.text)" } ?? "")
        }
    }
}

/// `--type segwit`: the help and the shells list the names there are. The names of the scripts are taken as well.
extension WalletAddress.Kind: ExpressibleByArgument {
    /// Reads the name of a type, or of its script.
    public init?(argument: String) {
        switch argument {
        case "p2tr": self = .taproot
        case "p2wpkh": self = .segwit
        default: self.init(rawValue: argument)
        }
    }
}
