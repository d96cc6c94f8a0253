// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// A sequence that a player plays, from a start to a stop: as time goes by, or as a program asks for
/// its sound.
///
/// - Note: any thread may use it.
protocol SequenceRun: AnyObject, Sendable {
  /// The host time, as it counts it.
  var now: UInt64 { get }

  /// What tells beats and host times from each other; nil before the start.
  var anchor: PlayerAnchor? { get }

  /// Begins at a beat.
  func start(at beat: MusicTimeStamp)

  /// Goes to a beat and on from there.
  func move(to beat: MusicTimeStamp)

  /// Changes how fast it runs.
  func setRate(_ rate: Double)

  /// Lets what was edited be played.
  func noteEdit()

  /// Ends it: what sounds is released.
  func end()
}

extension SequenceBox {
  /// Makes ready what plays it: by the slices of its graph where a program asks for these itself.
  ///
  /// - Throws: where times do not fit; where no thread is to be had.
  func makeRun(rate: Double) throws(StatusError) -> any SequenceRun {
    let played = try PlayedScore(self)
    if let graph = played.graph, let sliceRate = graph.sliceRate {
      return try SliceRun(self, played, rate: rate, by: graph, at: sliceRate)
    }
    return try PlayerRun(self, played, rate: rate)
  }
}
