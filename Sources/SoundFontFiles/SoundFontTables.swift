// SPDX-License-Identifier: Apache-2.0

/// The contents of a soundfont without the sound: its texts, presets, instruments and samples.
///
/// Tables are read from SF2 files, and from SF3 files with compressed samples (`SampleCodec`). All
/// indices in the tables are valid. `findings(in:)` checks samples and loops.
///
/// Source: SoundFont 2.04, sections 4 to 7.
public struct SoundFontTables: Sendable {
  /// A preset, which is selected by a bank and a program number.
  public struct Preset: Hashable, Sendable {
    /// The name as in the font.
    public let name: String
    /// The bank, 0…127, or 128 for drums.
    public let bank: Int
    /// The program, 0…127.
    public let program: Int
    /// The indices of the instruments that the preset plays.
    public let instruments: [Int]
  }

  /// A sample: a recorded sound with its loop and pitch.
  public struct Sample: Hashable, Sendable {
    /// The name as in the font.
    public let name: String
    /// The range of the sample in the sample data, in frames; for a compressed sample in bytes.
    public let place: Range<Int>
    /// The range of the loop in the sample data, in frames; for a compressed sample, in frames from
    /// the start of the sample.
    public let loop: Range<Int>
    /// The sample rate in hertz.
    public let rate: Int
    /// The key that plays the sample at its original pitch, 0…127; 255 for an unpitched sound.
    public let key: Int
    /// The pitch correction in cents.
    public let correction: Int
    /// True if the sample is compressed.
    public let isCompressed: Bool
    /// True if the sample is in the ROM of an old sound card, and therefore silent.
    public let isInROM: Bool
  }

  /// A part of an instrument: a sample with its range of keys and velocities, and settings.
  public struct Zone: Hashable, Sendable {
    /// The amounts of the zone's generators, by the number of the generator.
    ///
    /// Generators that the instrument sets for all zones are included.
    public let generators: [Int: Int]
    /// The index of the sample.
    public let sample: Int

    /// The range of keys that play the sample.
    public var keys: ClosedRange<Int> { range(43) }
    /// The range of velocities that play the sample.
    public var velocities: ClosedRange<Int> { range(44) }

    private func range(_ generator: Int) -> ClosedRange<Int> {
      let value = generators[generator] ?? 127 << 8
      return min(value & 0xFF, value >> 8)...max(value & 0xFF, value >> 8)
    }
  }

  /// The texts about the font, by their four-character names, such as `INAM` for the font's name.
  public let texts: [String: String]
  /// The version of the format: (2, 1), (2, 4) or (3, 0) for 2.1, 2.4 or 3.0.
  public let version: (major: Int, minor: Int)
  /// The presets, sorted by bank and program.
  ///
  /// - Complexity: O(n log n) in the number of presets, at each access.
  public var presets: [Preset] {
    hydra.presets.sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }
  /// The number of instruments.
  public var instrumentCount: Int { hydra.instrumentCount }
  /// The samples.
  ///
  /// - Complexity: O(n) in the number of samples, at each access.
  public var samples: [Sample] { hydra.samples }
  /// The range of bytes in the file that contains the samples.
  public let sampleData: Range<Int>
  /// The range of bytes in the file that contains the lower bytes of 24-bit samples, one per frame
  /// of `sampleData`; nil for 16-bit samples.
  public let sampleLowBytes: Range<Int>?
  /// The default modulators of every note and a closing record, which replace those of the
  /// standard; nil for those of the standard.
  ///
  /// Source: the chunk `DMOD` in the list `INFO`, as in SpessaSynth, Polyphone and FluidSynth 2.5.
  package let defaultModulators: FontTable?
  /// The position of the list of the tables in the file.
  let tablesStart: Int
  /// True if the file ends with the font.
  let isWhole: Bool
  /// The tables as in the file.
  package let hydra: FontHydra
  /// The level of the DLS file from which the font was converted, or nil.
  var dlsLevel: Int?
  /// Parts of that file that cannot be played, or only with changes.
  var conversionFindings: [Finding] = []

  /// The name of the font; empty if it is not stated.
  public var name: String { texts["INAM"] ?? "" }

  /// Reads the tables of a soundfont.
  ///
  /// - Parameter bytes: An SF2 or SF3 file.
  /// - Throws: `SoundFontError` if a table is missing or truncated, or contains an invalid index.
  /// - Complexity: O(n) in the size of the tables; the sample data is not read.
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

  /// The maximum number of default modulators.
  static let modulatorLimit = 1024

  /// Returns the zones of an instrument that play a sample.
  ///
  /// - Parameter index: The index of the instrument.
  /// - Returns: The zones, in the order of the font.
  /// - Precondition: The index is in range.
  /// - Complexity: O(n) in the number of zones.
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
