/// The script of each character, as ranges of code points.
///
/// The source is `Scripts.txt` of Unicode 14.0 (property Script, UAX #24): letters, marks, digits and numerals. Two
/// runs of one script are one range if no letter of another script is between them. `Zyyy` are letters that many
/// scripts share. The Arabic-Indic digits, which Unicode assigns to several scripts, are with Arabic.
enum ScriptRanges {
    /// Finds the script of a code point.
    ///
    /// - Returns: the script's code (ISO 15924); nil outside all ranges.
    static func code(of value: UInt32) -> Substring? {
        var (low, high) = (0, table.count)
        while low < high {
            let middle = (low + high) / 2
            if table[middle].range.upperBound < value { low = middle + 1 } else { high = middle }
        }
        guard low < table.count, table[low].range.contains(value) else { return nil }
        return table[low].code
    }

    /// The ranges, in the order of the code points.
    private static let table: [(range: ClosedRange<UInt32>, code: Substring)] = text.split(separator: "\n")
        .flatMap { line in
            let words = line.split(separator: " ")
            return words.dropFirst().compactMap { word -> (range: ClosedRange<UInt32>, code: Substring)? in
                let ends = word.split(separator: "-").compactMap { UInt32($0, radix: 16) }
                guard let first = ends.first, let last = ends.last, first <= last else { return nil }
                return (first...last, words[0])
            }
        }
        .sorted { $0.range.lowerBound < $1.range.lowerBound }

