package import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The public files that a command reads, such as transactions. ``PassphraseFile`` reads secrets.
package enum InputFile {
    /// The size limit of a PSBT or transaction: four times the size of a block.
    package static let largest = 16 << 20

    /// Reads a whole file. `-` is standard input.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        try read(path) { chunk throws(Failure) in
            content += chunk
            guard content.count <= largest else {
                throw Failure(
                    code: .malformed, name: "too_large",
                    message: "\(path) is larger than \(largest >> 20) MiB, and not read")
            }
        }
        return content
    }

    /// Reads a file of any size in parts. `-` is standard input.
    package static func read(
        _ path: String, inParts each: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path, errno) }
        defer { close(file) }

        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = readChunk(file, &chunk)
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { return }
            try each(chunk[..<count])
        }
    }
}

private func readChunk(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    while true {
        let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        if count >= 0 || errno != EINTR { return count }
    }
}
