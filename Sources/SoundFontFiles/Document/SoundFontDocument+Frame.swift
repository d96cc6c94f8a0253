// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// The rest of a font's file, besides presets, instruments and samples.
  struct Frame: Sendable {
    /// The closing records of the nine tables, as the file has them.
    var closing = Closing()
    /// The chunks of `sdta` and `pdta`, in file order: those that are known by name alone.
    var sampleChunks: [Part] = [.known("smpl"), .known("sm24")]
    var tableChunks = FontHydra.tableNames.map { Part.known($0) }
    /// The chunks after the three lists.
    var following: [FontBytes] = []
    /// The sample data that is written whole, gaps between samples included.
    var wholeData: [SampleData] = []
    /// The padding bytes of chunks of odd length, by name.
    var paddings: [String: UInt8] = [:]
  }

  /// A chunk of a list.
  enum Part: Sendable {
    /// One that is made of presets, instruments and samples.
    case known(String)
    /// Another, with its head and padding.
    case other(FontBytes)
  }

  /// The closing records of the tables.
  struct Closing: Sendable {
    var preset = Preset(name: "EOP", bank: 0, program: 0, zones: [])
    var instrument = Name("EOI")
    var sample = Name("EOS").bytes + [UInt8](repeating: 0, count: 26)
    var presetModulator = Modulator(source: 0, destination: 0, amount: 0)
    var presetGenerator = Generator(kind: 0, amount: 0)
    var instrumentModulator = Modulator(source: 0, destination: 0, amount: 0)
    var instrumentGenerator = Generator(kind: 0, amount: 0)
  }
}
