// SPDX-License-Identifier: Apache-2.0

/// A character, with the properties that a `LanguageModel` uses.
struct Glyph {
  let value: UInt32
  /// The lower-case letter of a capital letter; otherwise the character itself.
  let small: UInt32
  let isLetter: Bool
  let isUpper: Bool
  let isLower: Bool

  static let space = Glyph(" ")

  init(_ scalar: Unicode.Scalar) {
    value = scalar.value
    let category = scalar.properties.generalCategory
    isUpper = category == .uppercaseLetter
    isLower = category == .lowercaseLetter
    isLetter = isUpper || isLower && !Self.signs.contains(value) || Self.isUncased(category, value)
    small =
      isUpper ? scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? value : value
  }

  var isASCII: Bool { value < 0x80 }

  /// ª, µ, º and ƒ, which are used next to numbers.
  private static let signs: Set<UInt32> = [0xAA, 0xB5, 0xBA, 0x192]

  private static func isUncased(
    _ category: Unicode.GeneralCategory, _ value: UInt32
  ) -> Bool {
    (category == .otherLetter || category == .modifierLetter) && !signs.contains(value)
  }
}
