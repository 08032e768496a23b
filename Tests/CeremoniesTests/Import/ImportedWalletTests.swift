internal import Amounts
internal import Bitcoin
import Curves
internal import Ethereum
internal import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// The operations of a wallet of imported keys.
@Suite("Imported wallets")
struct ImportedWalletTests {
    private static let pairs = [(1, 2), (1, 3), (2, 3)]
    /// The first Ethereum address of this mnemonic, as every wallet shows it.
    private static let ethereum = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94"

    private func sign(
        _ wallet: MadeWallet, _ confirmed: ConfirmedPayload, _ pair: (Int, Int)
    ) async throws -> SignedPayload {
        try await confirmed.sign(
            with: [
                try wallet.participant(pair.0, of: confirmed, ledger: MemoryLedger()),
                try wallet.participant(pair.1, of: confirmed, ledger: MemoryLedger()),
            ], random: SystemRandom())
    }

    /// Signs taproot and P2WPKH inputs with a pair.
    private func spend(_ wallet: MadeWallet, _ pair: (Int, Int)) async throws {
        let signed = try await sign(wallet, try wallet.spend(taproot: 2, segwit: 1), pair)
        // Extracting verifies every signature.
        let transaction = try signed.psbt.finalised().transaction()
        #expect(transaction.inputs.map(\.witness.count) == [1, 1, 2])
    }

    private func pay(_ wallet: MadeWallet, _ pair: (Int, Int)) async throws -> EthereumAddress {
        let transaction = try EthereumTransaction(
            chainID: .ethereum, nonce: 0, gasLimit: 21_000, to: EthereumAddress(Self.ethereum), value: Wei("1eth"),
            data: [],
            kind: .dynamicFee(
                EthereumTransaction.Fees(maxPriorityFeePerGas: Wei("1gwei"), maxFeePerGas: Wei("9gwei")), []))
        let proposed = try ProposedPayload(
            .ethereumTransaction(transaction, account: 0), from: wallet.keys)
        let signed = try await sign(wallet, try proposed.confirmed(proposed.intent.digest, accepting: []), pair)
        guard case .ethereumTransaction(let made) = signed.product else { throw CeremonyError.malformedMessage }
        return try SignedEthereumTransaction(decoding: made.encoded).sender
    }

    @Test(
        "each pair of shares signs taproot and SegWit, whether y of the taproot key is even or odd; and so after a refresh",
        arguments: [true, false])
    func bitcoin(isEven: Bool) async throws {
        let account = try ZeroMnemonic.account(isEven: isEven)
        let wallet = try await MadeWallet(importing: try ZeroMnemonic.keys(for: .bitcoin, account: account))
        #expect(wallet.keys.groups.schnorr.publicKey.hasEvenY == isEven)
        for pair in Self.pairs { try await spend(wallet, pair) }
        let renewed = try await wallet.renewed()
        #expect(renewed.keys.groups != wallet.keys.groups && renewed.keys.groups.isSameKeys(as: wallet.keys.groups))
        #expect(try renewed.keys.accounts == wallet.keys.accounts)
        for pair in Self.pairs { try await spend(renewed, pair) }
    }

    @Test("each pair pays from the Ethereum account of the mnemonic, also after a refresh")
    func ethereum() async throws {
        let wallet = try await MadeWallet(importing: try ZeroMnemonic.keys(for: .ethereum))
        let address = try wallet.keys.accounts.ethereumKey(at: 0)
        #expect(address.address.description == Self.ethereum && address.path == "m/44'/60'/0'/0/0")
        for pair in Self.pairs { #expect(try await pay(wallet, pair).description == Self.ethereum) }
        #expect(try await pay(wallet.renewed(), (1, 3)).description == Self.ethereum)
        // The key that the mnemonic does not give is the wallet's own, and signs too.
        try await spend(wallet, (1, 2))
    }

    @Test("keys that the mnemonic's accounts do not cover are as in every other wallet")
    func ownKeys() throws {
        let keys = try ZeroMnemonic.keys(for: .bitcoin)
        guard case .bitcoin(let taproot, let segwit) = keys.imported.account else {
            throw CeremonyError.malformedMessage
        }
        let accounts = try keys.imported.accounts(schnorr: taproot.point, ecdsa: segwit.point, on: .regtest)
        #expect(try accounts.ethereum == EthereumAccounts(groupKey: segwit.point))
        #expect(accounts.taproot.key == taproot && accounts.segwit?.key == segwit)
        let other = try ZeroMnemonic.keys(for: .ethereum)
        guard case .ethereum(let key) = other.imported.account else { throw CeremonyError.malformedMessage }
        let others = try other.imported.accounts(schnorr: taproot.point, ecdsa: key.point, on: .regtest)
        #expect(try others.taproot == TaprootAccount(groupKey: taproot.point, network: .regtest))
        #expect(try others.segwit == SegwitAccount(groupKey: key.point, network: .regtest))
    }

    @Test("shares of other keys have no imported accounts")
    func otherKeys() throws {
        let imported = try ZeroMnemonic.keys(for: .bitcoin).imported
        guard case .bitcoin(let taproot, let segwit) = imported.account else { throw CeremonyError.malformedMessage }
        for (schnorr, ecdsa) in [
            (-taproot.point, segwit.point), (taproot.point, -segwit.point), (segwit.point, taproot.point),
        ] {
            #expect(throws: HDKeyError.badKey) {
                try imported.accounts(schnorr: schnorr, ecdsa: ecdsa, on: .regtest)
            }
        }
    }

    @Test("an account's number and network are in its path; an impossible number is refused")
    func numbers() throws {
        let keys = try ZeroMnemonic.keys(for: .bitcoin, account: 7, on: .mainnet)
        #expect(try keys.imported.templates(on: .mainnet).map(\.description) == ["m/86'/0'/7'", "m/84'/0'/7'"])
        let tests = try ZeroMnemonic.keys(for: .bitcoin, account: 7, on: .signet)
        #expect(try tests.imported.templates(on: .signet).map(\.description) == ["m/86'/1'/7'", "m/84'/1'/7'"])
        #expect(tests.imported != keys.imported)
        let ethereum = try ZeroMnemonic.keys(for: .ethereum, account: 3)
        #expect(try ethereum.imported.templates(on: .regtest).map(\.description) == ["m/44'/60'/3'"])
        for chain in [ImportedPrivateKeys.Chain.bitcoin, .ethereum] {
            #expect(throws: HDKeyError.badPath) { _ = try ZeroMnemonic.keys(for: chain, account: 1 << 31) }
        }
    }
}
