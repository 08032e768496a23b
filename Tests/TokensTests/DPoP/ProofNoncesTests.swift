import Encoding
import Secrets
import TestSupport
import Testing
import Time

@testable import Tokens

@Suite("Nonces for proofs")
struct ProofNoncesTests {
    private static func nonces(_ byte: UInt8 = 0x42, lifetime: Timestamp.Span = .minutes(2)) -> ProofNonces {
        var bytes = [UInt8](repeating: byte, count: 32)
        return ProofNonces(secret: SecretBytes(moving: &bytes), lifetime: lifetime)
    }

    /// The beginning of a time slot of two minutes.
    private static let start = Timestamp(seconds: 1_795_262_400)

    @Test("golden: a nonce, computed by Python")
    func golden() {
        // 14,960,520 time slots of two minutes since 1970.
        #expect(Self.nonces().issue(now: Self.start) == "AAAAAADkR4g4p5wKACouHPeABLPd3Vl9")
    }

    @Test("a nonce is accepted in its time slot and in the next, and no longer")
    func buckets() {
        let nonces = Self.nonces()
        let end = Self.start + 240
        for issued in [Self.start, Self.start + 60, (Self.start + 120).adding(Timestamp.Span(milliseconds: -1))] {
            let nonce = nonces.issue(now: issued)
            #expect(nonce.utf8.count == 32)
            #expect(nonces.end(of: nonce, now: issued) == end)
            #expect(nonces.end(of: nonce, now: end.adding(Timestamp.Span(milliseconds: -1))) == end)
            #expect(nonces.end(of: nonce, now: end) == nil)
        }
        #expect(nonces.issue(now: Self.start) != nonces.issue(now: Self.start + 120))
    }

    @Test("nonces of the previous and the next key are accepted, and none is made with them")
    func otherKeys() {
        var nonces = Self.nonces()
        for byte: UInt8 in [0x43, 0x44] {
            var bytes = [UInt8](repeating: byte, count: 32)
            nonces.accept(SecretBytes(moving: &bytes))
        }
        let end = Self.start + 240
        for byte: UInt8 in [0x42, 0x43, 0x44] {
            #expect(nonces.end(of: Self.nonces(byte).issue(now: Self.start), now: Self.start) == end)
            #expect(nonces.end(of: Self.nonces(byte).issue(now: Self.start), now: end) == nil)
        }
        #expect(nonces.end(of: Self.nonces(0x45).issue(now: Self.start), now: Self.start) == nil)
        #expect(nonces.issue(now: Self.start) == Self.nonces().issue(now: Self.start))
    }

    @Test("a nonce of a replica whose clock is a little ahead is accepted, one of tomorrow is not")
    func ahead() {
        let nonces = Self.nonces()
        let nonce = nonces.issue(now: Self.start)
        #expect(nonces.end(of: nonce, now: Self.start + -60) == Self.start + 240)
        #expect(nonces.end(of: nonce, now: (Self.start + -60).adding(Timestamp.Span(milliseconds: -1))) == nil)
    }

    @Test("another server's nonce, and one with any bit changed, is refused")
    func forged() throws {
        let nonces = Self.nonces()
        let nonce = nonces.issue(now: Self.start)
        #expect(Self.nonces(0x43).end(of: nonce, now: Self.start) == nil)
        // The same number of a time slot of another length.
        #expect(Self.nonces(0x43, lifetime: .minutes(1)).end(of: nonce, now: Timestamp(seconds: 897_631_200)) == nil)
        let bytes = try Base64URL.decode(nonce)
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(nonces.end(of: Base64URL.encode(changed), now: Self.start) == nil, "byte \(position)")
            }
        }
        for bad in ["", nonce + "A", String(nonce.dropLast()), "+" + nonce.dropFirst(), nonce + "="] {
            #expect(nonces.end(of: bad, now: Self.start) == nil)
        }
    }

    @Test("the earliest and latest times cause no overflow")
    func extremes() {
        for lifetime in [Timestamp.Span.seconds(1), .minutes(2), .days(1 << 30)] {
            let nonces = Self.nonces(lifetime: lifetime)
            for time in [Timestamp(milliseconds: .max), Timestamp(milliseconds: .min), Timestamp(milliseconds: -1)] {
                let nonce = nonces.issue(now: time)
                #expect(nonces.end(of: nonce, now: time) != nil || time.milliseconds == Timestamp.limit)
            }
        }
        // Rounded down, also before 1970.
        let before = Timestamp(milliseconds: -1)
        #expect(Self.nonces().end(of: Self.nonces().issue(now: before), now: before) == Timestamp(seconds: 120))
        let far = [UInt8](repeating: 0x7f, count: 8) + [UInt8](repeating: 0, count: 16)
        let least = [0x80] + [UInt8](repeating: 0, count: 23)
        for bytes in [far, least, [UInt8](repeating: 0xff, count: 24)] {
            #expect(Self.nonces().end(of: Base64URL.encode(bytes), now: Self.start) == nil)
        }
    }
}
