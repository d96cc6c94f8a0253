// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// The rest of a font's file, other than presets, instruments and samples.
  struct Frame: Sendable {
    /// The closing records of the tables.
    var closing = Closing()
    /// The chunks of `sdta` in file order; `sm24` follows `smpl` if samples have 24 bits.
    var sampleChunks: [Part] = [.known("smpl")]
    /// The byte that pads a chunk `smpl` of odd size.
    var samplePadding: UInt8 = 0
    /// The chunks of `pdta`, in file order.
    var tableChunks = FontHydra.tableNames.map { Part.known($0) }
    /// The chunks after the three lists, with their padding.
    var following: [FontBytes] = []
    /// The sample data that is written completely, including gaps between samples.
    var wholeData: [SampleData] = []
  }

  /// A chunk of a list.
  enum Part: Sendable {
    /// A chunk that is created from presets, instruments and samples, by its name.
    case known(String)
    /// Another chunk, with its header and padding.
    case other(FontBytes)
  }

  /// The closing records of the nine tables, as in the file.
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
