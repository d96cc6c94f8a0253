// SPDX-License-Identifier: Apache-2.0

/// A soundfont that can be changed and written, with its texts, presets, instruments and samples.
///
/// Sample data is not in memory: it is read from its source when the font is written. Presets refer
/// to instruments, and instruments to samples, by their index. The index is the amount of the last
/// generator of a zone (`Generator.instrument`, `Generator.sample`).
///
/// A document that was read and not changed is written with the same bytes, unless `repairs` lists
/// a difference.
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
  /// The changes that are made when the document is written, because the file that was read
  /// violates the standard.
  ///
  /// The array has one sentence for each change, in file order. It is empty for a well-formed font.
  public internal(set) var repairs: [String] = []
  /// The rest of the file, which is written unchanged.
  var frame = Frame()

  /// Creates an empty document of version 2.04.
  ///
  /// - Parameter name: The name of the font.
  public init(name: String) {
    (information, presets, instruments, samples) = ([], [], [], [])
    setVersion(major: 2, minor: 4)
    setText("isng", "EMU8000")
    setText("INAM", name)
  }

  /// Reads a soundfont as a document.
  ///
  /// Sample data is not read until the document is written.
  ///
  /// - Parameter bytes: An SF2 or SF3 file.
  /// - Throws: `SoundFontError` if a table is missing or truncated, or contains an invalid index.
  /// - Complexity: O(n) in the size of the tables.
  public init(_ bytes: FontBytes) throws(SoundFontError) {
    var reading = try DocumentReading(bytes)
    information = reading.information
    (presets, instruments) = (reading.presets(), reading.instruments())
    samples = reading.samples()
    (frame, repairs) = (reading.frame, reading.repairs)
  }
}
