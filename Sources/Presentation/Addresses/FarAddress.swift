internal import Payments

/// An address beyond the range that commands search by default.
package enum FarAddress {
    /// The warning that only this machine searches the address by default.
    package static func warning(_ index: UInt32) -> String {
        "address number \(index) lies behind the first \(PaymentLimits.commonAddresses), at which commands look: another "
            + "machine finds its coins only with --addresses \(index + 1)"
    }
}
