// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Synchronization

/// An engine's sound on its output, from a start to a pause or stop.
///
/// - Note: One thread at a time starts and stops; any thread asks for times.
final class EngineDevice: Sendable {
  let output: EngineOutput
  private let rendering: EngineRendering
  private let clock: Mutex<ReferenceClock>
  /// Checks the output; returns true once it is lost.
  private let isLost: @Sendable (EngineOutput) -> Bool

  init(
    _ output: EngineOutput, _ rendering: EngineRendering,
    isLost: @escaping @Sendable (EngineOutput) -> Bool
  ) {
    (self.output, self.rendering, self.isLost) = (output, rendering, isLost)
    clock = Mutex(ReferenceClock(rate: rendering.rate, latency: output.unit.latency))
  }

  /// Starts the output at the position of the last one.
  ///
  /// - Throws: The error of the output.
  func start() throws {
    // The service is stopped before this object is freed.
    try rendering.startService { [self] in (look(), isLost(output)) }
    do {
      try output.unit.start(rendering.plan, at: SampleTime(frames: rendering.position))
      rendering.noteRun()
    } catch {
      rendering.stopService()
      throw error
    }
  }

  /// Returns the state of the output.
  private func look() -> EngineMoment {
    let seen = output.unit.clock
    let position = output.unit.position
    clock.withLock { clock in _ = clock.look(seen, at: position) }
    return EngineMoment(
      isOffline: false, audibleFrame: position.frames - Int64(output.unit.latency), clock: seen)
  }

  /// Stops, and returns when the output is silent.
  func stop() {
    rendering.stopService()
    output.unit.stop(draining: false)
    rendering.setPosition(output.unit.position.frames)
    // Sound that was rendered counts as audible, since no more follows.
    rendering.serve(EngineMoment(isOffline: false, audibleFrame: nil, clock: nil))
  }

  /// The next frame that is rendered.
  var position: Int64 { output.unit.position.frames }

  /// Seconds from the rendering of a frame until it is audible.
  var latency: Double { Double(output.unit.latency) / Double(rendering.rate.hertz) }

  /// The relation of frames to host time; nil before the first period.
  var timeBase: TimeBase? { clock.withLock(\.base) }

  /// The host time at which a frame is audible; nil before the first period.
  func hostTime(ofFrame frame: Int64) -> UInt64? {
    timeBase.map { base in
      let time = rendering.rate.timeRoundedUp(of: SampleTime(frames: frame))
      return UInt64(clamping: base.hostTime(of: time).nanoseconds)
    }
  }

  /// The frame that is audible at a host time; nil before the first period.
  func frame(atHostTime time: UInt64) -> Int64? {
    timeBase.map { base in
      let host = HostTime(nanoseconds: Int64(clamping: time))
      return rendering.rate.frame(at: base.time(at: host)).frames
    }
  }
}
