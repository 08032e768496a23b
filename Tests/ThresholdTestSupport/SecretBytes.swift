package import Curves
package import Secrets
internal import TestSupport

/// A test's secrets, in the clear on either side.
package func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
}

package func reveal(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

package func scalar<Group: Curve>(_ text: String, in group: Group.Type = Group.self) throws -> SecretScalar<Group> {
    try SecretScalar(canonical: secret(hex(text)))
}
