import Payments
import SigningSession
import Synchronization

/// The events in order.
final class Hearing: Sendable {
    enum Event: Equatable {
        case signing(SigningEvent)
        case payment(PaymentEvent)
    }

    private let heard = Mutex<[Event]>([])
    var events: [Event] { heard.withLock(\.self) }
    var listener: PaymentListener { { event in self.heard.withLock { $0.append(.payment(event)) } } }
    var signingListener: SigningListener { { event in self.heard.withLock { $0.append(.signing(event)) } } }
}
