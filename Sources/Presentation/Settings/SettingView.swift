package import Custody
internal import Nodes

/// The view of a setting. A node's address is shown without user, password and path, which may be a key.
package struct SettingView: Encodable {
    package let key: String
    package let value: String

    package init(_ name: Settings.Name, _ value: String) {
        key = name.text
        self.value =
            if case .node = name.key { (try? NodeAddress(value))?.description ?? "" } else { value }
    }
}
