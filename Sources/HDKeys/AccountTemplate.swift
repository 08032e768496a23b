/// The path of an account below the master key: `m/84'/0'/0'` (BIP-44, 49, 84 and 86).
///
/// Only paths with a standard meaning can be made.
public struct AccountTemplate: Hashable, Sendable {
    /// The standard of the path, which determines the scripts.
    public enum Purpose: UInt32, CaseIterable, Hashable, Sendable {
        /// BIP-44: P2PKH; and Ethereum's addresses.
        case legacy = 44
        /// BIP-49: P2WPKH in P2SH.
        case nestedSegwit = 49
        /// BIP-84: P2WPKH.
        case segwit = 84
        /// BIP-86: P2TR, by the key alone.
        case taproot = 86
    }

    /// The coin (SLIP-44).
    public enum CoinType: UInt32, CaseIterable, Hashable, Sendable {
        /// Bitcoin (SLIP-44).
        case bitcoin = 0
        /// Bitcoin's test networks, all of them.
        case bitcoinTest = 1
        /// Ethereum (SLIP-44).
        case ethereum = 60
    }

    /// The first step: the standard, and so the kind of addresses.
    public let purpose: Purpose
    /// The second step: the coin.
    public let coinType: CoinType
    /// The third step: the account number, 0..<2³¹.
    public let account: UInt32

    /// Returns an account of Bitcoin.
    ///
    /// - Throws: ``HDKeyError/badPath`` for an account from 2³¹ on.
    public static func bitcoin(
        _ purpose: Purpose, on network: Network, account: UInt32
    ) throws(HDKeyError) -> AccountTemplate {
        try AccountTemplate(purpose, network == .mainnet ? .bitcoin : .bitcoinTest, account)
    }

    /// Returns an account of Ethereum, the same on every chain.
    ///
    /// - Throws: ``HDKeyError/badPath`` for an account from 2³¹ on.
    public static func ethereum(account: UInt32) throws(HDKeyError) -> AccountTemplate {
        try AccountTemplate(.legacy, .ethereum, account)
    }

    private init(_ purpose: Purpose, _ coinType: CoinType, _ account: UInt32) throws(HDKeyError) {
        guard account < DerivationPath.Step.hardened else { throw .badPath }
        self.purpose = purpose
        self.coinType = coinType
        self.account = account
    }

    /// Reads the template from a path of three consistent hardened steps; nil for any other path.
    public init?(_ path: DerivationPath) {
        guard path.steps.count == 3, path.steps.allSatisfy(\.isHardened),
            let purpose = Purpose(rawValue: path.steps[0].index),
            let coinType = CoinType(rawValue: path.steps[1].index), coinType != .ethereum || purpose == .legacy
        else { return nil }
        self.purpose = purpose
        self.coinType = coinType
        account = path.steps[2].index
    }

    /// The path: `m/purpose'/coin'/account'`.
    public var path: DerivationPath { DerivationPath(few: steps) }

    /// Returns the path of an address: `m/purpose'/coin'/account'/chain/index`. Ethereum's addresses are all on the
    /// receiving chain.
    public func path(to address: AddressPath) -> DerivationPath {
        DerivationPath(
            few: steps + [
                DerivationPath.Step(number: address.chain.rawValue), DerivationPath.Step(number: address.index),
            ])
    }

    private var steps: [DerivationPath.Step] {
        [purpose.rawValue, coinType.rawValue, account].map {
            DerivationPath.Step(number: $0 | DerivationPath.Step.hardened)
        }
    }
}

extension AccountTemplate: CustomStringConvertible {
    /// The path as text: `m/84'/0'/0'`.
    public var description: String { path.description }
}
