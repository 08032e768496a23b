internal import TestSupport
internal import Testing

@testable internal import Secrets

@Suite struct RandomHealthTests {
    /// A source that repeats bytes.
    private struct Repeating: RandomSource {
        let bytes: [UInt8]
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            for position in buffer.indices { buffer[position] = bytes[position % bytes.count] }
        }
    }

    /// A source that has one byte with a probability of `share` of 256, and otherwise good bytes.
    private struct Biased: RandomSource {
        let share: UInt64
        let good = SeededRandom(seed: 7)
        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            // The first byte begins the window, so it is the frequent one.
            for position in buffer.indices {
                let random = good.next()
                buffer[position] =
                    position % 512 == 0 || random % 256 < share ? 0xab : UInt8(truncatingIfNeeded: random >> 32)
            }
        }
    }

    @Test(arguments: 0..<200) func `A good source passes`(_ seed: Int) {
        #expect(RandomHealth.flaw(of: SeededRandom(seed: UInt64(seed))) == nil)
    }

    @Test func `The system's source passes`() {
        for _ in 0..<20 { #expect(RandomHealth.flaw(of: SystemRandom()) == nil) }
    }

    @Test(arguments: [0, 0x55, 0xff] as [UInt8]) func `A stuck source is found`(_ value: UInt8) {
        #expect(RandomHealth.flaw(of: Repeating(bytes: [value])) == .repetition)
    }

    @Test func `A biased source is found`() {
        #expect(RandomHealth.flaw(of: Biased(share: 20)) == .proportion)
        #expect(RandomHealth.flaw(of: Biased(share: 0)) == nil)
    }

    @Test(arguments: [2, 16]) func `A very short period is a proportion`(_ period: Int) {
        #expect(RandomHealth.flaw(of: Repeating(bytes: [UInt8](0..<UInt8(period)))) == .proportion)
    }

    @Test(arguments: [64, 255, 300, 900]) func `A short period is found`(_ period: Int) {
        let bytes = SeededRandom(seed: 3).publicBytes(count: period)
        #expect(RandomHealth.flaw(of: Repeating(bytes: bytes)) == .period)
    }

    @Test func `The cutoffs are exact`() {
        var sample = SeededRandom(seed: 11).publicBytes(count: RandomHealth.sampleSize)
        for position in 100..<105 { sample[position] = 9 }
        (sample[99], sample[105]) = (8, 8)
        #expect(RandomHealth.flaw(in: sample) == nil)
        sample[105] = 9
        #expect(RandomHealth.flaw(in: sample) == .repetition)

        sample = SeededRandom(seed: 12).publicBytes(count: RandomHealth.sampleSize)
        let first = sample[0]
        for position in 1..<512 where sample[position] == first { sample[position] = first ^ 1 }
        for hit in 1..<18 { sample[hit * 7] = first }
        #expect(RandomHealth.flaw(in: sample) == nil)
        sample[18 * 7] = first
        #expect(RandomHealth.flaw(in: sample) == .proportion)
    }
}
