// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MusicalTime

/// What a unit that is ready makes its sound with: memory of a fixed size, and an instrument.
///
/// - Note: One thread renders with it.
final class UnitWorkshop: @unchecked Sendable {
  // Unchecked: one thread renders; the instrument has locks of its own.

  let result: StereoMemory
  let scratch: StereoMemory
  let player: InstrumentPlayer?
  /// The factors of each input at the end of the last slice.
  var gains: [StereoGains]
  /// Whether nothing was rendered yet.
  var isFresh = true

  init(
    _ kind: UnitKind, _ settings: UnitObject.State, for sounds: PlayedSounds? = nil
  ) throws {
    // Never less than what a quantum of the device asks for.
    let capacity = max(64, settings.maximumFrames)
    result = StereoMemory(capacity: capacity)
    scratch = StereoMemory(capacity: capacity)
    gains = Array(repeating: StereoGains(left: 0, right: 0), count: settings.inputCount)
    player = kind == .instrument ? try InstrumentPlayer(settings, for: sounds) : nil
  }
}
