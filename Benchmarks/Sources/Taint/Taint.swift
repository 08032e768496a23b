import CMemcheck
import Secrets

@testable import Curves

/// Marks bytes as secret for memcheck, which follows values computed from them and reports each branch and address that
/// depends on them.
enum Taint {
    static func mark(_ bytes: UnsafeRawBufferPointer) { cmemcheck_make_undefined(bytes.baseAddress, bytes.count) }

    static func mark(_ bytes: borrowing SecretBytes) { bytes.withUnsafeBytes { mark($0) } }

    static func mark<Group>(_ scalar: borrowing SecretScalar<Group>) { mark(scalar.bytes) }

    /// Marks sent bytes as public, even if they were computed from secrets.
    static func publish(_ bytes: [UInt8]) { bytes.withUnsafeBytes { cmemcheck_make_defined($0.baseAddress, $0.count) } }
}

/// A source of secret random bytes.
struct SecretRandom: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        SystemRandom().fill(buffer)
        Taint.mark(UnsafeRawBufferPointer(buffer))
    }
}

extension SecretBytes {
    static func tainted(_ count: Int) -> SecretBytes { SecretBytes(count: count, from: SecretRandom()) }

    static func tainted(_ bytes: [UInt8]) -> SecretBytes {
        var bytes = bytes
        let secret = SecretBytes(moving: &bytes)
        Taint.mark(secret)
        return secret
    }
}
