// SPDX-License-Identifier: Apache-2.0
internal import JSONText
public import MusicalTime

/// Effects that can be created from text, by name.
///
/// Examples: `reverb mix=30% decay=2s`, `delay time=1/8. feedback=0.5` and
/// `compressor threshold=-20dB ratio=3`.
///
/// A value without a unit is in the parameter's measure: seconds, hertz, decibels or metres. `%`
/// divides a value by 100. A time can be a note value, whose length depends on the tempo. Names are
/// not case-sensitive.
///
/// - Note: Not real-time safe.
public struct EffectCatalogue: Sendable {
  /// Reads an impulse response from a file, converts it to a sample rate, and returns one array of
  /// samples for each of 1, 2 or 4 channels.
  public typealias ResponseReader =
    (_ path: String, _ rate: SampleRate) throws -> [[Float]]

  /// The effects, in the order in which they are listed.
  public let entries: [EffectEntry]

  /// Libraries of further effects, such as plug-ins.
  ///
  /// An effect belongs to a library if its name begins with the library's prefix. The effects of
  /// libraries are not listed in `entries`.
  public let libraries: [EffectLibrary]

  /// Creates a catalogue.
  ///
  /// If two effects have the same name, the first one is found.
  public init(_ entries: [EffectEntry], libraries: [EffectLibrary] = []) {
    self.entries = entries
    self.libraries = libraries
  }

  /// Returns this catalogue with a library added.
  public func adding(_ library: EffectLibrary) -> EffectCatalogue {
    EffectCatalogue(entries, libraries: libraries + [library])
  }

  /// Returns the effect with a name; case is ignored.
  ///
  /// - Throws: `EffectError.unknownEffect`, with similar names; `EffectError.unusable` if a library
  ///   does not have the effect.
  public func entry(_ name: String) throws(EffectError) -> EffectEntry {
    let lowered = name.lowercased()
    if let library = libraries.first(where: { lowered.hasPrefix($0.prefix) }) {
      return try library.entry(lowered)
    }
    guard let entry = entries.first(where: { $0.name == lowered }) else {
      let all = entries.map(\.name)
      throw .unknownEffect(name, near: NearestNames.of(name, among: all), all: all)
    }
    return entry
  }

  /// Creates the unit that a text describes, with a stereo input and output and with its parameters
  /// set.
  ///
  /// - Parameters:
  ///   - text: the name of the effect, followed by its settings.
  ///   - rate: the sample rate.
  ///   - tempo: the tempo with which note values are converted; a delay keeps its note value for
  ///     `DelayUnit.follow`.
  ///   - response: the function that reads the impulse response of `convolution`; if nil, a text
  ///     with a file is an error.
  /// - Returns: the unit.
  /// - Throws: `EffectError`. Its description suggests similar names, or gives the valid range.
  public func unit(
    _ text: String, rate: SampleRate, tempo: Tempo = .standard, response: ResponseReader? = nil
  ) throws(EffectError) -> any ParametricUnit {
    let words = try EffectText(parsing: text)
    let entry = try entry(words.name)
    var settings = EffectSettings(entry, words, rate: rate, tempo: tempo, response: response)
    try settings.readOptions()
    let unit = try entry.make(&settings)
    try settings.apply(to: unit)
    return unit
  }
}
