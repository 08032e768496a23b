internal import Foundation
internal import Presentation
internal import Terminal

extension Output {
    /// Warns of missing folders. If a removable drive is not connected, a folder that is made at its path is on this
    /// machine.
    func warn(ofMissing folders: [String]) {
        var told: [String] = []
        for folder in folders where !FileManager.default.fileExists(atPath: folder) && !told.contains(folder) {
            note("warning: there is no folder \(folder); it will be made. Should it be on a stick, connect that first.")
            told.append(folder)
        }
    }

    /// Warns of unsuitable places for shares, while the user can still connect a removable drive.
    func warn(of advice: PlaceAdvice) {
        for sentence in advice.sentences { note("warning: \(sentence)") }
    }
}
