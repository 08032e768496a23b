internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Wallet

struct AddressCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Show an address of a wallet. Needs no passphrase.")

    enum AddressType: String, CaseIterable, ExpressibleByArgument {
        case p2tr
    }

    @Argument(help: "The wallet's name.")
    var name: String

    @Option(help: "The kind of address: p2tr (taproot).")
    var type = AddressType.p2tr

    @Option(help: "Which one, from 0.")
    var index: UInt32 = 0

    @Flag(help: "An address for change instead of one to be paid to.")
    var change = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: name)
        let address = try attempt { () throws(CustodyError) in
            try wallet.address(at: change ? .change : .receive, index: index)
        }
        output.result(address) { address.address }
    }
}
