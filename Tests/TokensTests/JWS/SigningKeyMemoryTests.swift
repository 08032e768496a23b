#if os(Linux)
    import Encoding
    import Secrets
    import TestSupport
    import Testing
    import Tokens

    /// The process searches all of its own memory for private keys that it had.
    ///
    /// A freed block of 32 bytes is soon reused: a left-over may be missed. A finding is always real.
    @Suite("Signing keys in memory", .serialized)
    struct SigningKeyMemoryTests {
        @Test("control: a live key is found")
        func living() throws {
            let planted = Needle()
            #expect(planted.traces() == 0)
            let key = try SigningKey(importing: planted.secret())
            #expect(planted.traces() > 0)
            #expect(CompactJWS.sign(header: ["alg": "ES256"], payload: [], by: key).utf8.count > 100)
        }

        @Test("an export leaves one copy, in guarded memory")
        func exported() throws {
            let planted = Needle()
            let key = try SigningKey(importing: planted.secret())
            let before = planted.traces()
            let exported = key.exported()
            // The search runs at once, before the freed memory is reused: four pieces of eight bytes.
            #expect(planted.traces() == before + 4)
            let isSame = exported.matches(planted.secret())
            #expect(isSame)
        }

        @Test("a key that was imported, used, exported and dropped leaves no copy in memory")
        func gone() throws {
            let planted = Needle()
            for _ in 0..<3 {
                let key = try SigningKey(importing: planted.secret())
                #expect(CompactJWS.sign(header: ["alg": "ES256"], payload: [], by: key).utf8.count > 100)
                let exported = key.exported()
                let isSame = exported.matches(planted.secret())
                #expect(isSame)
            }
            #expect(planted.traces() == 0)
        }
    }
#endif
