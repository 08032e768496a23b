package import Bitcoin
package import Payments
package import Texts

extension CoinFault {
    package var failure: Failure {
        switch self {
        case .frozen(let coin): .frozen(coin)
        case .unknown(let coin):
            Failure(
                code: .refused, name: "no_such_coin",
                message: "no coin \(coin) was found at the wallet's scanned addresses",
                hint: "'fueki coins list' shows the coins; --index-range looks at further addresses")
        }
    }
}

extension Failure {
    package static func frozen(_ coin: OutPoint) -> Failure {
        Failure(
            code: .refused, name: "coin_frozen", message: "the coin \(coin) is frozen",
            hint: "'fueki coins unfreeze' with the wallet's name and the coin releases it")
    }
}
