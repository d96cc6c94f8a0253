// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl
internal import Realtime

/// The work of sounds in the run loop, until the last one ends or the user quits.
struct SoundMixRun: RunLoopBody {
  /// The period at which the end of the sounds is checked, in nanoseconds.
  private static let period: Int64 = 5_000_000

  let mix: SoundMix
  /// The controls and the display; nil for none.
  var controlled: ControlledSound<SoundControls>?
  let signals: SignalWatch

  var descriptors: [Int32] { controlled?.descriptors ?? [] }
  var deadline: Int64? { DeadlineWait.now + Self.period }

  mutating func turn() throws -> Bool {
    guard mix.isSounding, mix.fault == nil, controlled?.controls.hasEnded != true else {
      return false
    }
    try mix.follow(&controlled)
    controlled?.update(signals, xruns: mix.xrunCount)
    return true
  }

  func stop(by signals: SignalWatch) {
    guard let controlled else { return signals.pause() }
    controlled.stop(by: signals)
  }
}
