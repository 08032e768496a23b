#if os(Linux)
    import Secrets
    import TestSupport
    import Testing

    @testable import ExchangeCredentials

    /// Searches this process's own memory for a secret that signed.
    @Suite("Leaks", .serialized) struct LeakTests {
        @Test(
            "after it signed and was dropped, no piece of a secret is in memory",
            arguments: SigningSecret.Method.allCases)
        func leaks(method: SigningSecret.Method) throws {
            let needle = needle(for: method)
            try sign(method, needle)
            #expect(needle.traces(outside: OwnMemory.ownStack()) == 0)
        }

        @Test("the search finds a secret that is kept")
        func search() throws {
            let needle = needle(for: .kraken)
            guard let secret = SigningSecret(.kraken, stored: needle.secret()) else {
                Issue.record("a secret of this size is refused")
                return
            }
            let kept = KeptSecret(secret)
            #expect(needle.traces(outside: OwnMemory.ownStack()) > 0)
            withExtendedLifetime(kept) {}
        }

        private final class KeptSecret {
            let secret: SigningSecret
            init(_ secret: consuming SigningSecret) { self.secret = secret }
        }

        private func needle(for method: SigningSecret.Method) -> Needle {
            Needle(SecretBytes(count: method.size, from: SystemRandom()))
        }

        @inline(never)
        private func sign(_ method: SigningSecret.Method, _ needle: Needle) throws {
            guard let secret = SigningSecret(method, stored: needle.secret()) else {
                Issue.record("a secret of this size is refused")
                return
            }
            for number in 0..<20 {
                let text = Array("symbol=BTCUSDT&timestamp=\(number)".utf8)
                if method == .kraken {
                    _ = secret.krakenSignature(path: "/0/private/Balance", nonce: UInt64(number), body: text)
                } else {
                    _ = secret.binanceSignature(of: text)
                }
            }
        }
    }
#endif