    private static let text = """
        Adlm 1E900-1E959
        Aghb 10530-10563
        Ahom 11700-11746
        Arab 610-63F 641-6FF 750-77F 870-8FF FB50-FDFB FE70-FEFC 1EE00-1EEBB
        Armi 10840-10855
        Armn 531-588 FB13-FB17
        Avst 10B00-10B35
        Bali 1B00-1B73
        Bamu A6A0-A6F1 16800-16A38
        Bass 16AD0-16AF4
        Batk 1BC0-1BF3
        Beng 980-9FE
        Bhks 11C00-11C59
        Bopo 3105-312F 31A0-31BF
        Brah 11000-1107F
        Bugi 1A00-1A1B
        Buhd 1740-1753
        Cakm 11100-11147
        Cans 1401-167F 18B0-18F5 11AB0-11ABF
        Cari 102A0-102D0
        Cham AA00-AA59
        Cher 13A0-13FD AB70-ABBF
        Chrs 10FB0-10FC4
        Copt 3E2-3EF 2C80-2CF3
        Cpmn 12F90-12FF0
        Cprt 10800-1083F
        Cyrl 400-52F 1C80-1C88 1D2B 1D78 2DE0-2DFF A640-A69F FE2E-FE2F
        Deva 900-97F A8E0-A8FF
        Diak 11900-11959
        Dogr 11800-1183A
        Dsrt 10400-1044F
        Dupl 1BC00-1BC9E
        Egyp 13000-1342E
        Elba 10500-10527
        Elym 10FE0-10FF6
        Ethi 1200-138F 2D80-2DDE AB01-AB2E 1E7E0-1E7FE
        Geor 10A0-10FF 1C90-1CBF 2D00-2D2D
        Glag 2C00-2C5F 1E000-1E02A
        Gong 11D60-11DA9
        Gonm 11D00-11D59
        Goth 10330-1034A
        Gran 11300-11374
        Grek 370-373 376-3E1 3F0-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF 1F00-1FFC 2126 AB65 10140-10174
        Grek 1D242-1D244
        Gujr A81-AFF
        Guru A01-A75
        Hang 1100-11FF 302E-302F 3131-318E A960-A97C AC00-D7FB FFA0-FFDC
        Hani 3005 3007-3029 3038-303B 3400-9FFF F900-FAD9 16FE3 16FF0-16FF1 20000-3134A
        Hano 1720-1734
        Hatr 108E0-108F5
        Hebr 591-5F2 FB1D-FB4F
        Hira 3041-309F 1B001-1B11F 1B150-1B152
        Hluw 14400-14646
        Hmng 16B00-16B8F
        Hmnp 1E100-1E14E
        Hung 10C80-10CF2
        Ital 10300-1032F
        Java A980-A9C0 A9D0-A9D9
        Kali A900-A92D
        Kana 30A1-30FA 30FD-30FF 31F0-31FF FF66-FF6F FF71-FF9D 1AFF0-1B000 1B120-1B122 1B164-1B167
        Khar 10A00-10A3F
        Khmr 1780-17E9
        Khoj 11200-1123E
        Kits 16FE4 18B00-18CD5
        Knda C80-CF2
        Kthi 11080-110C2
        Lana 1A20-1AA7
        Laoo E81-EDF
        Latn 41-AA BA-2B8 2E0-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77 1D79-1DBE 1E00-1EFF 2071-209C
        Latn 212A-212B 2132 214E-2188 2C60-2C7F A722-A787 A78B-A7FF AB30-AB64 AB66-AB69 FB00-FB06 FF21-FF5A
        Latn 10780-107BA 1DF00-1DF1E
        Lepc 1C00-1C4F
        Limb 1900-194F
        Lina 10600-10767
        Linb 10000-100FA
        Lisu A4D0-A4FD 11FB0
        Lyci 10280-1029C
        Lydi 10920-10939
        Mahj 11150-11176
        Maka 11EE0-11EF6
        Mand 840-85B
        Mani 10AC0-10AE6
        Marc 11C72-11CB6
        Medf 16E40-16E7F
        Mend 1E800-1E8D6
        Merc 109A0-109BF
        Mero 10980-1099F
        Mlym D00-D7F
        Modi 11600-11659
        Mong 180B-18AA
        Mroo 16A40-16A69
        Mtei AAE0-AAF6 ABC0-ABF9
        Mult 11280-112A8
        Mymr 1000-109D A9E0-A9FE AA60-AA7F
        Nand 119A0-119E4
        Narb 10A80-10A9C
        Nbat 10880-1089E
        Newa 11400-11461
        Nkoo 7C0-7FD
        Nshu 16FE1 1B170-1B2FB
        Ogam 1681-169A
        Olck 1C50-1C7D
        Orkh 10C00-10C48
        Orya B01-B71
        Osge 104B0-104FB
        Osma 10480-104A9
        Ougr 10F70-10F85
        Palm 10860-10876
        Pauc 11AC0-11AF8
        Perm 10350-1037A
        Phag A840-A873
        Phli 10B60-10B72
        Phlp 10B80-10B91
        Phnx 10900-10915
        Plrd 16F00-16F9F
        Prti 10B40-10B55
        Rjng A930-A953
        Rohg 10D00-10D39
        Runr 16A0-16F8
        Samr 800-82D
        Sarb 10A60-10A7C
        Saur A880-A8D9
        Sgnw 1DA00-1DAAF
        Shaw 10450-1047F
        Shrd 11180-111DC
        Sidd 11580-115DD
        Sind 112B0-112F9
        Sinh D81-DF3
        Sogd 10F30-10F50
        Sogo 10F00-10F27
        Sora 110D0-110F9
        Soyo 11A50-11A9D
        Sund 1B80-1BBF
        Sylo A800-A82C
        Syrc 710-74F 860-86A
        Tagb 1760-1773
        Takr 11680-116C9
        Tale 1950-1974
        Talu 1980-19D9
        Taml B82-BEF
        Tang 16FE0 17000-18AFF 18D00-18D08
        Tavt AA80-AADD
        Telu C00-C6F
        Tfng 2D30-2D7F
        Tglg 1700-171F
        Thaa 780-7B1
        Thai E01-E59
        Tibt F00-FC6
        Tirh 11480-114D9
        Tnsa 16A70-16AC9
        Toto 1E290-1E2AE
        Ugar 10380-1039D
        Vaii A500-A62B
        Vith 10570-105BC
        Wara 118A0-118FF
        Wcho 1E2C0-1E2F9
        Xpeo 103A0-103D5
        Xsux 12000-12543
        Yezi 10E80-10EB1
        Yiii A000-A48C
        Zanb 11A00-11A47
        Zyyy B5 2B9-2D1 2EC-2EE 374 640 1CE9-1CFA 2102-2124 2128 212C-2131 2133-2149 2E2F 3006 3031-3035 303C
        Zyyy 30FC A717-A71F A788 A9CF FF70 FF9E-FF9F 1D400-1D7CB
        """
}
