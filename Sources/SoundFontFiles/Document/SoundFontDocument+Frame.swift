// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// The rest of a font's file, besides presets, instruments and samples.
  struct Frame: Sendable {
    /// The closing records of the tables.
    var closing = Closing()
    /// The chunks of `sdta` in file order; `sm24` follows `smpl` if samples have 24 bits.
    var sampleChunks: [Part] = [.known("smpl")]
    /// The byte that pads a chunk `smpl` of odd length.
    var samplePadding: UInt8 = 0
    /// The chunks of `pdta`, in file order.
    var tableChunks = FontHydra.tableNames.map { Part.known($0) }
    /// The chunks after the three lists, with their padding.
    var following: [FontBytes] = []
    /// The sample data that is written whole, gaps between samples included.
    var wholeData: [SampleData] = []
  }

  /// A chunk of a list.
  enum Part: Sendable {
    /// One made of presets, instruments and samples, by its name.
    case known(String)
    /// Another, with its head and padding.
    case other(FontBytes)
  }

  /// The closing records of the nine tables, as a file has them.
  struct Closing: Sendable {
    var preset = Preset(name: "EOP", bank: 0, program: 0, zones: [])
    var instrument = Name("EOI")
    var presetModulator = Modulator(source: 0, destination: 0, amount: 0)
    var presetGenerator = Generator(kind: 0, amount: 0)
    var instrumentModulator = Modulator(source: 0, destination: 0, amount: 0)
    var instrumentGenerator = Generator(kind: 0, amount: 0)
    /// The record of 46 bytes.
    var sample = Name("EOS").bytes + [UInt8](repeating: 0, count: 26)
  }
}
