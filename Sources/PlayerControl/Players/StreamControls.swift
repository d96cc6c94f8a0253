// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime
package import SoundStreaming

/// The controls of streams and files that play in sequence.
///
/// - Note: One thread.
package final class StreamControls: FileControls {
  package static let verbs: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .restart, .next, .previous, .go, .list, .volume, .louder,
    .softer, .quit,
  ]

  package let player: StreamPlayer
  package let names: [String]
  /// Returns the current name of an item: the title that a station sends, or the name of the item.
  package let title: (Int) -> String
  package var state = PlayerState<Place>()
  package var hasEnded = false
  package var message = ""
  private let gain: Float

  package init(
    _ player: StreamPlayer, _ names: [String], gain: Float, title: @escaping (Int) -> String
  ) {
    (self.player, self.names, self.title, self.gain) = (player, names, title, gain)
  }

  package var place: Place {
    state.pendingPlace ?? (player.place.item, player.place.seconds)
  }

  package var end: Double? { player.place.item == place.item ? player.place.duration : nil }
  package var rate: SampleRate { player.unit.rate ?? .hertz48000 }
  package func start(ofFile index: Int) -> Double { 0 }
  package func setRunning(_ isRunning: Bool) throws { try player.setPaused(!isRunning) }
  package func setGain(_ factor: Float) { player.unit.set(.gain, to: gain * factor) }

  package func move(to place: Place) throws {
    // The position is recorded first, because the player may take some time.
    state.locate(to: place)
    try player.go(to: place.item, seconds: place.seconds)
  }

  package func seek(to seconds: Double) throws {
    guard player.place.isSeekable || player.place.item != place.item else {
      throw ControlError(
        .usage,
        "\(names[place.item]): cannot seek in a live stream")
    }
    try move(to: (place.item, min(max(0, seconds), end ?? .infinity)))
  }

  /// The peak levels of left and right.
  package var level: (left: Level, right: Level) {
    (player.unit.level(of: 0), player.unit.level(of: 1))
  }

  package var status: PlayStatus {
    var status = commonStatus(title: title(place.item))
    status.level = PlayStatus.decibels(level)
    return status
  }
}
