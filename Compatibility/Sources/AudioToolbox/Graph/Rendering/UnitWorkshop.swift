// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import MusicalTime

/// Memory of a fixed size, and an instrument, with which an initialized unit renders.
///
/// - Note: Only one thread renders with it.
final class UnitWorkshop: @unchecked Sendable {
  // Unchecked: one thread renders; the instrument has locks.

  let result: StereoMemory
  let scratch: StereoMemory
  let player: InstrumentPlayer?
  /// The gains of each input at the end of the last slice.
  var gains: [StereoGains]
  /// True until the first slice is rendered.
  var isFresh = true

  init(
    _ kind: UnitKind, _ settings: UnitObject.State, for sounds: PlayedSounds? = nil
  ) throws {
    // At least the frames of a quantum of the device.
    let capacity = max(64, settings.maximumFrames)
    result = StereoMemory(capacity: capacity)
    scratch = StereoMemory(capacity: capacity)
    gains = Array(repeating: StereoGains(left: 0, right: 0), count: settings.inputCount)
    player = kind == .instrument ? try InstrumentPlayer(settings, for: sounds) : nil
  }
}
