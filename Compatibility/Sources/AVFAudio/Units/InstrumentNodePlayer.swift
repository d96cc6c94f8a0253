// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Downbeat
internal import Foundation
internal import MusicalTime
internal import SoundFontInstruments

/// The instrument of a node: its soundfont, its level, and the unit that plays.
///
/// - Note: Any thread; the render thread does not use it.
final class InstrumentNodePlayer: @unchecked Sendable {
  /// The level of the whole instrument.
  struct Level {
    /// A linear factor.
    var gain: Float = 1
    /// −1 (left) to 1 (right).
    var pan: Float = 0
  }

  // Every access holds the lock.
  private let lock = NSLock()
  private let line: InstrumentLine
  private let hasEffects: Bool
  /// The soundfont that was loaded; nil for the one that `downbeat` finds.
  private var loaded: SharedFonts?
  /// The soundfont that was found, so that it is read only once.
  private var found: SharedFonts?
  private var level = Level()
  private var mixer: MixerUnit?

  init(_ line: InstrumentLine, hasEffects: Bool) {
    (self.line, self.hasEffects) = (line, hasEffects)
  }

  func load(_ fonts: SharedFonts) { lock.withLock { loaded = fonts } }

  func setLevel(_ body: (inout Level) -> Void) {
    lock.withLock {
      body(&level)
      applyLevel()
    }
  }

  /// Creates the unit: the instrument's buses, mixed; nil without a soundfont.
  func makeUnit(_ rate: SampleRate) -> (any ProcessingUnit)? {
    guard (8000...96_000).contains(rate.hertz) else { return nil }
    do {
      return try lock.withLock { try made(rate) }
    } catch {
      // Without a soundfont, or with one that is damaged, the node is silent.
      return nil
    }
  }

  private func made(_ rate: SampleRate) throws -> (any ProcessingUnit)? {
    let configuration = Self.configuration(rate, hasEffects: hasEffects)
    if loaded == nil, found == nil { found = try Self.standardFonts(configuration) }
    guard let fonts = loaded ?? found else { return nil }
    let instrument = try InstrumentUnit(fonts, configuration: configuration)
    let mixer = MixerUnit(stripCount: configuration.busCount, rate: rate)
    var graph = AudioGraph()
    let (source, head) = (graph.add(instrument), graph.add(mixer))
    for bus in 0..<configuration.busCount {
      try graph.connect(source, output: bus, to: head, input: bus)
    }
    try graph.setHead(head)
    self.mixer = mixer
    applyLevel()
    let unit = try SubgraphUnit(name: "instrument", graph)
    line.connect(instrument)
    return unit
  }

  private func applyLevel() {
    guard let mixer else { return }
    for strip in 0..<mixer.stripCount where mixer[strip].pan != level.pan {
      mixer[strip].pan = level.pan
    }
    if mixer.sum.gain != level.gain { mixer.sum.gain = level.gain }
  }

  static func configuration(_ rate: SampleRate, hasEffects: Bool) -> InstrumentConfiguration {
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.dryBuses = .mixed
    configuration.hasEffects = hasEffects
    configuration.polyphony = 512
    return configuration
  }

  private static func standardFonts(_ configuration: InstrumentConfiguration) throws -> SharedFonts?
  {
    let process = ProcessInfo.processInfo
    let discovery = SoundFontDiscovery(
      environment: process.environment, executable: process.arguments.first ?? "")
    guard let path = discovery.find() else { return nil }
    return try SharedFonts([SoundFontLayer(SoundFont(path: path))], for: configuration)
  }
}
