package import Custody
internal import Nodes
internal import PinnedHTTP

/// The view of a setting. The addresses of nodes and proxies are shown without user and password, and without a node's
/// path, which may be a key.
package struct SettingView: Encodable {
    package let key: String
    package let value: String

    package init(_ name: Settings.Name, _ value: String) {
        key = name.text
        self.value =
            switch name.key {
            case .node: (try? NodeAddress(value))?.description ?? ""
            case .nodeProxy, .exchangeProxy: SOCKSProxy(url: value).map(Self.text) ?? ""
            default: value
            }
    }

    private static func text(_ proxy: SOCKSProxy) -> String {
        "socks5://\(proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host):\(proxy.port)"
    }
}
