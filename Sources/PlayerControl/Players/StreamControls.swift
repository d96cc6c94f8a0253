// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime
internal import Realtime
package import SoundStreaming

/// What keys, other programs and signals change of addresses and files that follow one another, and
/// how it is changed.
///
/// - Note: one thread.
package final class StreamControls: ControlTarget {
  package static let kind = PlayStatus.Kind.sound
  package static let verbs: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .restart, .next, .previous, .go, .list, .volume, .louder,
    .softer, .quit,
  ]
  /// How long a place that was gone to counts in the place of the one that is heard.
  private static let settling: Int64 = 300_000_000

  package let player: StreamPlayer
  package let names: [String]
  /// The name of an item at the moment: what a station plays, or the item's own.
  package let title: (Int) -> String
  package private(set) var isPaused = false
  /// Whether it waits at the beginning of an item.
  private(set) var isStopped = false
  /// Decibels beside what the flags say.
  package private(set) var volume = 0.0
  /// Whether somebody ended it.
  package private(set) var hasMoved = false
  /// How often it was sent to another place.
  package private(set) var moves = 0
  package var said = ""
  private let gain: Float
  /// Where it was sent a moment ago: several keys go on from one another.
  private var target: (item: Int, seconds: Double, until: Int64)?

  package init(
    _ player: StreamPlayer, _ names: [String], gain: Float, title: @escaping (Int) -> String
  ) {
    (self.player, self.names, self.title, self.gain) = (player, names, title, gain)
  }

  /// Where it is, or is about to be.
  package var place: (item: Int, seconds: Double) {
    if let target, DeadlineWait.now < target.until { return (target.item, target.seconds) }
    let place = player.place
    return (place.item, place.seconds)
  }

  package func rest(while body: () -> Void) {
    do {
      try player.setPaused(true)
      body()
      if !isPaused { try player.setPaused(false) }
    } catch {
      said = "\(error)"
    }
  }

  package func go(to part: Double) {
    said = ""
    do {
      guard let length = player.place.duration else { return }
      try seek(to: part * length)
    } catch {
      said = "\(error)"
    }
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .pause: try setPaused(!isPaused)
    case .setPaused(let pauses): try setPaused(pauses)
    case .stop:
      try setPaused(true)
      try go(to: place.item, seconds: 0)
      isStopped = true
    case .seek(let seconds): try seek(to: place.seconds + Double(seconds))
    case .locate(let time):
      let length = player.place.duration
      let rate = player.unit.rate ?? .hertz48000
      try seek(to: try time.seconds(from: place.seconds, of: length, rate: rate))
    case .restart: try go(to: place.item, seconds: 0)
    case .file(let step): try skip(step)
    case .goTo(let index):
      guard names.indices.contains(index) else {
        throw ControlError(.usage, "file \(index + 1): there are \(names.count)")
      }
      try go(to: index, seconds: 0)
    case .volume(let step): setVolume(volume + Double(step))
    case .setVolume(let decibels): setVolume(decibels)
    case .quit, .leave: hasMoved = true
    default: break
    }
  }

  private func setPaused(_ pauses: Bool) throws {
    isStopped = false
    guard pauses != isPaused else { return }
    try player.setPaused(pauses)
    isPaused = pauses
  }

  private func seek(to seconds: Double) throws {
    let place = player.place
    guard place.isSeekable || place.item != self.place.item else {
      throw ControlError(
        .usage,
        "\(names[place.item]): what was sent before is gone, and what follows is not there yet")
    }
    try go(to: self.place.item, seconds: min(max(0, seconds), place.duration ?? .infinity))
  }

  private func skip(_ step: Int) throws {
    let next = place.item + step
    if names.indices.contains(next) {
      try go(to: next, seconds: 0)
    } else if step > 0 {
      hasMoved = true
    } else {
      try go(to: place.item, seconds: 0)
    }
  }

  private func go(to item: Int, seconds: Double) throws {
    target = (item, seconds, DeadlineWait.now + Self.settling)
    try player.go(to: item, seconds: seconds)
    moves += 1
    isStopped = false
  }

  private func setVolume(_ decibels: Double) {
    volume = PlayControls.held(decibels)
    player.unit.set(.gain, to: gain * Gain(decibels: volume).factor)
    said = "volume \(volume.signed) dB"
  }
}

// What it shows.
extension StreamControls {
  /// The peaks of left and right.
  package var level: (left: Level, right: Level) {
    (player.unit.level(of: 0), player.unit.level(of: 1))
  }

  package var status: PlayStatus {
    let (index, seconds) = place
    var status = PlayStatus(kind: Self.kind)
    status.state = isPaused ? isStopped ? .stopped : .paused : .playing
    (status.isPaused, status.moves) = (isPaused, moves)
    (status.title, status.path) = (title(index), names[index])
    (status.index, status.count) = (index, names.count)
    status.list = names.enumerated().map { ($0, $1, "") }
    status.seconds = seconds
    status.duration = player.place.item == index ? player.place.duration : nil
    status.volume = volume
    status.level = PlayStatus.decibels(level)
    return status
  }
}
