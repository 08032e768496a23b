/// Words of BIP-39's list at the same place of lines that follow each other, as a log has them that writes a phrase word by
/// word or wraps it: what stands before and behind them is alike but for its digits.
struct LineWords {
    private var previous: Range<Int>?
    /// The words found so far, and the part of the last line in which they stand.
    private var parts: [Range<Int>] = []
    private var count = 0

    /// The most bytes of a line that are compared.
    private static let most = 512

    /// Takes the next line, without its end.
    ///
    /// - Returns: the words of the lines before, if they are enough and this line does not go on with them.
    mutating func add(_ line: Range<Int>, in text: ScannedText, _ list: WordTable) -> [Range<Int>] {
        defer { previous = line }
        guard let previous, !line.isEmpty, !previous.isEmpty, line.count <= Self.most, previous.count <= Self.most
        else {
            return end()
        }
        guard let (old, new) = Self.difference(previous, line, text) else {
            // The same word again.
            guard let last = parts.last, last.lowerBound >= previous.lowerBound, previous.count == line.count else {
                return end()
            }
            let shift = line.lowerBound - previous.lowerBound
            return go(on: (last.lowerBound + shift)..<(last.upperBound + shift), 1, isWhole: true)
        }
        let head = Self.words(of: new, in: text, list, fromEnd: false)
        guard head.count > 0 else { return end() }
        let trail = Self.words(of: old, in: text, list, fromEnd: true)
        // One word at the start of another message does not go on with a phrase.
        guard trail.count > 0, head.isWhole || head.count > 1 || trail.count < 4 else { return end() }
        var found: [Range<Int>] = []
        if parts.isEmpty || trail.range.lowerBound > (parts.last?.lowerBound ?? 0) || !trail.isWhole {
            // The chain begins with the line before.
            if trail.range != parts.last {
                found = end()
                (parts, count) = ([trail.range], trail.count)
            }
        }
        return found + go(on: head.range, head.count, isWhole: head.isWhole)
    }

    /// Ends the lines.
    mutating func end() -> [Range<Int>] {
        defer { (parts, count) = ([], 0) }
        return count >= WordRun.fewest && count <= WordRun.most ? parts : []
    }

    private mutating func go(on range: Range<Int>, _ words: Int, isWhole: Bool) -> [Range<Int>] {
        parts.append(range)
        count += words
        return isWhole ? [] : end()
    }

    /// The parts in which two lines differ, in whole words; nil if they differ in digits only.
    private static func difference(
        _ old: Range<Int>, _ new: Range<Int>, _ text: ScannedText
    ) -> (old: Range<Int>, new: Range<Int>)? {
        do {
            var (left, right) = (old.lowerBound, new.lowerBound)
            while left < old.upperBound, right < new.upperBound {
                if text[left] == text[right] {
                    left += 1
                    right += 1
                } else if text[left].isDigit || text[right].isDigit {
                    // A number may have another size.
                    guard left > old.lowerBound && text[left - 1].isDigit || text[left].isDigit && text[right].isDigit
                    else {
                        break
                    }
                    while left < old.upperBound, text[left].isDigit { left += 1 }
                    while right < new.upperBound, text[right].isDigit { right += 1 }
                } else {
                    break
                }
            }
            if left == old.upperBound, right == new.upperBound { return nil }
            while left > old.lowerBound, right > new.lowerBound, text[left - 1].isLetter, text[right - 1].isLetter {
                left -= 1
                right -= 1
            }
            var (leftEnd, rightEnd) = (old.upperBound, new.upperBound)
            while leftEnd > left, rightEnd > right {
                if text[leftEnd - 1] == text[rightEnd - 1] {
                    leftEnd -= 1
                    rightEnd -= 1
                } else if text[leftEnd - 1].isDigit, text[rightEnd - 1].isDigit {
                    while leftEnd > left, text[leftEnd - 1].isDigit { leftEnd -= 1 }
                    while rightEnd > right, text[rightEnd - 1].isDigit { rightEnd -= 1 }
                } else {
                    break
                }
            }
            while leftEnd < old.upperBound, text[leftEnd].isLetter { leftEnd += 1 }
            while rightEnd < new.upperBound, text[rightEnd].isLetter { rightEnd += 1 }
            return (left..<max(left, leftEnd), right..<max(right, rightEnd))
        }
    }

    /// The words of the list at one end of a part, and whether they are all of it. Spaces and commas stand between them.
    private static func words(
        of part: Range<Int>, in text: ScannedText, _ list: WordTable, fromEnd: Bool
    ) -> (range: Range<Int>, count: Int, isWhole: Bool) {
        var (range, count, marks): (Range<Int>?, Int, Int) = (nil, 0, 0)
        var place = fromEnd ? part.upperBound : part.lowerBound
        // The marks beside the words are the lines' own.
        while fromEnd ? place > part.lowerBound : place < part.upperBound {
            let byte = text[fromEnd ? place - 1 : place]
            guard byte.isLetter else {
                marks += 1
                guard marks < 6 || range != nil, range == nil || byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",")
                else {
                    break
                }
                place += fromEnd ? -1 : 1
                continue
            }
            var (start, end) = (place, place)
            var letters = UInt64(0)
            if fromEnd {
                while start > part.lowerBound, text[start - 1].isLetter, end - start <= KeyWords.longestWord {
                    start -= 1
                    letters |= UInt64(text[start].lowercased) << UInt64(8 * min(7, end - start - 1))
                }
            } else {
                while end < part.upperBound, text[end].isLetter, end - start <= KeyWords.longestWord {
                    letters = letters << 8 | UInt64(text[end].lowercased)
                    end += 1
                }
            }
            guard end - start >= 3, end - start <= KeyWords.longestWord, list.contains(letters) else { break }
            range = min(start, range?.lowerBound ?? start)..<max(end, range?.upperBound ?? end)
            count += 1
            place = fromEnd ? start : end
        }
        let isWhole = fromEnd ? place == part.lowerBound : place == part.upperBound
        return (range ?? part.lowerBound..<part.lowerBound, count, isWhole && range != nil)
    }
}
