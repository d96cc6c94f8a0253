// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import SoundFontFiles
internal import SoundFontInstruments

/// A song and a bank with the sounds that it plays, which can be written as one RMID file.
///
/// The bank uses the bank numbers of the song, and the offset 0: every player uses it before other
/// sounds. Source: SF2 RMIDI specification, "Bank offset 0".
struct EmbeddedSong {
  private let file: SequenceFile
  private let fonts: FontOutput
  private let writer: SoundFontWriter

  /// Collects the sounds of a song.
  ///
  /// - Parameters:
  ///   - file: The song.
  ///   - name: The name of the song, for messages.
  ///   - options: The soundfonts and the bank mode.
  /// - Throws: `Failure` if the fonts cannot play any note of the song; `InstrumentError` if a font
  ///   cannot be used.
  init(_ file: SequenceFile, named name: String, _ options: EmbedOptions) throws {
    self.file = file
    let layers = try Self.layers(of: file, named: name, options)
    var use = try FontUse(of: layers, in: options.banks.bankMode)
    try use.add(file.sequences)
    guard var bank = try use.bank(), !bank.presets.isEmpty else {
      throw Failure(
        .failure, "\(name): plays no notes of the soundfont, so nothing can be embedded")
    }
    try options.samples.apply(to: &bank)
    let used = Set(use.presets.map(\.layer))
    fonts = FontOutput(document: bank, fonts: used.sorted().map { layers[$0].font })
    writer = try fonts.writer()
  }

  /// Returns the fonts of the options.
  ///
  /// Without any, these are the bank in the song, then the fonts that `play` uses.
  private static func layers(
    of file: SequenceFile, named name: String, _ options: EmbedOptions
  ) throws -> [SoundFontLayer] {
    let fonts = try FontSearch.layers(options.soundfont)
    guard options.soundfont.isEmpty else { return fonts }
    do throws(InstrumentError) {
      guard let own = try EmbeddedBank(of: file, named: name) else { return fonts }
      return [own.layer] + fonts
    } catch {
      Terminal.report("\(name): the bank in the file cannot be used: \(error.flaw)")
      return fonts
    }
  }

  /// Writes the file.
  ///
  /// - Parameter target: The file to write.
  /// - Throws: `Failure`, or the error of the file.
  func write(to target: OutputFile) throws {
    let head = try WrapperWriter().head(of: file, information, bankCount: writer.byteCount)
    try target.write { sink in
      try sink(head)
      try writer.write(to: sink)
      try sink(WrapperWriter.padding(ofBank: writer.byteCount))
    }
  }

  /// The texts of the song's file, the bank offset 0, and the author of the sounds.
  private var information: WrapperInformation {
    var information = file.wrapper.map { WrapperInformation($0) } ?? WrapperInformation()
    if information.entries.isEmpty { information.set(.encoding, "utf-8") }
    information.bankOffset = 0
    if information[.engineer] == nil, information[.encoding] == Array("utf-8".utf8) {
      information.set(.engineer, fonts.document.text("IENG"))
    }
    return information
  }

  /// Reports the contents and the licence on standard error.
  func tell(as name: String) { fonts.tell(as: name, byteCount: writer.byteCount) }

  /// Adds the contents and the licence to the report on the file.
  func add(to written: inout WrittenFile) { fonts.add(to: &written) }
}
