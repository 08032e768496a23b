import Bitcoin
import Curves
import Encoding
import HDKeys
import TestSupport
import Testing

@Suite("BIP-84, BIP-86 and SLIP-132 vectors: from the master key to the addresses", .withVectors)
struct AccountVectorTests {
    private func exported(_ key: borrowing ExtendedPrivateKey) -> String {
        key.exportedText(on: .mainnet, danger: .whoeverReadsItHasEveryKeyBelow).exposedText
    }

    @Test("BIP-84: account, keys and addresses of its mnemonic; its own prefix is refused by name")
    func bip84() throws {
        let account = try ExtendedPrivateKey(seed: guarded(Vectors.zeroSeed)).derive(
            AccountTemplate.bitcoin(.segwit, on: .mainnet, account: 0))
        let zpub = try #require(try Vectors.values("xpub", in: "bip-0084").first)
        #expect(try ScriptPrefix.read(zpub, on: .mainnet).key == account.neutered())
        let zprv = try #require(try Vectors.values("xpriv", in: "bip-0084").first)
        #expect(throws: HDKeyError.otherScripts(.segwit)) {
            _ = try ExtendedPrivateKey(text: guarded(zprv), on: .mainnet)
        }
        let wallet = try SegwitAccount(key: account.neutered(), network: .mainnet)
        let addresses = try [(AddressPath.Chain.receive, UInt32(0)), (.receive, 1), (.change, 0)].map {
            try wallet.address(at: AddressPath($0, index: $1)).description
        }
        #expect(try addresses == Vectors.values("address", in: "bip-0084"))
        let keys = try ["m/0/0", "m/0/1", "m/1/0"].map { try hex(account.derive(DerivationPath($0)).point.encoded) }
        #expect(try keys == Vectors.values("pubkey", in: "bip-0084").map { $0.replacing("0x", with: "") })
    }

    @Test("BIP-86: account, keys and addresses of its mnemonic")
    func bip86() throws {
        let master = try ExtendedPrivateKey(seed: guarded(Vectors.zeroSeed))
        #expect(try Vectors.values("rootpriv", in: "bip-0086") == [exported(master)])
        let account = try master.derive(AccountTemplate.bitcoin(.taproot, on: .mainnet, account: 0))
        let private_ = try ["m", "m/0/0", "m/0/1", "m/1/0"].map {
            try exported(account.derive(DerivationPath($0)))
        }
        #expect(try private_ == Vectors.values("xprv", in: "bip-0086"))
        let wallet = try TaprootAccount(key: account.neutered(), network: .mainnet)
        let addresses = try [(AddressPath.Chain.receive, UInt32(0)), (.receive, 1), (.change, 0)].map {
            try wallet.address(at: AddressPath($0, index: $1)).description
        }
        #expect(try addresses == Vectors.values("address", in: "bip-0086"))
    }
}
