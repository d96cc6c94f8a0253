// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The likelihood of text in one language: likelier text needs fewer bits.
///
/// ASCII costs the same in all languages. Other characters cost more the rarer they are in the
/// language (`LetterRanks`), and in unlikely places: capitals inside words, signs between letters,
/// letters of two scripts in one word.
struct LanguageModel: Sendable {
  /// The script of a language, by its letters beyond ASCII.
  enum Script: Sendable { case western, central, cyrillic, japanese, korean, chinese }

  /// Characters in order of rank, and their share of all characters beyond ASCII.
  typealias Group = (characters: String, share: Double)

  let name: String
  let script: Script
  /// The bits of the characters of all groups.
  private var table: [UInt32: Double] = [:]

  /// The frequency of the last character of a group, relative to the first.
  private static let decline = 0.003

  init(_ name: String, _ script: Script, _ groups: [Group]) {
    (self.name, self.script) = (name, script)
    for group in groups { add(group) }
  }

  /// Adds a group, whose frequencies decrease evenly from rank to rank, down to `decline`.
  private mutating func add(_ group: Group) {
    let scalars = Array(group.characters.unicodeScalars)
    let step = pow(Self.decline, 1 / Double(scalars.count))
    let first = group.share * (1 - step) / (1 - Self.decline)
    for (rank, scalar) in scalars.enumerated() where table[scalar.value] == nil {
      table[scalar.value] = -log2(first) - Double(rank) * log2(step)
    }
  }

  /// The bits of a text.
  ///
  /// - Complexity: O(n) in the number of characters.
  func bits(of text: [Glyph]) -> Double {
    var sum = 0.0
    var before = Glyph.space
    var wasASCII: Bool?
    for index in text.indices {
      let glyph = text[index]
      let next = index + 1 < text.count ? text[index + 1] : .space
      sum += glyph.isASCII ? Self.bits(ofASCII: glyph) : bits(of: glyph, before, next)
      if glyph.isLetter {
        sum += run(glyph, before)
        if let wasASCII, wasASCII != glyph.isASCII {
          sum += before.isLetter ? costs.inWord : costs.betweenWords
        }
        wasASCII = glyph.isASCII
      }
      before = glyph
    }
    return sum
  }

  private static func bits(ofASCII glyph: Glyph) -> Double {
    if glyph.isLetter { return 4.7 }
    // Spaces, and the line marks of lyrics.
    return [0x20, 0x0A, 0x0D, 0x2F, 0x5C].contains(glyph.value) ? 3 : 6.5
  }

  /// The bits for the position of a letter: beyond ASCII, letters are rare in Latin script, and
  /// usual in other scripts.
  private func run(_ glyph: Glyph, _ before: Glyph) -> Double {
    if glyph.isASCII { return 0 }
    return isLatin ? before.isLetter && !before.isASCII ? 6 : 4 : 0.4
  }

  private var isLatin: Bool { script == .western || script == .central }

  /// The bits of a change between ASCII letters and other letters.
  private var costs: (inWord: Double, betweenWords: Double) {
    switch script {
    case .western, .central: (0, 0)
    case .cyrillic: (9, 4)
    case .japanese, .korean, .chinese: (6, 1.5)
    }
  }

  /// The bits of a character beyond ASCII.
  private func bits(of glyph: Glyph, _ before: Glyph, _ next: Glyph) -> Double {
    if glyph.value == 0xFFFD { return 24 }
    if glyph.value < 0xA0 { return 18 }
    let known: Double? =
      switch script {
      case .western, .central: latinBits(glyph, before, next)
      case .cyrillic: cyrillicBits(glyph, before, next)
      case .japanese, .korean, .chinese: table[glyph.value] ?? otherWideBits(glyph.value)
      }
    return known ?? Self.signBits(glyph, before, next)
  }

  /// The bits of a sign: fewer for signs that are usual in text.
  private static func signBits(_ glyph: Glyph, _ before: Glyph, _ next: Glyph) -> Double {
    let isInWord = before.isLetter && next.isLetter
    guard usualSigns.contains(glyph.value) else { return isInWord ? 17 : 11 }
    return isInWord && !signsInWords.contains(glyph.value) ? 14.5 : 6.5
  }

