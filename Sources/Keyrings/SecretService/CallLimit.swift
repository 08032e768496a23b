internal import CKeyrings
internal import Dispatch

/// The deadline of the calls of one operation. Calls return at the deadline, also those that have no time-out of their
/// own: they are cancelled from another thread.
final class CallLimit: @unchecked Sendable {
    // `@unchecked`: GCancellable can be cancelled from every thread, and nothing else changes.

    let pointer: OpaquePointer

    /// The libraries must be loaded.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let milliseconds = max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        pointer = ck_limit_new(milliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds))) { [weak self] in
            if let self { ck_limit_cancel(self.pointer) }
        }
    }

    deinit { ck_limit_free(pointer) }
}
