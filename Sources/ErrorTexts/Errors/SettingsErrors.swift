package import Custody
package import Texts

extension SettingsFault: Explained {
    package var failure: Failure {
        switch self {
        case .relativeCookieFile:
            .usage("the path of a cookie file in the settings begins with '/': commands run in any folder")
        case .relativePinFile:
            .usage("the path of a pin policy in the settings begins with '/': commands run in any folder")
        case .unknownUnit: .usage("a unit of Bitcoin is 'btc' or 'sat'")
        case .unknownChain:
            .usage(
                "the chain is unknown",
                hint:
                    "known chains: bitcoin, ethereum, base, polygon, sepolia and more, and ethereum:NUMBER for any of "
                    + "Ethereum's kind")
        case .unreadable(let path, let error):
            Failure(
                code: .missing, name: "unreadable_settings",
                message: "cannot read the settings \(path): \(error.clause)",
                hint: "only you may have access to the file: 'chmod 600' it, or move it away and set anew")
        case .malformed(let path, let flaw):
            Failure(
                code: .malformed, name: "bad_settings", message: "the settings file \(path) \(flaw.clause)",
                hint: "correct it, or move it away and use 'fueki config set'")
        case .unwritable(let path, let error):
            Failure(
                code: .unwritable, name: "unwritable", message: "cannot write to \(path): \(error.clause)")
        }
    }
}

extension SettingsFault.Flaw {
    fileprivate var clause: String {
        switch self {
        case .notJSON: "is not JSON"
        case .unknownVersion: "is of a version that this fueki does not know"
        case .unknownSetting(let name): "has '\(name)', which is not a setting"
        }
    }
}
