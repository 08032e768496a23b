#if canImport(Glibc)
    internal import CTPM
    internal import SecureStorage

    extension Connection {
        /// Asks the TPM for the state of its protection against guessing.
        func dictionaryAttackState() throws(SecureStorageError) -> DictionaryAttackState {
            var more: UInt8 = 0
            var data: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
            try check(
                tss.pointee.Esys_GetCapability(context, .none, .none, .none, 6, 0x200, 0x20, &more, &data))
            let bytes = try taking(data) { pointer throws(SecureStorageError) in
                try pointer.encoded(limit: 1024, writing: tss.pointee.Tss2_MU_TPMS_CAPABILITY_DATA_Marshal)
            }
            guard let state = try? DictionaryAttackState(decoding: bytes) else { throw .tpm(.malformedAnswer) }
            return state
        }

        /// Uses an object whose wrong authorizations the TPM counts.
        ///
        /// Afterwards it tells the TPM that the power may go. A TPM that lost its power since such an object was used counts a
        /// wrong authorization at its next start (TPM 2.0, part 1, section 19.8.6), because it cannot know whether the power
        /// was cut to hide one; so crashes and empty batteries would lock the user out (systemd#20668,
        /// tpm2-tools#583). A wrong authorization is counted at once, in memory that keeps it: the message takes none
        /// back, and gives a guesser nothing.
        func usingCountedObject<Result: ~Copyable>(
            _ body: () throws(SecureStorageError) -> Result
        ) throws(SecureStorageError) -> Result {
            defer { _ = tss.pointee.Esys_Shutdown(context, .none, .none, .none, 0) }
            return try body()
        }

        /// Returns the error for a failed use of such an object.
        func error(of code: ResponseCode) -> SecureStorageError {
            guard code.isCountedFailure || code.isLockout else { return .tpm(code.fault) }
            guard let state = try? dictionaryAttackState() else {
                return .tpm(code.isLockout ? .lockedOut(seconds: nil) : .authenticationFailed(attemptsLeft: nil))
            }
            // The attempt that used up the last one was wrong, and the next one is refused: say the latter at once.
            return .tpm(
                code.isLockout || state.isLockedOut
                    ? .lockedOut(seconds: Int(state.interval)) : .authenticationFailed(attemptsLeft: state.attemptsLeft)
            )
        }
    }
#endif
