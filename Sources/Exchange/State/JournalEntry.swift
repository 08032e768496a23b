internal import Encoding
internal import ExchangeCredentials
public import Time

/// An order in the journal.
public struct JournalEntry: Equatable, Sendable {
    /// The known outcome of an order.
    public enum State: Equatable, Sendable {
        /// The order may have been sent. Its outcome is unknown.
        case open
        /// The exchange has the order, under this id of its own.
        case placed(exchangeID: String)
        /// The exchange refused it.
        case refused(Refusal)
        /// The exchange did not have it, and could no longer accept it.
        case absent
        /// No byte of it was sent, or the exchange asked for a pause instead.
        case notSent
    }

    /// The client's id.
    public let id: ClientOrderID
    /// The order.
    public let order: Order
    /// The time at which it was written, by this machine's clock.
    public let created: Timestamp
    /// The time, by the exchange's clock, after which the exchange no longer accepts the order.
    public internal(set) var deadline: Timestamp
    /// The known outcome.
    public internal(set) var state: State
    /// Whether a person has seen the outcome, or need not see it.
    public internal(set) var isReported = true

    /// Whether the outcome is unknown.
    public var isOpen: Bool { state == .open }

    /// The order as the journal knows it, if the exchange has it.
    var placed: PlacedOrder? {
        guard case .placed(let exchangeID) = state else { return nil }
        return PlacedOrder(id: id, exchangeID: exchangeID, status: .accepted, filled: nil)
    }
}

extension JournalEntry {
    /// The encoding: see ``init(from:)``.
    func encode(into writer: inout ByteWriter) {
        func append(_ text: String) {
            let bytes = Array(text.utf8)
            writer.append(UInt8(bytes.count))
            writer.append(bytes)
        }
        writer.append(id.bytes)
        writer.append(order.symbol.venue == .binance ? 1 : 2)
        append(order.symbol.text)
        writer.append(order.side.rawValue)
        append(order.amount.description)
        switch order.kind {
        case .market: writer.append(0)
        case .limit(let price, let time):
            writer.append(time.rawValue)
            append(price.description)
        }
        writer.timestamp(created)
        writer.timestamp(deadline)
        let mark = isReported ? 0 : Self.unreported
        switch state {
        case .open: writer.append(0 | mark)
        case .placed(let exchangeID):
            writer.append(1 | mark)
            append(exchangeID)
        case .refused(let refusal):
            writer.append(2 | mark)
            writer.append(refusal.reason.rawValue)
            append(refusal.code)
        case .absent: writer.append(3 | mark)
        case .notSent: writer.append(4 | mark)
        }
    }

    /// The bit in the state's byte for an order whose outcome no person has seen.
    private static let unreported: UInt8 = 0x80

    /// Reads an entry: id (16 bytes), exchange, symbol, side, amount, kind with its price, two times, state. Texts come
    /// after their sizes in one byte.
    init(from reader: inout ByteReader) throws(EncodingError) {
        func text() throws(EncodingError) -> String {
            let size = Int(try reader.uint8())
            guard let text = String(validating: try reader.bytes(size), as: UTF8.self) else { throw .unsupported }
            return text
        }
        /// A number in its one written form.
        func quantity(_ field: InputField) throws(EncodingError) -> Quantity {
            let text = try text()
            guard let quantity = try? Quantity(text, for: field) else { throw .unsupported }
            guard quantity.description == text else { throw .notCanonical }
            return quantity
        }
        /// A name or a code: visible ASCII.
        func name() throws(EncodingError) -> String {
            let text = try text()
            guard (1...ExchangeLimits.nameCharacters).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw .unsupported }
            return text
        }
        guard let id = ClientOrderID(bytes: Array(try reader.bytes(16))) else { throw .truncated }
        let venue: Venue
        switch try reader.uint8() {
        case 1: venue = .binance
        case 2: venue = .kraken
        default: throw .unsupported
        }
        guard let symbol = try? TradingSymbol(try text(), on: venue),
            let side = Order.Side(rawValue: try reader.uint8())
        else { throw .unsupported }
        let amount = try quantity(.amount)
        let kind: Order.Kind
        let time = try reader.uint8()
        if time == 0 {
            kind = .market
        } else {
            guard let time = Order.TimeInForce(rawValue: time) else { throw .unsupported }
            kind = .limit(price: try quantity(.price), time)
        }
        guard let order = try? Order(side, amount, of: symbol, kind) else { throw .unsupported }
        let created = try reader.timestamp()
        let deadline = try reader.timestamp()
        let state: State
        let byte = try reader.uint8()
        switch byte & ~Self.unreported {
        case 0: state = .open
        case 1: state = .placed(exchangeID: try name())
        case 2:
            guard let reason = Refusal.Reason(rawValue: try reader.uint8()) else { throw .unsupported }
            state = .refused(Refusal(reason: reason, code: try name()))
        case 3: state = .absent
        case 4: state = .notSent
        default: throw .unsupported
        }
        self.init(
            id: id, order: order, created: created, deadline: deadline, state: state,
            isReported: byte & Self.unreported == 0)
    }
}
