#if DEBUG
    internal import Synchronization

    /// The bytes that a scan reads.
    ///
    /// A debug build counts the reads: the test of hostile texts bounds them, whatever the speed of the machine is. In a release
    /// build it is the array itself.
    struct ScannedText: RandomAccessCollection {
        /// The number of reads of all scans in a task.
        final class Reads: Sendable {
            private let total = Atomic(0)

            var count: Int { total.load(ordering: .relaxed) }

            func add() { total.wrappingAdd(1, ordering: .relaxed) }
        }

        /// The counter of the task's scans; nil to count nothing.
        @TaskLocal static var reads: Reads?

        private let bytes: [UInt8]
        private let counter = Self.reads

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }

        subscript(place: Int) -> UInt8 {
            counter?.add()
            return bytes[place]
        }
    }
#else
    typealias ScannedText = [UInt8]
#endif
