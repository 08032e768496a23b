internal import Foundation
public import Testing

/// Runs decoders on mutated inputs.
///
/// A run is repeatable: the same seed gives the same inputs. The seed, the number of the input and the input itself are
/// printed on a failure, also when the code under test traps. In the environment,
/// - `FUEKI_FUZZ_SEED` sets the seed of every run (`random` takes a new one each time),
/// - `FUEKI_FUZZ_SCALE` multiplies the number of inputs (default 1; `0.1` is a tenth).
public enum Fuzz {
    /// Calls `body` with mutations of the seeds. The first inputs are the seeds as they are.
    ///
    /// - Parameters:
    ///   - seeds: valid inputs, small ones of every shape; not empty.
    ///   - body: must neither trap nor throw. Decoders of input throw: write `_ = try? Decoder(bytes)`.
    public static func mutations(
        of seeds: [[UInt8]], iterations: Int = 20_000, seed: UInt64 = 2026,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: ([UInt8]) throws -> Void
    ) {
        precondition(!seeds.isEmpty, "a fuzz run starts from valid inputs")
        let run = Self.seed(else: seed)
        FuzzCrash.begin(seed: run)
        defer { FuzzCrash.end() }
        for number in 0..<(seeds.count + scaled(iterations)) {
            // Each input has its own generator: a failure can be repeated without the inputs before it.
            let mutation = Mutation(
                of: seeds, random: SeededRandom(seed: run &+ UInt64(number) &* 0xd129_0d3a_f1b5_2b0d))
            let bytes = number < seeds.count ? seeds[number] : mutation.next()
            FuzzCrash.next(number, bytes)
            do {
                try body(bytes)
            } catch {
                Issue.record(
                    "\(error); FUEKI_FUZZ_SEED=\(run), input \(number) of \(bytes.count) bytes: \(hex(bytes.prefix(512)))",
                    sourceLocation: sourceLocation)
                return
            }
        }
    }

    /// Fuzzes a decoder, and checks that it is canonical: accepted bytes encode to the same bytes.
    ///
    /// The seeds must be accepted, so that a decoder that refuses everything does not pass.
    /// - Returns: the accepted fraction of the mutated inputs, 0...1, which shows how deep the run got; 1 if
    ///   `FUEKI_FUZZ_SCALE` left none.
    @discardableResult
    public static func roundTrips<Value: ~Copyable>(
        of seeds: [[UInt8]], iterations: Int = 20_000, seed: UInt64 = 2026,
        sourceLocation: SourceLocation = #_sourceLocation,
        decode: ([UInt8]) throws -> Value, encode: (borrowing Value) throws -> [UInt8]
    ) -> Double {
        var tried = 0
        var accepted = 0
        mutations(of: seeds, iterations: iterations, seed: seed, sourceLocation: sourceLocation) { bytes in
            tried += 1
            let encoded: [UInt8]
            do {
                encoded = try encode(try decode(bytes))
            } catch {
                if tried <= seeds.count { throw Finding(description: "a seed is refused: \(error)") }
                return
            }
            if tried > seeds.count { accepted += 1 }
            guard encoded == bytes else {
                throw Finding(description: "accepted, but encodes as \(hex(encoded.prefix(512)))")
            }
        }
        return tried > seeds.count ? Double(accepted) / Double(tried - seeds.count) : 1
    }

    /// Fuzzes a parser of text, and checks that what it accepts is printed unchanged.
    ///
    /// - Parameter printed: parses a text and returns it as printed; throws if the text is refused.
    public static func texts(
        of seeds: [String], iterations: Int = 4_000, seed: UInt64 = 2026,
        sourceLocation: SourceLocation = #_sourceLocation, printed: (String) throws -> String
    ) {
        mutations(
            of: seeds.map { Array($0.utf8) }, iterations: iterations, seed: seed, sourceLocation: sourceLocation
        ) { bytes in
            guard let text = String(validating: bytes, as: UTF8.self), let again = try? printed(text) else { return }
            guard again == text else { throw Finding(description: "accepted, but printed as \(again)") }
        }
    }

    private struct Finding: Error, CustomStringConvertible {
        let description: String
    }

    private static func seed(else fallback: UInt64) -> UInt64 {
        switch ProcessInfo.processInfo.environment["FUEKI_FUZZ_SEED"] {
        case nil, "": return fallback
        case "random": return .random(in: 0...(.max))
        case .some(let text):
            guard let seed = UInt64(text) else { preconditionFailure("FUEKI_FUZZ_SEED is no number: \(text)") }
            return seed
        }
    }

    private static func scaled(_ iterations: Int) -> Int {
        guard let text = ProcessInfo.processInfo.environment["FUEKI_FUZZ_SCALE"], !text.isEmpty else {
            return iterations
        }
        guard let scale = Double(text), scale >= 0, scale <= 1e6 else {
            preconditionFailure("FUEKI_FUZZ_SCALE is no factor: \(text)")
        }
        return Int(Double(iterations) * scale)
    }
}
