// SPDX-License-Identifier: Apache-2.0

extension PlaylistText.Item {
  /// The possible file names of the item, the most likely first.
  ///
  /// These are its bytes, and its text in UTF-8; then both with `/` instead of `\`, which separates
  /// folders in lists from Windows. In Shift-JIS, GBK and Big5, `\` can be the second byte of a
  /// character, so a `\` after a byte of 0x80 or more is kept at first.
  package var fileNames: [String] {
    let written = fileName == name ? [name] : [fileName, name]
    guard fileName.utf8.contains(0x5C) else { return written }
    return written + written.map { Self.slashed($0, isSparing: true) }
      + written.map { Self.slashed($0, isSparing: false) }
  }

  private static func slashed(_ name: String, isSparing: Bool) -> String {
    var slashed = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isSecond = isSparing && slashed.last.map { !$0.isASCII } ?? false
      slashed.append(scalar == "\\" && !isSecond ? "/" : scalar)
    }
    return String(slashed)
  }
}
