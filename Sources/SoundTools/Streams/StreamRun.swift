// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import PlayerControl
internal import PlayerViews
internal import Realtime
internal import SoundStreaming

/// The work of streams in the run loop, until the last one and its effects end or the user quits.
struct StreamRun: RunLoopBody {
  /// The period at which the end of a stream is checked, in nanoseconds.
  private static let period: Int64 = 5_000_000

  private let player: StreamPlayer
  private let plan: RenderPlan
  private let output: any OutputUnit
  private var watch: DeviceWatch
  private let signals: SignalWatch
  private var tail: EffectTail
  var controlled: ControlledSound<StreamControls>

  init(
    player: StreamPlayer, plan: RenderPlan, device: OutputDevice, signals: SignalWatch,
    controlled: ControlledSound<StreamControls>
  ) {
    self.player = player
    self.plan = plan
    output = device.unit
    watch = DeviceWatch(device)
    self.signals = signals
    tail = EffectTail(plan)
    self.controlled = controlled
  }

  var descriptors: [Int32] { controlled.descriptors }
  var deadline: Int64? { DeadlineWait.now + Self.period }

  mutating func turn() throws -> Bool {
    guard isSounding(), output.fault == nil, !controlled.controls.hasEnded else { return false }
    if try watch.look() == .lost, watch.policy == .pause {
      try controlled.controls.perform(.setPaused(true), at: nil)
    }
    controlled.update(signals, xruns: output.xrunCount)
    // The user may have selected another item during the tail of the last one.
    if !player.isOver { tail = EffectTail(plan) }
    return true
  }

  func stop(by signals: SignalWatch) { controlled.stop(by: signals) }

  private mutating func isSounding() -> Bool {
    !player.isOver || controlled.controls.isPaused || !tail.isOver(at: output.position)
  }
}
