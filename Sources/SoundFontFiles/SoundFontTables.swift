// SPDX-License-Identifier: Apache-2.0

/// What a soundfont holds: its texts, presets and samples, without the sound itself.
///
/// SF2, and SF3 with compressed samples (`SampleCodec`). Every index in the tables has been checked
/// when a value of this type exists; `findings(in:)` tells whether samples and loops make sense.
///
/// Source: SoundFont 2.04, sections 4 to 7.
public struct SoundFontTables: Sendable {
  /// A program: what a bank and a program number select.
  public struct Preset: Hashable, Sendable {
    /// Its name, as the font gives it.
    public let name: String
    /// The bank, 0…127, or 128 for drums.
    public let bank: Int
    /// The program, 0…127.
    public let program: Int
    /// The instruments it is made of, as indices.
    public let instruments: [Int]
  }

  /// A recorded sound.
  public struct Sample: Hashable, Sendable {
    /// Its name, as the font gives it.
    public let name: String
    /// The frames it takes in the sample data; for a compressed one the bytes.
    public let place: Range<Int>
    /// The loop, in frames as `place` counts them; for a compressed one from its own first frame.
    public let loop: Range<Int>
    /// Frames a second.
    public let rate: Int
    /// The key at which it sounds as stored, 0…127; 255 for none.
    public let key: Int
    /// What is added to its pitch, in cents.
    public let correction: Int
    /// Whether it is compressed.
    public let isCompressed: Bool
    /// Whether it lies in the ROM of an old sound card, so that it cannot be heard.
    public let isInROM: Bool
  }

  /// A part of an instrument: the keys and velocities that sound a sample, and how.
  public struct Zone: Hashable, Sendable {
    /// The amount of each SoundFont generator the zone has, by the generator's number, the
    /// instrument's own settings included.
    public let generators: [Int: Int]
    /// The sample, as an index.
    public let sample: Int

    /// The keys that sound it.
    public var keys: ClosedRange<Int> { range(43) }
    /// The velocities that sound it.
    public var velocities: ClosedRange<Int> { range(44) }

    private func range(_ generator: Int) -> ClosedRange<Int> {
      let value = generators[generator] ?? 127 << 8
      return min(value & 0xFF, value >> 8)...max(value & 0xFF, value >> 8)
    }
  }

  /// The texts about the font by their four letters, such as `INAM` for its name.
  public let texts: [String: String]
  /// The version of the format: 2.1, 2.4 or 3.0 as (2, 1), (2, 4) or (3, 0).
  public let version: (major: Int, minor: Int)
  /// The programs, by bank and number.
  ///
  /// - Complexity: O(n log n) in their number, each time.
  public var presets: [Preset] {
    hydra.presets.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }
  /// How many instruments there are.
  public var instrumentCount: Int { hydra.instrumentCount }
  /// The samples.
  ///
  /// - Complexity: O(n) in their number, each time.
  public var samples: [Sample] { hydra.samples }
  /// The bytes of the file that hold the samples.
  public let sampleData: Range<Int>
  /// The bytes of the file that hold what samples of 24 bits have below their upper 16, one for each
  /// frame of `sampleData`; nil where samples have 16 bits, as before version 2.4.
  public let sampleLowBytes: Range<Int>?
  /// The modulators that every note of the font has in place of the standard's, and a closing one;
  /// nil for the standard's.
  ///
  /// Source: the chunk `DMOD` in the list `INFO`, as SpessaSynth, Polyphone and FluidSynth 2.5 know it.
  package let defaultModulators: FontTable?
  /// Where the list of the tables begins in the file.
  let tablesStart: Int
  /// Whether nothing comes after the font in its file.
  let isWhole: Bool
  /// The tables as the file has them.
  package let hydra: FontHydra
  /// The level of the DLS file that the font was made from, or nil.
  var dlsLevel: Int?
  /// Parts of that file that cannot be played, or not as they are.
  var conversionFindings: [Finding] = []

  /// The font's own name, or an empty text.
  public var name: String { texts["INAM"] ?? "" }

  /// Reads the tables.
  ///
  /// - Throws: `SoundFontError` where a table is missing, cut, or points outside another.
  /// - Complexity: O(n) in the size of the tables; the sample data is not touched.
  public init(_ bytes: FontBytes) throws(SoundFontError) {
    let lists = try FontLists(bytes)
    hydra = try FontHydra(bytes, lists.tables)
    (texts, version) = try Self.information(bytes, lists.information)
    defaultModulators = try lists.information["DMOD"].flatMap { (place) throws(SoundFontError) in
      place.isEmpty || place.count % FontHydra.modulatorSize != 0
        ? nil
        : FontTable(
          try bytes.bytes(place.prefix(Self.modulatorLimit * FontHydra.modulatorSize)),
          recordSize: FontHydra.modulatorSize)
    }
    sampleData = lists.samples
    sampleLowBytes = version.minor >= 4 ? lists.sampleLowBytes : nil
    (tablesStart, isWhole) = (lists.tablesStart, lists.isWhole)
  }

  /// The most default modulators that are read.
  static let modulatorLimit = 1024

  /// The parts of an instrument that sound a sample.
  ///
  /// - Complexity: O(n) in their number.
  public func zones(ofInstrument index: Int) -> [Zone] {
    precondition((0..<instrumentCount).contains(index), "instrument \(index) of \(instrumentCount)")
    return hydra.zones(ofInstrument: index)
  }

  private static func information(
    _ bytes: FontBytes, _ chunks: [String: Range<Int>]
  ) throws(SoundFontError) -> (texts: [String: String], version: (major: Int, minor: Int)) {
    var texts: [String: String] = [:]
    for (name, place) in chunks where name.hasPrefix("I") || name == "isng" {
      texts[name] = FontTable.text(try bytes.bytes(place.prefix(65_536))[...])
    }
    guard let place = chunks["ifil"], place.count >= 4 else {
      throw .damaged(reason: "its format version is missing")
    }
    let table = FontTable(try bytes.bytes(place.prefix(4)), recordSize: 4)
    guard (2...3).contains(table.word(0)) else {
      throw .notSoundFont(reason: "format version \(table.word(0)), expected 2 or 3")
    }
    return (texts, (table.word(0), table.word(2)))
  }
}
