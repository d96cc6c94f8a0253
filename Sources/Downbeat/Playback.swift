// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import ClockService
internal import FluidSynthInstruments
internal import Glibc
internal import MusicalTime

/// A session that sounds on an output.
///
/// - Note: `hasFinished` may be asked on any thread; `stop` is called once.
public final class Playback {
  private let output: any OutputUnit
  private let session: Session
  private let events: EventThread

  /// Starts the threads; the first window is emitted before the output asks for sound.
  init(_ session: Session, on output: any OutputUnit) throws {
    self.output = output
    self.session = session
    let rate = session.rate
    let scheduler = try session.makeScheduler()
    let period = rate.hostTimeRoundedUp(of: SampleTime(frames: Int64(output.periodFrames)))
    scheduler.lanes[0].horizon = EventThread.horizon + period.nanoseconds
    scheduler.lead = period.nanoseconds
    try scheduler.step(at: .zero)
    try output.start(session.plan)
    try session.kit?.board.follow(output)
    // The output's position is asked from the event thread, as its protocol allows.
    nonisolated(unsafe) let clock = output
    nonisolated(unsafe) let owned = scheduler
    events = try unsafe EventThread(owned) {
      unsafe rate.hostTimeRoundedUp(of: clock.position)
    }
  }

  /// Whether the last note has rung out in the synthesiser; the device may still play its buffer.
  public var hasFinished: Bool { events.hasFinished && session.isSilent }

  /// What ended the playback before its time, such as a device that is gone; or nil.
  public var failure: (any Error)? { events.failure ?? output.fault }

  /// Waits for the end, lets the device play what it holds, and lets go of it.
  ///
  /// - Throws: what ended the playback before its time; the device has been let go of then, too.
  public func waitUntilFinished() throws {
    while !hasFinished, failure == nil { usleep(5_000) }
    let failure = failure
    stop(draining: failure == nil)
    if let failure { throw failure }
  }

  /// Ends the threads and lets go of the device.
  ///
  /// - Parameter draining: whether what the device holds is heard to its end; if not, it is
  ///   silent at once.
  public func stop(draining: Bool) {
    output.stop(draining: draining)
    events.stop()
    session.kit?.board.stop()
  }
}
