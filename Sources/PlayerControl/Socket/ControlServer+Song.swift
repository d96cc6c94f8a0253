// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import Realtime

extension ControlServer {
  /// The interval at which the end of a song is checked, in nanoseconds: 20 ms.
  private static var period: Int64 { 20_000_000 }

  /// Performs the commands of other programs until a song has finished or a command has ended it,
  /// and then ends the playback.
  ///
  /// The method blocks the calling thread, which wakes up at least every 20 ms. If the song has
  /// finished, the device's buffer is played to its end; otherwise the sound stops at once.
  ///
  /// - Parameter controls: The controls of the song.
  /// - Returns: The reason that the song has ended.
  /// - Throws: The error that ended the playback, such as a lost device; `RealtimeError` if the
  ///   system's descriptors are exhausted.
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
