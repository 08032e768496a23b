internal import Nodes
package import PinnedHTTP
package import Texts

extension PinPolicy.Fault: Explained {
    package var failure: Failure { Failure(code: .malformed, name: "bad_pin_policy", message: clause) }
}
