/// The numbers on which this target's decisions depend, each with its reason.
enum Limits {
    /// Blocks whose times a history asks for, the newest first: each costs two requests.
    static let times = 200
    /// Spent coins of others' payments whose transactions a history asks for, the newest first: each costs a few requests.
    static let looks = 200
    /// Virtual bytes of those transactions: a node could send 4 megabytes for each. Most have some hundred.
    static let size = 16 << 20
    /// Transactions that a history asks for only to tell change from income: each costs a few requests.
    static let origins = 200
    /// Inputs of one transaction whose origin a history asks for. This wallet's transactions spend its own coins only,
    /// so that the first input is enough to recognise one; the others complete the amount.
    static let inputs = 20
}
