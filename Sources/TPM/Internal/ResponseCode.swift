#if canImport(Glibc)
    internal import SecureStorage

    /// The result of a call of tpm2-tss: a number of the TPM's, or of one of the layers above it.
    struct ResponseCode: Equatable {
        let rawValue: UInt32

        var isSuccess: Bool { rawValue == 0 }

        /// The number of the layer that gave it: 0 is the TPM.
        private var layer: UInt32 { rawValue >> 16 & 0xff }

        /// The TPM's own number, without the parameter, handle or session that it is about (TPM 2.0, part 2, section 6.6.2);
        /// nil if another layer gave it.
        private var ofTPM: UInt32? {
            // Resource managers pass on the TPM's numbers under layers of their own.
            guard layer == 0 || layer == 11 || layer == 12 else { return nil }
            let number = rawValue & 0xfff
            return number & 0x80 != 0 ? number & 0xbf : number
        }

        /// A wrong authorization, which was counted.
        var isCountedFailure: Bool { ofTPM == 0x8e }
        /// A wrong authorization of something that does not count them: the owner's.
        var isBadAuthorization: Bool { ofTPM == 0xa2 }
        var isLockout: Bool { ofTPM == 0x921 }
        /// The policy does not fit: other PCRs.
        var isPolicyFailure: Bool { ofTPM == 0x9d }
        /// A PCR was extended between the policy and its use.
        var isPCRChange: Bool { ofTPM == 0x128 }
        /// No such object or index.
        var isUnknownHandle: Bool { ofTPM == 0x8b }
        /// The index exists.
        var isDefined: Bool { ofTPM == 0x14c }
        /// A private part that another TPM, or this one before it was cleared, has made.
        var isForeign: Bool { ofTPM == 0x9f }
        /// No memory left for objects, sessions or indexes.
        private var isFull: Bool { [0x902, 0x903, 0x904, 0x905, 0x906, 0x14b].contains(ofTPM) }
        /// An answer whose check failed or that cannot be read: from the enhanced or system API, or the encoding.
        private var isMalformed: Bool {
            // General failure, buffer too small, bad value, bad size, malformed, two kinds of too short, failed check.
            (7...9).contains(layer) && [0x01, 0x06, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x1b].contains(rawValue & 0xffff)
        }
        private var isOfTransport: Bool { layer == 10 }
        /// The transport could not connect, or lost its connection.
        private var isConnection: Bool { isOfTransport && [0x08, 0x0a].contains(rawValue & 0xffff) }

        /// The fault of a call for which this number has no other meaning.
        var fault: BackendFault {
            if isLockout { return .lockedOut(seconds: nil) }
            if isBadAuthorization || isCountedFailure { return .unavailable(.noPermission) }
            if isForeign { return .bindingChanged(.device) }
            if isFull { return .full }
            if isConnection { return .unavailable(.noDevice) }
            if isMalformed || isOfTransport { return .malformedAnswer }
            return .refused(code: Int(rawValue))
        }
    }
#endif
