import Curves
import Secrets
import TestSupport

/// A test's secrets, in the clear on either side.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
}

func reveal(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

func scalar<Group: Curve>(_ text: String, in group: Group.Type = Group.self) throws -> SecretScalar<Group> {
    try SecretScalar(canonical: secret(hex(text)))
}
