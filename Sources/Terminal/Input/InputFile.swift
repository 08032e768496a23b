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
        try read(file, path, inParts: each)
    }

    /// The size from which reading a file takes long enough to be reported.
    package static let large = 256 << 20

    /// Reads a regular file of any size in parts, also through a symbolic link, and reports the step if it is large. Other
    /// files, which may have no end, are refused, and so is a file that changes meanwhile.
    ///
    /// - Parameter largest: the greatest size in bytes that is read without a report.
    package static func readRegular(
        _ path: String, _ output: Output, silentUpTo largest: Int = large,
        inParts each: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard path != "-" else {
            throw .usage("this has to be a file, and not standard input", hint: "a file with that name is './-'")
        }
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path, errno) }
        defer { close(file) }
        let before = try status(of: file, path)
        guard before.st_mode & S_IFMT == S_IFREG else {
            throw Failure(code: .missing, name: "not_a_file", message: "\(path) is not a regular file")
        }
        if before.st_size > largest { output.progress(StepText("reading \(path)", done: "read \(path)")) }
        var size: off_t = 0
        try read(file, path) { chunk throws(Failure) in
            size += off_t(chunk.count)
            // Before the end, which a file that keeps growing may never have.
            guard size <= before.st_size else { throw .changed(path) }
            try each(chunk)
        }
        let after = try status(of: file, path)
        guard size == before.st_size, size == after.st_size, before.isUnchanged(in: after) else {
            throw .changed(path)
        }
    }

    private static func status(of file: Int32, _ path: String) throws(Failure) -> stat {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path, errno) }
        return status
    }

    private static func read(
        _ file: Int32, _ path: String, inParts each: (ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
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

extension Failure {
    fileprivate static func changed(_ path: String) -> Failure {
        Failure(
            code: .other, name: "file_changed", message: "\(path) changed while it was read",
            hint: "wait until it is complete, and try again")
    }
}

extension stat {
    /// Whether the time of the last change is the same.
    fileprivate func isUnchanged(in other: stat) -> Bool {
        #if canImport(Darwin)
            st_mtimespec.tv_sec == other.st_mtimespec.tv_sec && st_mtimespec.tv_nsec == other.st_mtimespec.tv_nsec
        #else
            st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
        #endif
    }
}
