// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import PlayerControl
internal import SoundFontFiles
internal import SoundFontInstruments

/// The contents of a song's RIFF wrapper: its texts, its picture and its bank of instruments.
struct WrapperReport {
  private let wrapper: SongWrapper
  private let texts: WrapperTexts
  /// The bank; nil without one, or if it is damaged.
  let bank: EmbeddedBank?
  /// The defect of a bank that cannot be used; nil without one.
  let flaw: String?

  /// Reads the wrapper of a song; nil for a song without one.
  init?(_ song: Song) {
    guard let wrapper = song.file.wrapper else { return nil }
    self.wrapper = wrapper
    texts = WrapperTexts(wrapper)
    do throws(InstrumentError) {
      bank = try EmbeddedBank(of: song.file, named: song.name)
      flaw = nil
    } catch {
      (bank, flaw) = (nil, error.flaw)
    }
  }

  /// One line for each fact, with its label.
  var facts: [(label: String, words: String)] {
    let fields: [(SongWrapper.Field, String)] = [
      (.title, "title"), (.artist, "artist"), (.album, "album"), (.genre, "genre"),
      (.date, "date"), (.copyright, "copyright"), (.comment, "comment"), (.subject, "subject"),
      (.engineer, "engineer"), (.software, "software"),
    ]
    let written = fields.compactMap { field, label in
      texts[field].map { (label: label, words: Printable.dotted($0)) }
    }
    let others = [(label: "picture", words: pictureWords), (label: "bank", words: bankWords)]
    return written + others.filter { !$0.words.isEmpty }
  }

  private var pictureWords: String {
    guard let picture else { return "" }
    return "\(picture.type ?? "unknown format"), \(picture.bytes.counted("byte"))"
  }

  /// The bank in one line: `FluidR3 (SF2, 1204 KiB, 12 presets, bank offset 1)`.
  var bankWords: String {
    guard let place = wrapper.bank else { return "" }
    guard let bank else {
      return "\(Self.kind(place.kind)), damaged: \(flaw ?? "") (not played)"
    }
    let name = Printable.dotted(bank.font.tables.name)
    let size = (place.range.count + 512) / 1024
    let offset = "bank offset \(bank.bankOffset)" + (isOffsetStated ? "" : " (not stated)")
    return "\(name.isEmpty ? "unnamed" : name) (\(kind(of: bank)), \(size) KiB, "
      + "\(bank.presetCount.counted("preset")), \(offset))"
  }

  private var isOffsetStated: Bool { wrapper.statedBankOffset != nil }

  private static func kind(_ kind: SongWrapper.Bank.Kind) -> String {
    kind == .soundFont ? "SoundFont" : "DLS"
  }

  private func kind(of bank: EmbeddedBank) -> String {
    guard bank.kind == .soundFont else { return "DLS" }
    return bank.font.tables.samples.contains(where: \.isCompressed) ? "SF3" : "SF2"
  }

  private var picture: (bytes: Int, type: String?)? {
    guard let bytes = wrapper.content(of: .picture) else { return nil }
    let types: [(mark: [UInt8], type: String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"), ([0x47, 0x49, 0x46], "GIF"),
    ]
    return (bytes.count, types.first { bytes.starts(with: $0.mark) }?.type)
  }

  /// The JSON document of the wrapper.
  var json: JSONValue {
    var members: JSONReport.Members = []
    for field in SongWrapper.Field.allCases where field.isDescription {
      members.append((field.rawValue, JSONReport.text(texts[field])))
    }
    members.append(("textEncoding", .text(texts.encoding)))
    members.append(("picture", pictureJSON))
    members.append(("bank", bankJSON))
    return .object(members)
  }

  private var pictureJSON: JSONValue {
    guard let picture else { return .null }
    return .object([
      ("bytes", .integer(picture.bytes)), ("format", JSONReport.text(picture.type)),
    ])
  }

  private var bankJSON: JSONValue {
    guard let place = wrapper.bank else { return .null }
    return .object([
      ("kind", .text(bank.map { kind(of: $0) } ?? Self.kind(place.kind))),
      ("name", JSONReport.text(bank?.font.tables.name)),
      ("bytes", .integer(place.range.count)),
      ("presets", bank.map { .integer($0.presetCount) } ?? .null),
      ("bankOffset", .integer(bank?.bankOffset ?? wrapper.bankOffset)),
      ("bankOffsetStated", .bool(isOffsetStated)),
      ("damage", JSONReport.text(flaw)),
    ])
  }
}
