/// The numbers on which this target's decisions depend, each with its reason.
public enum PaymentLimits {
    /// Two weeks, in seconds: after that, nodes have dropped unconfirmed transactions, and the same payment is usually
    /// another one.
    public static let duplicateSeconds: UInt64 = 14 * 86_400
    /// The number of Bitcoin blocks after which a block is final, unless the whole network is attacked.
    static let bitcoinFinalDepth: UInt32 = 6
    /// The number of unused accounts after which the search ends.
    static let unusedAccounts = 3
    /// The number of times that a node may show neither a transaction nor its replacement: a block may come between two
    /// answers.
    static let bitcoinLooks = 6
    /// The number of times that a node may report a nonce as used without showing the transaction with it.
    static let ethereumLooks = 3
    /// The number of first addresses about which a node without address records is asked at once.
    static let freshAddresses = 100
    /// How far an address may be after the last one that was shown: no claim of a node makes a wallet receive at an
    /// address that other machines do not search.
    static let freshAddressSpan: UInt32 = 1_000
    /// The number of addresses that commands search by default, beside those that this machine has shown.
    public static let commonAddresses: UInt32 = 200
    /// Unconfirmed transactions that depend on each other, including the new one: Bitcoin Core relays no longer chains
    /// (`-limitancestorcount`, `-limitdescendantcount`).
    static let waitingAncestors = 25
    /// Virtual bytes of the same transactions (`-limitancestorsize`).
    static let waitingSize = 101_000
    /// Virtual bytes of a change output, the largest that this wallet makes (P2TR: 8 of the amount, 35 of the script).
    static let changeSize = 43
    /// A plan may leave change up to this amount, in satoshi, to the miner: spending it later costs at most 575.
    static let leastChange: UInt64 = 1_000
    /// The pause between two polls for a Bitcoin block. On a local test chain blocks are made by hand.
    static let bitcoinPause = Duration.seconds(10)
    static let regtestPause = Duration.milliseconds(500)
    /// The pause on Ethereum, where blocks come every twelve seconds; other chains have up to several a second.
    static let ethereumPause = Duration.seconds(1)
    /// How long an Ethereum node may hide a transaction before the wait for it ends: some nodes show a transaction only
    /// when it is mined, and offer it to block producers for about five minutes. On Bitcoin `bitcoinLooks` ends the
    /// wait.
    public static let unseenOnEthereum = Duration.seconds(900)
    /// The interval, in seconds, at which a listener is told that the wait continues.
    static let ethereumWord = 15
}
