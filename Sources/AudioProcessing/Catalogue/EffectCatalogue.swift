// SPDX-License-Identifier: Apache-2.0
internal import JSONText
public import MusicalTime

/// The effects of this library by their names, with what can be set on each, so that a text makes them:
/// `reverb mix=30% decay=2s`, `delay time=1/8. feedback=0.5`, `compressor threshold=-20dB ratio=3`.
///
/// Values are written with their units or in seconds, hertz, decibels and metres without; `%` divides
/// by a hundred; a time may be a note value, which lasts as long as the tempo says.
///
/// - Note: Control side.
public struct EffectCatalogue: Sendable {
  /// Reads an impulse response from a file, and brings it to a rate: one channel, two, or four.
  public typealias ResponseReader =
    (_ path: String, _ rate: SampleRate) throws -> [[Float]]

  /// The effects, in the order in which a list shows them.
  public let entries: [EffectEntry]

  /// Where effects are found whose names begin with a prefix; no list shows them.
  public let libraries: [EffectLibrary]

  /// Knows effects; of two of one name the first.
  public init(_ entries: [EffectEntry], libraries: [EffectLibrary] = []) {
    self.entries = entries
    self.libraries = libraries
  }

  /// The same, with the effects of a library.
  public func adding(_ library: EffectLibrary) -> EffectCatalogue {
    EffectCatalogue(entries, libraries: libraries + [library])
  }

  /// The effect of a name; upper and lower case are the same.
  ///
  /// - Throws: `EffectError.unknownEffect`, with the names that are near; `EffectError.unusable` where a
  ///   library has none of that name.
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

  /// Makes the unit that a text asks for, of one stereo bus, with its parameters set at once.
  ///
  /// - Parameters:
  ///   - text: the effect's name, and what is set.
  ///   - rate: frames a second.
  ///   - tempo: what note values are measured by; a delay keeps its notes, for `DelayUnit.follow`.
  ///   - response: what reads the file of `convolution`.
  /// - Returns: the unit.
  /// - Throws: `EffectError`, whose description is a sentence with what could be meant, or the range.
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
