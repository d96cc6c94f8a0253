// SPDX-License-Identifier: Apache-2.0

/// A soundfont that can be changed and written: its texts, presets, instruments and samples.
///
/// Sample data is not held in memory: each sample names the bytes it is read from when the font is
/// written. Presets refer to instruments, and instruments to samples, by index: the amount of the
/// last generator of a zone (`Generator.instrument`, `Generator.sample`).
///
/// Writing a document that was read and not changed gives the same bytes, unless `repairs` names a
/// difference.
///
/// Source: SoundFont 2.04, sections 4 to 7.
public struct SoundFontDocument: Sendable {
  /// The chunks of the list `INFO`, in file order.
  public var information: [Information]
  /// The presets, in file order.
  public var presets: [Preset]
  /// The instruments, in file order.
  public var instruments: [Instrument]
  /// The samples, in file order.
  public var samples: [Sample]
  /// Changes that writing makes because the file breaks the standard.
  ///
  /// A sentence each, in file order; empty for a well-formed font.
  public internal(set) var repairs: [String] = []
  /// The rest of the file, written as it was.
  var frame = Frame()

  /// Creates a document without presets, as version 2.04.
  ///
  /// - Parameter name: the font's name.
  public init(name: String) {
    (information, presets, instruments, samples) = ([], [], [], [])
    setVersion(major: 2, minor: 4)
    setText("isng", "EMU8000")
    setText("INAM", name)
  }

  /// Reads a font; sample data is not read until the document is written.
  ///
  /// - Parameter bytes: an SF2 or SF3 file.
  /// - Throws: `SoundFontError` if a table is missing, cut, or points outside another.
  /// - Complexity: O(n) in the size of the tables.
  public init(_ bytes: FontBytes) throws(SoundFontError) {
    var reading = try DocumentReading(bytes)
    information = reading.information
    (presets, instruments) = (reading.presets(), reading.instruments())
    samples = reading.samples()
    (frame, repairs) = (reading.frame, reading.repairs)
  }
}
