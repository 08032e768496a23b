internal import Foundation

/// One line of a result, on standard output.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
