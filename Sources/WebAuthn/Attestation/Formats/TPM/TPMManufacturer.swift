/// The manufacturer of a TPM: four bytes, mostly letters, assigned by the Trusted Computing Group.
///
/// TCG TPM Vendor ID Registry, Family 1.2 and 2.0.
public struct TPMManufacturer: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reads the text of certificates, `id:` and eight hexadecimal digits; nil for any other. (TCG EK Credential
    /// Profile, section 3.1.2.)
    public init?(text: String) {
        let text = text.utf8
        guard text.count == 11, text.starts(with: "id:".utf8) else { return nil }
        let digits = text.dropFirst(3)
        // `UInt32(_:radix:)` would accept a sign.
        guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        self.init(rawValue: number)
    }

    /// The manufacturers of the registry (version 1.07), by their letters; short ones are filled with zeros or spaces.
    public static let registered: Set<TPMManufacturer> = Set(
        [
            // AMD, Ant Group, Atmel, Broadcom, Cisco, FlySlice, Rockchip, Google
            "AMD\0", "ANT\0", "ATML", "BRCM", "CSCO", "FLYS", "ROCC", "GOOG",
            // HPI, HPE, Huawei, IBM, Infineon, Intel, Lenovo, Microsoft
            "HPI\0", "HPE\0", "HISI", "IBM\0", "IFX\0", "INTC", "LEN\0", "MSFT",
            // National Semiconductor, Nationz, Nuvoton, NSING, Qualcomm, Samsung, SecEdge, Sinosun
            "NSM ", "NTZ\0", "NTC\0", "NSG\0", "QCOM", "SMSN", "SECE", "SNS\0",
            // SMSC, STMicroelectronics, Texas Instruments, Winbond, SealSQ
            "SMSC", "STM ", "TXN\0", "WEC\0", "SEAL",
        ].map { letters in
            TPMManufacturer(rawValue: letters.utf8.reduce(0) { $0 << 8 | UInt32($1) })
        })
}
