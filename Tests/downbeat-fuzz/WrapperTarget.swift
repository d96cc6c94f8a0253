// SPDX-License-Identifier: Apache-2.0
import Downbeat
import MusicSequences
import SoundFontInstruments
import TestSupport

/// Songs in a RIFF wrapper: read, their texts decoded, their banks opened, and written again.
struct WrapperTarget: FuzzTarget {
  private let scene: FuzzScene
  private let seeds: [[UInt8]]
  private var (played, damaged, refused) = (0, 0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
    let song = SongBytes.notes(4, every: 240)
    let information = [
      WrappedSong.text("INAM", "Blue"), WrappedSong.text("IENC", "windows-1251"),
      WrappedSong.text("MENC", "utf-8"), WrappedSong.bankOffset(2), ("IPIC", [1, 2, 3]),
    ]
    let list = WrappedSong.list(information)
    seeds = [
      WrappedSong.file(song, information, bank: TinySoundFont.bytes),
      WrappedSong.form(TinySoundFont.bytes + WrappedSong.chunk("data", song) + list),
      WrappedSong.file(song, information),
    ]
  }

  var tally: String { "\(played) played, \(damaged) with a damaged bank, \(refused) refused" }

  mutating func attack(_ random: inout SplitMix) throws {
    var bytes = seeds.randomElement(using: &random) ?? []
    Mutation.damage(&bytes, &random)
    if Bool.random(using: &random) { Mutation.lie(&bytes, near: bytes.count, &random) }
    try scene.keep(bytes)
    let file: SequenceFile
    do {
      file = try SMFReader().read(bytes)
    } catch {
      refused += 1
      return
    }
    try checkWriting(file, bytes.count)
    guard let wrapper = file.wrapper else { return }
    let texts = WrapperTexts(wrapper)
    try FuzzFault.unless(texts.texts.values.allSatisfy { !$0.isEmpty }, "an empty text")
    _ = TextDecoder(of: file)
    do {
      guard let bank = try EmbeddedBank(of: file, named: "song.rmi") else { return }
      try FuzzFault.unless((0...127).contains(bank.bankOffset), "offset \(bank.bankOffset)")
      try bank.font.tryOut()
      played += 1
    } catch is InstrumentError {
      damaged += 1
    }
  }

  /// A file that was written has the same wrapper, and only its bank can be damaged.
  private func checkWriting(_ file: SequenceFile, _ count: Int) throws {
    let written = try WrapperWriter().write(file)
    try FuzzFault.unless(written.count <= 16 * count + 1024, "\(written.count) bytes for \(count)")
    let again = try SMFReader().read(written)
    try FuzzFault.unless(
      again.wrapper?.chunks.map(\.name) == file.wrapper?.chunks.map(\.name),
      "other chunks after writing")
    let known: Set<Repair.Kind> = [.bankOffset, .furtherBank, .wrapperChunk, .bankLength]
    let repair = again.repairs.first { !$0.isRemark && !known.contains($0.kind) }
    try FuzzFault.unless(
      repair == nil, "what was written is read with \(repair.map { "\($0)" } ?? "")")
  }
}
