// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The playback of a sequence, from a start to a stop: in real time, or in slices that a program
/// renders.
///
/// - Note: Any thread.
protocol SequenceRun: AnyObject, Sendable {
  /// The host time that corresponds to the current position.
  var now: UInt64 { get }

  /// The anchor from which beats and host times are computed; nil before the start.
  var anchor: PlayerAnchor? { get }

  /// Starts at a beat.
  func start(at beat: MusicTimeStamp)

  /// Continues from a beat.
  func move(to beat: MusicTimeStamp)

  /// Changes the speed.
  func setRate(_ rate: Double)

  /// Applies an edit of the sequence.
  func noteEdit()

  /// Ends playback and releases sounding notes.
  func end()
}

extension SequenceBox {
  /// Prepares playback: in slices if the program renders the graph or an engine, otherwise in real
  /// time.
  ///
  /// - Throws: `ParamError` if a time is out of range; `MemFullError` if a thread cannot be
  ///   started.
  func makeRun(rate: Double) throws(StatusError) -> any SequenceRun {
    let played = try PlayedScore(self)
    for host in played.sliceHosts {
      guard let sliceRate = host.sliceRate else { continue }
      return try SliceRun(self, played, rate: rate, by: host, at: sliceRate)
    }
    return try PlayerRun(self, played, rate: rate)
  }
}