  private static let usualSigns = Set("’“”„‘–—…«»©®°·•™§´`¿¡ªº\u{A0}№".unicodeScalars.map(\.value))
  private static let signsInWords = Set("’´·".unicodeScalars.map(\.value))
}

extension LanguageModel {
  private func latinBits(_ glyph: Glyph, _ before: Glyph, _ next: Glyph) -> Double? {
    guard glyph.isLetter || table[glyph.value] != nil else { return nil }
    let isCapital = glyph.isUpper && before.isLower
    let isShouted = glyph.isUpper && (before.isUpper || !before.isLetter && next.isUpper)
    let small = table[glyph.small]
    let shouted = isShouted ? small.map { $0 + 0.5 } : nil
    if let known = [table[glyph.value], shouted].compactMap(\.self).min() {
      let isHidden = glyph.isLower && before.isUpper && next.isUpper
      return known + (isCapital ? 10 : 0) + (isHidden ? 6 : 0) + placeBits(glyph, next)
    }
    if glyph.value > 0x17F { return 14 }
    if glyph.isUpper, let small { return small + (isCapital ? 14 : 4) }
    return 11
  }

  /// The bits of letters that some languages have only in certain positions; elsewhere they are
  /// other letters of Windows-1250: ă, ő, č, ě, ň, ů.
  private func placeBits(_ glyph: Glyph, _ next: Glyph) -> Double {
    guard let letter = Unicode.Scalar(glyph.small) else { return 0 }
    let after = Unicode.Scalar(next.small).map { Character($0) } ?? " "
    guard script == .western else {
      // The same bytes are õe and ão in Portuguese.
      return letter == "ő" && after == "e" ? 4 : letter == "ă" && after == "o" ? 6 : 0
    }
    switch letter {
    case "ã": return next.isLetter ? "oesi".contains(after) ? 0 : 6 : 3
    case "õ": return after == "e" || name == "Estonian" ? 0 : 6
    case "è" where name == "French": return !next.isLetter || "aeiouy".contains(after) ? 6 : 0
    case "è" where name == "Italian": return next.isLetter ? 6 : 0
    case "ì" where name == "Italian", "ò" where name == "Italian", "ù" where name == "Italian":
      return next.isLetter ? 6 : 0
    default: return 0
    }
  }

  private func cyrillicBits(_ glyph: Glyph, _ before: Glyph, _ next: Glyph) -> Double? {
    guard glyph.isLetter else { return nil }
    guard var sum = table[glyph.small] else { return 14 }
    sum += pairBits(before, glyph.small)
    if !before.isLetter, !next.isLetter { sum += 2.5 }
    if glyph.isUpper { return sum + (before.isLower ? 9 : before.isLetter ? 0.3 : 2.5) }
    return sum + (before.isUpper && next.isUpper ? 4 : 0)
  }

  /// The bits that the letter before adds to a Cyrillic letter: fewer for frequent pairs.
  private func pairBits(_ before: Glyph, _ letter: UInt32) -> Double {
    let isSign = letter == 0x44C || letter == 0x44A
    guard before.isLetter else { return isSign || letter == 0x44B ? 4 : 0 }
    let isVowel = Self.vowels.contains(before.small)
    if isVowel, isSign || letter == 0x44B { return isSign ? 5 : 4 }
    if !isVowel, letter == 0x439 { return 4 }
    return Self.pairs.contains(UInt64(before.small) << 32 | UInt64(letter)) ? -1.5 : 0.8
  }

  private static let vowels = Set("аеёиоуыэюяіїє".unicodeScalars.map(\.value))

  private static let pairs = Set(
    LetterRanks.cyrillicPairs.split(whereSeparator: \.isWhitespace).map { pair in
      pair.unicodeScalars.reduce(UInt64(0)) { $0 << 32 | UInt64($1.value) }
    })

  /// The bits of an East Asian character that is not one of the frequent ones.
  private func otherWideBits(_ value: UInt32) -> Double {
    switch value {
    case 0xAC00...0xD7A3: script == .korean ? 12.5 : 17
    case 0x3400...0x9FFF: script == .korean ? 17 : script == .chinese ? 14.4 : 14
    case 0x3040...0x30FF: 14.5
    case 0xFF01...0xFF5E: 11
    case 0xFF61...0xFF9F: 12
    case 0..<0x250: 16
    case 0xE000...0xF8FF: 22
    default: 13.5
    }
  }
}
