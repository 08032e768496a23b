import ErrorTestSupport

/// The values of errors that may be shown, and why. Every other value stands in no text.
///
/// A place is the type, the case and the label of a value, as ``ReflectedError`` names them.
enum ShownValues {
    static let all: [ErrorWalk.Shown] =
        shown(
            "the person gave the path, or the wallet's description names it: it is what to look at",
            "Custody.BookFault.damaged.path", "Custody.BookFault.foreign.path", "Custody.BookFault.foreign.seen",
            "Custody.BookFault.missing.path", "Custody.BookFault.missing.seen", "Custody.BookFault.notWritable.path",
            "Custody.BookFault.unreadable.path", "Custody.CustodyError.approverKey.path",
            "Custody.CustodyError.log.path", "Custody.CustodyError.noFolder.path",
            "Custody.CustodyError.shareFile.path", "Custody.PassphraseFault.interrupted.path",
            "Custody.PassphraseFault.neither.path", "Custody.ShareFault.behind.path",
            "Custody.RenewalFault.elsewhere.path", "Custody.RenewalFault.placeAway.folder",
            "Custody.RenewalFault.shareNotLost.path", "Custody.SettingsFault.malformed.path",
            "Custody.SettingsFault.unreadable.path", "Custody.SettingsFault.unwritable.path",
            "Custody.ShareFault.countsMissing.path", "Custody.ShareFault.foreign.path",
            "Custody.ShareFault.foreignCounts.path", "Custody.ShareFault.missing.path",
            "Custody.ShareFault.notMade.path", "Custody.ShareFault.notWritable.path",
            "Custody.ShareFault.otherEpoch.path", "Custody.ShareFault.outdated.path",
            "Custody.ShareFault.unreadable.path", "Custody.DeletionObstacle.foreignFiles")
        + shown(
            "a wallet, a share, a contact, a setting or a payment's key is called by its name",
            "Custody.BookFault.contactExists.name", "Custody.BookFault.noSuchContact.name",
            "Custody.CustodyError.damagedWallet.name", "Custody.CustodyError.noSuchShare.name",
            "Custody.CustodyError.noSuchWallet.name", "Custody.CustodyError.unfinishedCreation.name",
            "Custody.CustodyError.walletExists.name",
            "Custody.LabelFault.ambiguous.label", "Custody.LabelFault.ambiguous.wallets",
            "Custody.LabelFault.taken.label", "Custody.LabelFault.taken.wallet",
            "Wallet.PaymentKey.text", "Custody.RenewalFault.elsewhere.name", "Custody.RenewalFault.running.name",
            "Custody.PassphraseFault.unfinishedRenewal.name", "Custody.RenewalFault.unfinished.name",
            "Custody.RenewalFault.unsettled.name",
            "Custody.RepairFault.noSuchShare", "Custody.SettingsFault.Flaw.unknownSetting",
            "Custody.ShareFileFault.ofAnotherWallet.wallet", "Custody.WalletName.description",
            "Payments.PayeeFault.badTokenAmount.symbol", "Payments.PayeeFault.noAccount.contact",
            "Payments.PayeeFault.noAddress.contact", "Payments.PayeeFault.noSuchContact")
        + shown(
            "the person wrote it on this command line, and has to see which part is meant",
            "Payments.PayeeFault.malformedAccount", "Wallet.PaymentRequestFault.amountForSeveral",
            "Wallet.PaymentRequestFault.amountMissingOf")
        + shown(
            "the place in the person's own document: identifiers and numbers only",
            "Ethereum.EthereumError.badTypedData.at")
        + shown(
            "a member of the format of pin policies", "PinnedHTTP.PinPolicy.Fault.member")
        + shown(
            "the file of a library that the person has to install",
            "SecureStorage.BackendFault.Unavailability.library")
        + shown(
            "one of the few parameters that the standard defines",
            "Bitcoin.BitcoinURI.Fault.repeated.name", "Ethereum.EthereumURI.Fault.repeated.name")
        + shown(
            "an identifier on a public chain, by which the person finds the transaction, coin or account",
            "Bitcoin.Address<Bitcoin.Checked>", "Bitcoin.OutPoint", "Bitcoin.TransactionID",
            "Custody.BookFault.attemptedMeanwhile.id", "Custody.BookFault.lookAlike.address",
            "Custody.BookFault.notFrozen", "Ethereum.EthereumAddress", "Nodes.NodeError.wrongChain.expected",
            "Payments.DeliveryFault.cancellationTooLate.by", "Payments.DeliveryFault.cancellationTooLate.id",
            "Payments.DeliveryFault.cancelled.by", "Payments.DeliveryFault.cancelled.id",
            "Payments.DeliveryFault.lostSight.id", "Payments.DeliveryFault.minedInstead.by",
            "Payments.DeliveryFault.minedInstead.id", "Payments.DeliveryFault.notSent.id",
            "Payments.DeliveryFault.notShown.id", "Payments.DeliveryFault.replacedByUnknown.id",
            "Payments.DeliveryFault.reverted.id", "Payments.DeliveryFault.spentByUnknown.id",
            "Payments.DuplicatePaymentFault.attemptUnclear.id",
            "Payments.DuplicatePaymentFault.cancellationUnclear.by", "Payments.DuplicatePaymentFault.cancelled.by",
            "Payments.DuplicatePaymentFault.rehearsal.id", "Payments.DuplicatePaymentFault.rivalsWait",
            "Payments.DuplicatePaymentFault.signedBefore.id", "Payments.DuplicatePaymentFault.unclear.id",
            "Payments.DuplicatePaymentFault.unexpected.id", "Payments.NonceFault.behindRefused.id",
            "Payments.NonceFault.proposalTaken.id", "Payments.NonceFault.taken.id", "Payments.NonceFault.unsettled.id",
            "Payments.ReplacementFault.mined.id", "Payments.ReplacementFault.otherChain.id",
            "Payments.ReplacementFault.replaced.by", "Payments.ReplacementFault.unknown.id",
            "Payments.UnsentTransaction.id")
        + shown(
            "the digest of an intent, which the person compares and names again",
            "Payments.DuplicatePaymentFault.unexpected.digest")
        + shown(
            "a node's own words, sanitised, and marked as foreign", "DisplayText.SanitizedText")
        + shown(
            "a sentence of a library about the person's own file, policy or intent",
            "Custody.CustodyError.damagedWallet.reason", "Wallet.Decision.Finding.passed",
            "Wallet.Decision.Finding.reason", "Wallet.Decision.Finding.rule",
            "Wallet.Decision.Limit.reason", "Wallet.Decision.Limit.rule", "Wallet.Finding.name",
            "Wallet.Finding.text", "Wallet.PolicyFault.place", "Wallet.PolicyFault.problem")
        + printed(
            "the text of a payment request: public, and too foreign for a message",
            "Bitcoin.BitcoinURI.Fault.unknownRequirement.name")
        + printed(
            "the address as the person wrote it: a message draws it with marks, or leaves it out",
            "Payments.PayeeFault.badChecksum", "Payments.PayeeFault.notAnAddress.0")
        + shown(
            "the exchange's own code: a number, or one of the texts that it documents", "Exchange.Refusal.code")
        + shown(
            "the ids of an order, of letters, digits and hyphens, by which the person cancels it",
            "Exchange.ExchangeError.testPlaced.ids")
        + printed("the name that the app gave its second copy", "AuditLog.AuditLogError.sinkFailed")
        + printed("the person named this transaction", "Payments.ReplacementFault.replaced.id")

    /// Values that a person sees.
    private static func shown(_ reason: String, _ places: String...) -> [ErrorWalk.Shown] {
        places.map { ErrorWalk.Shown($0, to: .person, reason) }
    }

    /// Values that only a developer sees, who prints the error itself.
    private static func printed(_ reason: String, _ places: String...) -> [ErrorWalk.Shown] {
        places.map { ErrorWalk.Shown($0, to: .developer, reason) }
    }
}
