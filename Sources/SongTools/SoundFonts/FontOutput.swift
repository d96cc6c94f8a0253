// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import PlayerControl
internal import SoundFontFiles
internal import SoundFontInstruments
internal import WholeFiles

/// A soundfont that is made of others, and the information about it for the user.
struct FontOutput {
  /// The new font.
  let document: SoundFontDocument
  /// The fonts that it is made of.
  let fonts: [SoundFont]

  /// Texts that may state the rights, and their names for the user.
  private static let rights = [("ICOP", "copyright"), ("ICMT", "comment")]
  /// The maximum number of characters of a text that are printed.
  private static let longestText = 500

  /// `sf3` if samples are compressed, otherwise `sf2`.
  var kind: String { document.samples.contains(where: \.isCompressed) ? "sf3" : "sf2" }

  /// Checks that the output is not the same file as an input.
  ///
  /// - Parameters:
  ///   - output: The path of the output.
  ///   - input: The path of an input.
  /// - Throws: `Failure` if they are the same file.
  static func refuse(_ output: String, thatIs input: String) throws(Failure) {
    guard output != "-", let own = FolderListing.Identity(of: input),
      own == FolderListing.Identity(of: output)
    else { return }
    throw Failure(.noOutput, "\(output): is also the input (name another file with -o)")
  }

  /// Plans the file of the new font.
  ///
  /// - Throws: `Failure` if it does not fit the format.
  func writer() throws(Failure) -> SoundFontWriter {
    do {
      return try SoundFontWriter(document)
    } catch {
      throw Failure(.failure, "\(fonts.first?.path ?? "soundfont"): \(error)")
    }
  }

  /// Reports the contents, and what the fonts state about the rights, on standard error.
  ///
  /// - Parameters:
  ///   - name: The name of the file that was written.
  ///   - byteCount: The size of the font in bytes.
  func tell(as name: String, byteCount: Int) {
    let presets = fonts.reduce(0) { $0 + $1.tables.presets.count }
    let samples = fonts.reduce(0) { $0 + $1.tables.samples.count }
    let bytes = fonts.reduce(0) { $0 + $1.byteCount }
    Terminal.report(
      "\(name): \(document.presets.count) of \(presets.counted("preset")),"
        + " \(document.samples.count) of \(samples.counted("sample")),"
        + " \(SoundFontReport.size(byteCount)) of \(SoundFontReport.size(bytes))")
    for font in fonts { Self.tellRights(of: font) }
  }

  private static func tellRights(of font: SoundFont) {
    var isStated = false
    for (tag, label) in rights {
      guard let text = font.tables.texts[tag], !text.isEmpty else { continue }
      isStated = true
      let cut = text.count > longestText ? " …" : ""
      Terminal.report("\(font.path): \(label): \(text.prefix(longestText))\(cut)")
    }
    guard !isStated else { return }
    Terminal.report(
      "\(font.path): states neither copyright nor comment; many licences forbid copying"
        + " (find its licence before you share the file)")
  }

  /// Adds the contents and the texts to the report on the file.
  func add(to written: inout WrittenFile) {
    written.add("presets", .integer(document.presets.count))
    written.add("samples", .integer(document.samples.count))
    written.add("fonts", .array(fonts.map(Self.rights(of:))))
  }

  /// The name of a font, with what it states about the rights.
  private static func rights(of font: SoundFont) -> JSONValue {
    var members: JSONReport.Members = [("path", .path(font.path))]
    for (tag, label) in rights {
      let text = font.tables.texts[tag] ?? ""
      members.append((label, text.isEmpty ? .null : .text(text)))
    }
    return .object(members)
  }
}
