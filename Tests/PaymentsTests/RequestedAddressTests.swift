import Bitcoin
import Custody
import Ethereum
import HDKeys
import SigningSession
import Testing
import Wallet

@testable import Payments
@testable import SigningSessionTestSupport

@Suite("Addresses that a person asks for", .timeLimit(.minutes(20)))
struct RequestedAddressTests {
    @Test("the next address was not shown before, and the one after it differs")
    func next() async throws {
        let home = try await TestHome()
        let first = try await home.home.show(.next(.taproot), of: home.wallet, asking: nil)
        let second = try await home.home.show(.next(.taproot), of: home.wallet, asking: nil)
        #expect(first.wasShown == false && first.wasUsed == nil && !first.isRepeated)
        #expect(first.address != second.address)
        let again = try await home.home.show(.indexed(.taproot, .receive, 0), of: home.wallet, asking: nil)
        #expect(again.address == first.address && again.wasShown == true)
    }

    @Test("with a node, a paid address is reported, and the next one is unpaid")
    func used() async throws {
        let home = try await TestHome()
        let chain = ScriptedChain(hasRecord: true)
        _ = try chain.fund(try home.script(), 100_000)
        let first = try await home.home.show(.indexed(.taproot, .receive, 0), of: home.wallet, asking: chain)
        #expect(first.wasUsed == true)
        let next = try await home.home.show(.next(.taproot), of: home.wallet, asking: chain)
        #expect(next.wasUsed == false && next.address != first.address)
    }

    @Test("an index that no command searches is far, and the one below the bound is not")
    func far() async throws {
        let home = try await TestHome()
        func isFar(_ index: UInt32) async throws -> Bool {
            try await home.home.show(.indexed(.segwit, .change, index), of: home.wallet, asking: nil).isFar
        }
        #expect(try await isFar(ShownAddresses.bound))
        #expect(try await !isFar(ShownAddresses.bound - 1))
    }

    @Test("an Ethereum account is neither shown before nor paid")
    func account() async throws {
        let home = try await TestHome()
        let account = try await home.home.show(.account(0), of: home.wallet, asking: nil)
        #expect(account.wasShown == nil && account.wasUsed == nil && !account.isFar)
        #expect(account.address.address == (try home.wallet.ethereumKey(at: 0).address.description))
    }

    @Test("a message is signed by an address of the wallet, and by no other")
    func signer() async throws {
        let wallet = try await TestHome().wallet
        let path = try AddressPath(.receive, index: 7)
        let address = try wallet.accounts.taproot.address(at: path).description
        #expect(try wallet.messageSigner(.segwit, index: 3, address: address) == AddressLabel(.taproot, at: path))
        #expect(
            try wallet.messageSigner(.segwit, index: 3, address: nil)
                == AddressLabel(.segwit, at: AddressPath(.receive, index: 3)))
        #expect(throws: MessageSignerFault.accountForBitcoin) {
            try wallet.messageSigner(.ethereum, index: 0, address: address)
        }
        #expect(throws: MessageSignerFault.notOurs(wallet.name)) {
            try wallet.messageSigner(.taproot, index: 0, address: Bob.address.description)
        }
        #expect(try wallet.messageAccount(at: wallet.ethereumKey(at: 5).address.description) == 5)
        #expect(throws: MessageSignerFault.notOurs(wallet.name)) {
            try wallet.messageAccount(at: EthereumOrder.test.payee.description)
        }
    }
}
