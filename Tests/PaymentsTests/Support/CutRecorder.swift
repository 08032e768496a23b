import Foundation
import Secrets
import Synchronization
import TestSupport

@testable import SigningSessionTestSupport

/// Randomness that keeps what is on the disk behind each write of a wallet's book, and what the network has then: where a program may be
/// cut. Each write takes random bytes before it begins, so that the file is what the write before has left.
final class CutRecorder<Network: Sendable>: RandomSource {
    /// A moment at which a program may be cut.
    struct Cut: Sendable {
        /// Where everything on the disk was copied to.
        fileprivate let folder: String
        fileprivate let book: Data?
        /// What the network has when the next write of the book begins.
        let network: Network
    }

    private let home: TestHome
    private let copies: TemporaryFolder
    private let network: @Sendable () -> Network
    private let state = Mutex<[Cut]>([])

    init(_ home: TestHome, _ network: @escaping @Sendable () -> Network) throws {
        self.home = home
        self.network = network
        copies = try TemporaryFolder()
    }

    /// The moments so far, in their order.
    var cuts: [Cut] { state.withLock(\.self) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        record()
        SystemRandom().fill(buffer)
    }

    /// Keeps this moment, if the book has changed since the last one.
    func record() {
        state.withLock { cuts in
            let book = FileManager.default.contents(atPath: home.bookPath)
            if let last = cuts.last, last.book == book {
                // The network may have changed since: what was done between two writes is part of the first one's moment.
                cuts[cuts.count - 1] = Cut(folder: last.folder, book: book, network: network())
                return
            }
            let folder = "\(copies.path)/\(cuts.count)"
            do {
                try FileManager.default.copyItem(atPath: home.path, toPath: folder)
                cuts.append(Cut(folder: folder, book: book, network: network()))
            } catch { preconditionFailure("a folder is copied: \(error)") }
        }
    }

    /// Has everything on the disk be as it was at that moment.
    func restore(_ cut: Cut) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: home.path) {
            try manager.removeItem(atPath: "\(home.path)/\(name)")
        }
        for name in try manager.contentsOfDirectory(atPath: cut.folder) {
            try manager.copyItem(atPath: "\(cut.folder)/\(name)", toPath: "\(home.path)/\(name)")
        }
    }
}
