// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SequencePlayback
internal import Synchronization

extension Playback {
  /// The state in which this playback leaves the ports.
  ///
  /// To play another song on the same ports, pass this state to `PlaybackOptions.stateLeft`.
  public var stateLeft: LeftState {
    let score = control.withLock { $0.score }
    guard transport.hasFinished else {
      return LeftState(score.chase.state(at: position().tick), .unsure)
    }
    return LeftState(score.chase.state(at: Tick(score.sequence.length.value + 1)), .none)
  }

  /// The time by which the first note after a loop's jump back is delayed on a MIDI cable.
  ///
  /// At the jump, the state of the loop's start is sent to the port, which takes time on a cable
  /// with 3125 bytes per second. Zero without a loop, or if the messages are sent before the first
  /// note is due.
  ///
  /// - Complexity: O(n) in the events between two checkpoints of the state.
  public var restorationDelay: Duration {
    guard let loop else { return .zero }
    let score = control.withLock { $0.score }
    let restoration = score.chase.state(at: loop.start)
      .restoration(after: score.chase.state(at: loop.end))
    var cursor = SequenceCursor(playing: score.sequence)
    cursor.locate(to: loop.start)
    while let event = cursor.next(before: loop.end) {
      guard case .message(let message) = event.kind, event.release != nil,
        message.status & 0xF0 == 0x90
      else { continue }
      let gap =
        score.tempoMap.seconds(at: event.tick).approximation
        - score.tempoMap.seconds(at: loop.start).approximation
      return .seconds(max(0, Double(restoration.byteCount) / 3125 - gap))
    }
    return .zero
  }
}
