@testable import Exchange

/// Messages as the exchanges document them.
enum StreamSamples {
    static let binanceQuote =
        #"{"u":400900217,"s":"BNBUSDT","b":"25.35190000","B":"31.21000000","a":"25.36520000","A":"40.66000000"}"#
    static let binanceTrade =
        #"{"e":"trade","E":1672515782136,"s":"BNBUSDT","t":12345,"p":"0.001","q":"100","T":1672515782136,"m":true,"M":true}"#
    static let krakenTicker =
        #"{"channel":"ticker","type":"update","data":[{"symbol":"ALGO/USD","bid":0.10025,"bid_qty":740.0,"ask":0.10036,"ask_qty":1.361e3,"last":0.10035}]}"#
    static let krakenTrade =
        #"{"channel":"trade","type":"update","data":[{"symbol":"ALGO/USD","side":"sell","price":0.5117,"qty":4e-05,"ord_type":"market","trade_id":4665906,"timestamp":"2023-09-25T07:49:37.708706Z"}]}"#

    /// An execution report of Binance about an order of this id.
    static func binanceReport(
        _ id: String, original: String = "", state: String = "PARTIALLY_FILLED", side: String = "BUY",
        amount: String = "1.25", symbol: String = "BTCUSDT"
    ) -> String {
        """
        {"subscriptionId":0,"event":{"e":"executionReport","E":1499405658658,"s":"\(symbol)","c":"\(id)",\
        "S":"\(side)","o":"LIMIT","f":"GTC","q":"\(amount)","p":"37500.50000000","P":"0.00000000","F":"0.00000000",\
        "g":-1,"C":"\(original)","x":"TRADE","X":"\(state)","r":"NONE","i":4293153,"l":"0.50000000","z":"0.50000000",\
        "L":"37500.00000000","n":"0","N":null,"T":1499405658657,"t":-1,"w":true,"m":false,"V":"NONE"}}
        """
    }

    /// Kraken's report of a new order, and of its cancellation, which has the changed members only.
    static func krakenNew(_ id: String, number: UInt64 = 1, amount: String = "1.25") -> String {
        """
        {"channel":"executions","type":"snapshot","data":[{"order_id":"OK4GJX-KSTLS-7DZZO5","cl_ord_id":"\(id)",\
        "symbol":"BTC/USD","order_qty":\(amount),"cum_cost":0.0,"time_in_force":"GTC","exec_type":"new","side":"buy",\
        "order_type":"limit","limit_price":37500.5,"order_status":"new","timestamp":"2023-09-22T10:33:05.709950Z"}],\
        "sequence":\(number)}
        """
    }

    static func krakenCancelled(number: UInt64 = 2) -> String {
        """
        {"channel":"executions","type":"update","data":[{"timestamp":"2023-09-22T10:33:06Z","order_status":"canceled",\
        "exec_type":"canceled","order_id":"OK4GJX-KSTLS-7DZZO5"}],"sequence":\(number)}
        """
    }
}
