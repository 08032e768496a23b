internal import Foundation

/// Tells which input a decoder trapped on. A trap ends the process, so a signal handler says the last words.
///
/// One note for each thread, because suites run at once. The handler allocates nothing: it formats into memory that was
/// set aside, writes, and lets the signal take its course.
enum FuzzCrash {
    private struct Note {
        var seed: UInt64
        var number = 0
        var count = 0
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        let words = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity + 128)
    }

    /// The number of bytes of an input that are shown.
    private static let capacity = 1024

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-local storage left")
        return key
    }()

    private static var note: UnsafeMutablePointer<Note>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: Note.self)
    }

    /// The earlier signal handlers, such as a backtrace; by number.
    nonisolated(unsafe) private static let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

    private static let handler: Void = {
        var action = sigaction()
        // On a separate stack: unbounded recursion leaves none of the usual one.
        action.sa_flags = Int32(SA_ONSTACK)
        let sayAndPass: @convention(c) (Int32) -> Void = { number in
            FuzzCrash.sayLastWords()
            // Returning runs the same instruction again, now without this handler.
            sigaction(number, &FuzzCrash.earlier[Int(number)], nil)
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = sayAndPass
        #else
            action.__sigaction_handler.sa_handler = sayAndPass
        #endif
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            sigaction(number, &action, &earlier[Int(number)])
        }
    }()

    /// Begins a run on this thread.
    static func begin(seed: UInt64) {
        handler
        let note = UnsafeMutablePointer<Note>.allocate(capacity: 1)
        note.initialize(to: Note(seed: seed))
        pthread_setspecific(key, note)
        var stack = stack_t()
        sigaltstack(nil, &stack)
        guard stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
        // Kept for the life of the thread.
        stack = stack_t()
        stack.ss_size = 1 << 16
        stack.ss_sp = .allocate(byteCount: 1 << 16, alignment: 16)
        sigaltstack(&stack, nil)
    }

    /// Records the next input.
    static func next(_ number: Int, _ bytes: [UInt8]) {
        guard let note else { return }
        note.pointee.number = number
        note.pointee.count = bytes.count
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            note.pointee.bytes.update(from: base, count: min(bytes.count, capacity))
        }
    }

    static func end() {
        guard let note else { return }
        pthread_setspecific(key, nil)
        note.pointee.bytes.deallocate()
        note.pointee.words.deallocate()
        note.deallocate()
    }

    private static func sayLastWords() {
        guard let note = note?.pointee else { return }
        var length = 0
        func say(_ text: StaticString) {
            note.words.advanced(by: length).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
            length += text.utf8CodeUnitCount
        }
        func say(_ value: UInt64) {
            var digits = 1
            var power: UInt64 = 1
            while value / power >= 10 {
                power *= 10
                digits += 1
            }
            for _ in 0..<digits {
                note.words[length] = UInt8(0x30 + value / power % 10)
                power = max(power / 10, 1)
                length += 1
            }
        }
        func nibble(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
        say("\nfuzz: crashed with FUEKI_FUZZ_SEED=")
        say(note.seed)
        say(", input ")
        say(UInt64(note.number))
        say(" of ")
        say(UInt64(note.count))
        say(" bytes: ")
        for position in 0..<min(note.count, capacity) {
            note.words[length] = nibble(note.bytes[position] >> 4)
            note.words[length + 1] = nibble(note.bytes[position] & 15)
            length += 2
        }
        say("\n")
        _ = write(2, note.words, length)
    }
}
