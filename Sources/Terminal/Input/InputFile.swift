#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The public files that a command reads: transactions. Secrets are read by ``PassphraseFile``.
package enum InputFile {
    /// A PSBT or transaction larger than this is not read: four times what a block can hold.
    package static let largest = 16 << 20

    /// The whole file. `-` is standard input.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path, errno) }
        defer { close(file) }

        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = readChunk(file, &chunk)
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { return content }
            content.append(contentsOf: chunk[..<count])
            guard content.count <= largest else {
                throw Failure(
                    code: .malformed, name: "too_large",
                    message: "\(path) is larger than \(largest >> 20) MiB, and not read")
            }
        }
    }
}

private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    while true {
        let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        if count >= 0 || errno != EINTR { return count }
    }
}
