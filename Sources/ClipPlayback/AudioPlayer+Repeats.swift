// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

extension AudioPlayer {
  /// Sets how often the current sound is repeated after the current pass.
  ///
  /// A long sound continues without interruption. A short sound fades out and in, in 5 ms each, if
  /// its next pass may already have been read. A loop set by `setLoop` continues until it is
  /// removed.
  ///
  /// - Parameter repeats: The number of further passes, 0 or more; nil to repeat endlessly.
  /// - Returns: True if a sound is current; otherwise the call does not have an effect.
  @discardableResult
  public func setRepeats(_ repeats: Int?) -> Bool {
    let place = position
    let frame = playedFrame
    return state.withLock { state in
      guard state.feeder.sources.indices.contains(place.item) else { return false }
      let repeats = repeats.map { max(0, $0) }
      let continues = state.feeder.setRepeats(repeats, of: place.item, playing: frame)
      if !continues {
        let order = state.feeder.seek(to: place.item, frame: place.frame.frames)
        state.feeder.fill(usesReserve: true)
        _ = send(order, &state)
      }
      return true
    }
  }
}
