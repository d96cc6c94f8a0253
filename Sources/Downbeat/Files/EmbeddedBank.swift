// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SoundFontFiles
public import SoundFontInstruments

/// The bank of instruments that is embedded in a song's file (RMID), in the format SF2, SF3 or DLS.
///
/// The bank has precedence over the soundfonts. Two values are equal if their bytes and bank
/// offsets are equal.
///
/// Source: SF2 RMIDI specification, revision 1.19, embedded sound bank.
public struct EmbeddedBank: Sendable {
  /// The bank as a soundfont.
  public let font: SoundFont
  /// The format in which the file contains the bank.
  public let kind: SongWrapper.Bank.Kind
  /// The number that is added to the bank numbers of the presets, 0…127; drum kits keep their
  /// numbers.
  public let bankOffset: Int
  /// A number of the content, for comparison.
  let digest: UInt64

  /// Opens the bank that is embedded in a song.
  ///
  /// A DLS file does not state a bank offset. The offset is then 1 if it gives the bank more of the
  /// presets that the song selects, and otherwise 0.
  ///
  /// - Parameters:
  ///   - file: The song; nil is returned for a song without a bank.
  ///   - name: The name of the file, for messages.
  /// - Throws: `InstrumentError` if the bank is damaged.
  /// - Complexity: O(n) in the bytes of the bank.
  public init?(of file: SequenceFile, named name: String) throws(InstrumentError) {
    guard let wrapper = file.wrapper, let bank = wrapper.bank else { return nil }
    let bytes = FontBytes(wrapper.bytes).part(bank.range)
    font = try SoundFont(path: name, bytes: bytes)
    kind = bank.kind
    let isStated = wrapper.statedBankOffset != nil || bank.kind == .soundFont
    bankOffset =
      isStated ? wrapper.bankOffset : Self.bankOffset(of: font, for: file.sequences)
    digest = Self.digest(wrapper.bytes, bank.range)
  }

  /// The number of presets in the bank.
  public var presetCount: Int { font.tables.presets.count }

  /// The bank as a layer of an instrument, to be placed before the soundfonts.
  public var layer: SoundFontLayer {
    SoundFontLayer(font, bankOffset: bankOffset, isEmbedded: true)
  }

  /// The offset, 0 or 1, with which a bank has more of the presets that songs select.
  private static func bankOffset(of font: SoundFont, for sequences: [MusicSequence]) -> Int {
    var presets = OwnPresets()
    for preset in font.tables.presets {
      presets.insert(bank: preset.bank, program: preset.program)
    }
    let selected: Set<Int> = sequences.reduce(into: []) { $0.formUnion(selections(of: $1)) }
    func count(_ offset: Int) -> Int {
      selected.count { presets.contains(bank: ($0 >> 7) - offset, program: $0 & 127) }
    }
    return count(1) > count(0) ? 1 : 0
  }

  /// The melodic presets that notes of a song select by controller 0: banks times 128, plus programs.
  private static func selections(of sequence: MusicSequence) -> Set<Int> {
    let sequence = sequence.withWholeSysEx
    var ports: [UInt8: PortPrograms] = [:]
    var selected: Set<Int> = []
    var cursor = SequenceCursor(playing: sequence.withoutLoops)
    while let event = cursor.next(before: Tick(.max)) {
      switch event.kind {
      case .message(let message):
        ports[event.port, default: PortPrograms()].take(message)
        guard event.release != nil else { continue }
        let channel = Channel(index: message.status & 0x0F)
        let choice = ports[event.port, default: PortPrograms()][channel]
        guard !choice.isDrums else { continue }
        let bank = choice.ignoredBank(isUpper: true) ?? Int(choice.bank)
        selected.insert(bank << 7 | Int(choice.program))
      case .sysEx(let place):
        let bytes = sequence.tracks[Int(event.track)].payload(place)
        ports[event.port, default: PortPrograms()].take(sysEx: bytes[...])
      default: break
      }
    }
    return selected
  }

  /// FNV-1a over the words of some bytes.
  private static func digest(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    unsafe bytes.withUnsafeBytes { bytes in
      var place = range.lowerBound
      while place + 8 <= range.upperBound {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        hash = (hash ^ UInt64(littleEndian: word)) &* 0x100_0000_01B3
        // High bits reach low ones.
        hash ^= hash >> 29
        place += 8
      }
      while place < range.upperBound {
        hash = unsafe (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3
        place += 1
      }
    }
    return hash
  }
}

extension EmbeddedBank: Hashable {
  /// Returns true if the bytes and the bank offsets are equal.
  public static func == (one: EmbeddedBank, other: EmbeddedBank) -> Bool {
    one.digest == other.digest && one.font.byteCount == other.font.byteCount
      && one.bankOffset == other.bankOffset
  }

  /// Adds the bytes and the bank offset to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
    hasher.combine(bankOffset)
  }
}

extension MusicSequence {
  /// The song without the loops of its tracks.
  fileprivate var withoutLoops: MusicSequence {
    var sequence = self
    for index in sequence.tracks.indices { sequence.tracks[index].settings.loop = nil }
    return sequence
  }
}
