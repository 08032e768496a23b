public import Amounts
internal import Ethereum

/// The limits of this module, each with its reason.
public enum WalletLimits {
    /// Bytes of a message to be signed, on each chain.
    public static let messageBytes = EthereumLimits.messageBytes

    /// Ethereum accounts among which the signer of a transaction or message is searched. Deriving them takes a tenth of
    /// a second.
    public static let accounts: UInt32 = 100

    /// Characters of a payment request's label or message that are shown: a line or two on any terminal.
    static let requestText = 200

    /// Bytes of a minisign file that is read: comments of minisign's greatest sizes (1 KiB and 8 KiB), and the rest.
    public static let minisignBytes = 10 << 10

    /// Bytes of a trusted comment to be signed, so that a person sees all of it.
    static let trustedCommentBytes = 1 << 10

    /// Bytes of a policy file: a thousand rules, or twenty thousand addresses.
    public static let policyBytes = 1 << 20

    /// Characters of a rule's name, which every decision contains.
    public static let policyNameCharacters = 64

    /// A fee this many times as high as the node's estimate gets a finding. Estimates double within minutes in a
    /// congestion.
    public static let feeMultiple: UInt256 = 5

    /// A fee of this much of the payment, in per cent, and above ``smallFee(on:)``, is a costly finding.
    static let largeFeePercent: UInt256 = 25

    /// The highest fee of a Bitcoin payment, in satoshi, if the user names none: it pays for a transaction with many
    /// inputs in any congestion so far.
    static let usualBitcoinFee: UInt256 = 500_000

    /// Returns the fee, in the smallest unit, that does little harm however small the payment is: 10,000 satoshi, 0.001
    /// ether, and on other chains a twentieth of the default fee limit. When blocks are full, paying a few satoshi
    /// always costs more than the payment.
    static func smallFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 10_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 20).quotient) ?? .zero
        }
    }

    /// Returns the fee, in the smallest unit, above which a fee is a costly finding, whatever the payment and the
    /// node's estimate are: 100,000 satoshi, 0.005 ether, and on other chains a quarter of the default fee limit. It
    /// pays for 200 satoshi a virtual byte of a transaction with five inputs, or for a transfer of tokens at 80 gwei;
    /// few days ever needed more.
    static func largeFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 100_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 4).quotient) ?? .zero
        }
    }

    /// Characters in all lines of typed data: the largest in use, orders of many items, have some tens of thousands.
    static let shownDataCharacters = 65_536

    /// An approval's file has some 350 bytes.
    static let approvalSize = 4_096

    /// Seconds by which a clock may be ahead unnoticed.
    package static let clockDeviation: UInt64 = 3_600

    /// The number of times that a clock may turn out to have been ahead. After that, entries in the future count only
    /// from their recorded time.
    package static let clockCorrections = 16

    /// Characters of a payment's key: an invoice's number or a UUID. A hundred of them are in one entry's room.
    static let paymentKeySize = 64

    /// The size of one entry with its signed transaction: nodes relay no transaction of more than 400,000 bytes.
    package static let historyEntrySize = 768 << 10

    /// The growth of an entry after it was written: heights, states, clock corrections.
    package static let bookItemGrowth = 512

    /// Characters of a message that the history keeps, so that the user recognises it.
    static let rememberedCharacters = 256
}
