import Curves
import Ethereum
import Mnemonics
import Secrets
import TestSupport
import Testing
import Wallet

@testable import HDKeys

@Suite("Ethereum accounts")
struct EthereumAccountsTests {
    @Test("the first Ethereum accounts for the mnemonic of zeros are the well-known ones")
    func zeros() throws {
        let words = String(repeating: "abandon ", count: 11) + "about"
        let master = try ExtendedPrivateKey(seed: Mnemonic(words: guarded(words)).seed(passphrase: guarded("")))
        let template = try AccountTemplate.ethereum(account: 0)
        for (index, address) in [
            (UInt32(0), "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"),
            (1, "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0"),
        ] {
            let key = try master.derive(template.path(to: AddressPath(.receive, index: index)))
            #expect(EthereumAddress(publicKey: key.point).description == address)
        }
    }

    @Test("an imported Ethereum account is at m/0/i below its key, and shown with its whole path")
    func imported() throws {
        let hardened: UInt32 = 1 << 31
        let key = ExtendedPublicKey(
            depth: 3, parentFingerprint: .none, childNumber: 2 | hardened,
            chainCode: [UInt8](repeating: 4, count: 32), point: .generator)
        let accounts = try EthereumAccounts(key: key, template: .ethereum(account: 2))
        let child = try accounts.key(at: 9)
        let first = try key.child(0)
        let second = try first.key.child(9)
        #expect(child.publicKey == second.key.point && child.path == "m/44'/60'/2'/0/9")
        #expect(child.tweak == first.tweak + second.tweak)
        #expect(throws: HDKeyError.badPath) { try accounts.key(at: hardened) }
        #expect(try EthereumAccounts(groupKey: .generator).key(at: 9).path == "m/60/9")
    }
}
