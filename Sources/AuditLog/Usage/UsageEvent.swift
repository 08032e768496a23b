/// The events that are counted.
public enum UsageEvent: UInt8, CaseIterable, Sendable {
    /// A wallet was made or imported.
    case walletCreated = 1
    /// A payment was handed to a node.
    case paymentSent = 2
    /// A message was signed.
    case messageSigned = 3
    /// The shares of a wallet were renewed.
    case sharesRenewed = 4
    /// A wallet was restored.
    case walletRestored = 5
    /// A policy refused a signature.
    case policyRefused = 6
    /// A person signed in.
    case signedIn = 7
    /// The app ended by a fault.
    case crashed = 8
}

/// A number of events, without the exact value.
public enum UsageRange: String, CaseIterable, Sendable {
    /// None.
    case none = "0"
    /// 1 to 4.
    case few = "1-4"
    /// 5 to 19.
    case some = "5-19"
    /// 20 to 99.
    case many = "20-99"
    /// 100 and more.
    case hundreds = "100+"

    init(_ count: UInt32) {
        self =
            switch count {
            case 0: .none
            case 1...4: .few
            case 5...19: .some
            case 20...99: .many
            default: .hundreds
            }
    }
}
