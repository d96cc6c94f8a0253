// SPDX-License-Identifier: Apache-2.0
package import ClipPlayback
package import MusicalTime

/// The controls of sound files that play in sequence.
///
/// - Note: One thread.
package final class SoundControls: FileControls {
  /// A file and its range, in seconds.
  package struct Item {
    package let name: String
    package let start: Double
    /// The end; nil if it is not known.
    package let end: Double?
    /// The sample rate of the file.
    package let rate: SampleRate

    package init(name: String, start: Double, end: Double?, rate: SampleRate) {
      (self.name, self.start, self.end, self.rate) = (name, start, end, rate)
    }
  }

  package static let verbs: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .restart, .next, .previous, .go, .list, .speed, .faster,
    .slower, .normal, .volume, .louder, .softer, .loop, .loopSong, .noLoop, .quit,
  ]

  package let player: AudioPlayer
  package let items: [Item]
  package let names: [String]
  package var state = PlayerState<Place>()
  package var hasEnded = false
  package var message = ""
  /// The A-B loop in seconds; its end is nil until B is set.
  package private(set) var loop: (first: Double, last: Double?)?
  private let gain: Float
  private let speed: Float

  package init(_ player: AudioPlayer, _ items: [Item]) {
    self.player = player
    self.items = items
    names = items.map(\.name)
    gain = player.gain
    speed = player.speed
  }

  package var place: Place {
    let position = player.position
    let place = state.pendingPlace ?? (position.item, position.seconds.approximation)
    return (min(place.item, items.count - 1), place.seconds)
  }

  /// The file at the position.
  package var item: Item { items[place.item] }
  package var end: Double? { item.end }
  package var rate: SampleRate { item.rate }
  package func start(ofFile index: Int) -> Double { items[index].start }
  package func setRunning(_ isRunning: Bool) {
    if isRunning { player.start() } else { player.stop() }
  }

  package func setGain(_ factor: Float) { player.gain = gain * factor }

  package func move(to place: Place) {
    let item = items[place.item]
    let seconds = min(max(place.seconds, item.start), item.end ?? .infinity)
    state.locate(to: (place.item, seconds))
    let frame = (seconds * Double(item.rate.hertz)).rounded()
    player.locate(to: SampleTime(frames: Int64(min(frame, 1e15))), item: place.item)
  }

  package func seek(to seconds: Double) { move(to: (place.item, seconds)) }

  package func goToFile(_ index: Int) {
    if loop != nil { endLoop() }
    move(to: (index, items[index].start))
  }

  package func performOnSound(_ command: PlayCommand) throws {
    switch command {
    case .changeSpeed(let percent): setSpeed(player.speed + Float(percent) / 100)
    case .multiplySpeed(let above, let below): setSpeed(player.speed * Float(above) / Float(below))
    case .setSpeed(let factor): setSpeed(Float(factor.approximation))
    case .resetSpeed, .resetAll: setSpeed(speed)
    case .cycleLoop: try cycleLoop()
    case .toggleSongLoop: try toggleFileLoop()
    case .setLoop(let first, let last):
      try setLoop(from: try seconds(of: first), to: try seconds(of: last))
    case .endLoop: endLoop()
    default: break
    }
  }

  private func setSpeed(_ factor: Float) {
    player.speed = factor
    message = "speed \(Double(player.speed * 100).decimal(0)) %"
  }

  private func cycleLoop() throws {
    let here = place.seconds
    guard let first = loop?.first, loop?.last == nil, here > first else {
      if loop?.last != nil { return endLoop() }
      loop = (here, nil)
      return message = "A is set; press l again for B"
    }
    try setLoop(from: first, to: here)
  }

  private func toggleFileLoop() throws {
    if loop?.last != nil { return endLoop() }
    try setLoop(from: item.start, to: item.end ?? .infinity)
    message = "looping the whole file"
  }

  private func setLoop(from first: Double, to last: Double) throws {
    let rate = Double(item.rate.hertz)
    func frame(_ seconds: Double) -> SampleTime {
      SampleTime(frames: Int64(min(max(0, seconds * rate).rounded(), 1e15)))
    }
    guard last > first, player.setLoop(frame(first)..<frame(last)) != nil else {
      if loop != nil { endLoop() }
      throw ControlError(.usage, "loop: B must be after A, and both in the file")
    }
    // The player itself moves into the loop.
    if !(first..<last).contains(place.seconds) { state.locate(to: (place.item, first)) }
    loop = (first, min(last, item.end ?? last))
    message = "looping from A to B"
  }

  private func endLoop() {
    if loop?.last != nil { player.setLoop(nil) }
    loop = nil
    message = "loop off"
  }

  package var status: PlayStatus {
    var status = commonStatus(title: item.name)
    status.speed = Double(player.speed)
    status.loop = loop.map { PlayStatus.Loop(start: $0.first, end: $0.last) }
    status.level = PlayStatus.decibels(player.level)
    return status
  }
}
