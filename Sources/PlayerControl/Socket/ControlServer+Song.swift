// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Realtime

extension ControlServer {
  /// The time after which the end of a song is noticed, in nanoseconds: 20 ms.
  private static var period: Int64 { 20_000_000 }

  /// Performs the commands of other programs until a song has finished or a command has ended it,
  /// then ends its playback.
  ///
  /// The thread waits meanwhile, and wakes up at least every 20 ms. A song that has finished is played
  /// to the end of the device's buffer; otherwise it is silent at once.
  ///
  /// - Parameter controls: the controls of the song.
  /// - Returns: the reason of the end.
  /// - Throws: the error that ended the playback, such as a lost device; `RealtimeError` if no
  ///   descriptor is left.
  @discardableResult
  public func run(_ controls: PlayControls) throws -> EndReason {
    let (playback, timer) = (controls.playback, try DeadlineWait())
    begin(controls)
    while !playback.hasFinished, !controls.hasEnded, playback.failure == nil {
      _ = timer.wait(
        until: min(DeadlineWait.now + Self.period, deadline ?? .max), readable: descriptors)
      update(controls)
    }
    let failure = playback.failure
    let command: EndReason = controls.songs.hasQuit ? .quit : .stopped
    let reason = failure != nil ? .failed : controls.hasEnded ? command : .finished
    finish(controls, reason)
    playback.end(draining: reason == .finished)
    if let failure { throw failure }
    return reason
  }
}
