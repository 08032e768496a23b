import Bitcoin
import Curves
import Encoding
import HDKeys
import TestSupport
import Testing

@Suite("BIP-84, BIP-86 and SLIP-132 vectors: from the master key to the addresses")
struct AccountVectorTests {
    private func exported(_ key: borrowing ExtendedPrivateKey) -> String {
        key.exportedText(on: .mainnet, danger: .whoeverReadsItHasEveryKeyBelow).exposedText
    }

    /// The values with that name of the three addresses: two that receive, and one for change.
    private func values(_ name: String, of file: TestSupport.JSON) throws -> [String] {
        try file["addresses"].array(of: 3).map { try $0[name].string }
    }

    @Test("BIP-84: account, keys and addresses of its mnemonic; its own prefix is refused by name")
    func bip84() throws {
        let file = try Vectors.json("bip84")
        let account = try ExtendedPrivateKey(seed: guarded(Vectors.zeroSeed)).derive(
            AccountTemplate.bitcoin(.segwit, on: .mainnet, account: 0))
        let zpub = try file["account"]["public"].string
        #expect(try ScriptPrefix.read(zpub, on: .mainnet).key == account.neutered())
        let zprv = try file["account"]["private"].string
        #expect(throws: HDKeyError.otherScripts(.segwit)) {
            _ = try ExtendedPrivateKey(text: guarded(zprv), on: .mainnet)
        }
        let wallet = try SegwitAccount(key: account.neutered(), network: .mainnet)
        let addresses = try [(AddressPath.Chain.receive, UInt32(0)), (.receive, 1), (.change, 0)].map {
            try wallet.address(at: AddressPath($0, index: $1)).description
        }
        #expect(try addresses == values("address", of: file))
        let keys = try ["m/0/0", "m/0/1", "m/1/0"].map { try hex(account.derive(DerivationPath($0)).point.encoded) }
        #expect(try keys == values("public_key", of: file))
    }

    @Test("BIP-86: account, keys and addresses of its mnemonic")
    func bip86() throws {
        let file = try Vectors.json("bip86")
        let master = try ExtendedPrivateKey(seed: guarded(Vectors.zeroSeed))
        #expect(try file["root"].string == exported(master))
        let account = try master.derive(AccountTemplate.bitcoin(.taproot, on: .mainnet, account: 0))
        let private_ = try ["m", "m/0/0", "m/0/1", "m/1/0"].map {
            try exported(account.derive(DerivationPath($0)))
        }
        #expect(try private_ == [file["account"]["private"].string] + values("private", of: file))
        let wallet = try TaprootAccount(key: account.neutered(), network: .mainnet)
        let addresses = try [(AddressPath.Chain.receive, UInt32(0)), (.receive, 1), (.change, 0)].map {
            try wallet.address(at: AddressPath($0, index: $1)).description
        }
        #expect(try addresses == values("address", of: file))
    }
}
