// SPDX-License-Identifier: Apache-2.0
package import ClipPlayback
package import MusicalTime
internal import Realtime

/// What keys, other programs and signals change of sound files that follow one another, and how it
/// is changed.
///
/// - Note: one thread.
package final class SoundControls: ControlTarget {
  /// A file, and its part that is played, in seconds; an end that is not known is nil.
  package struct Item {
    package let name: String
    package let start: Double
    package let end: Double?
    /// The file's own.
    package let rate: SampleRate

    package init(name: String, start: Double, end: Double?, rate: SampleRate) {
      (self.name, self.start, self.end, self.rate) = (name, start, end, rate)
    }
  }

  package static let kind = PlayStatus.Kind.sound
  package static let verbs: [ControlVerb] = [
    .play, .pause, .toggle, .stop, .seek, .restart, .next, .previous, .go, .list, .speed, .faster,
    .slower, .normal, .volume, .louder, .softer, .loop, .loopSong, .noLoop, .quit,
  ]
  /// How long a place that was gone to counts in the place of the one that is heard.
  private static let settling: Int64 = 300_000_000

  package let player: AudioPlayer
  package let items: [Item]
  package private(set) var isPaused = false
  /// Whether it waits at the beginning of a file.
  private(set) var isStopped = false
  /// Decibels beside what the flags say.
  package private(set) var volume = 0.0
  /// What is played over and over, in seconds; the end is nil as long as a person has not said it.
  package private(set) var loop: (first: Double, last: Double?)?
  /// Whether somebody ended it.
  package private(set) var hasMoved = false
  /// How often it was sent to another place.
  package private(set) var moves = 0
  package var said = ""
  private let gain: Float
  private let speed: Float
  /// Where it was sent a moment ago: several keys go on from one another.
  private var target: (item: Int, seconds: Double, until: Int64)?

  package init(_ player: AudioPlayer, _ items: [Item]) {
    self.player = player
    self.items = items
    gain = player.gain
    speed = player.speed
  }

  /// The number of the file that it is at, or is about to be.
  package var index: Int { min(settled?.item ?? player.position.item, items.count - 1) }

  /// The file that it is at.
  package var item: Item { items[index] }

  /// Where it is in the file, or is about to be, in seconds.
  package var here: Double { settled?.seconds ?? player.position.seconds.approximation }

  private var settled: (item: Int, seconds: Double, until: Int64)? {
    target.flatMap { DeadlineWait.now < $0.until ? $0 : nil }
  }

  /// Falls silent for a while, and goes on where it was if nobody has paused it.
  package func rest(while body: () -> Void) {
    player.stop()
    body()
    if !isPaused { player.start() }
  }

  /// Goes to a part of the file, 0…1.
  package func go(to part: Double) {
    said = ""
    if let end = item.end { seek(to: item.start + part * (end - item.start)) }
  }

  package func perform(_ command: PlayCommand, at time: HostTime?) throws {
    switch command {
    case .pause: setPaused(!isPaused)
    case .setPaused(let pauses): setPaused(pauses)
    case .stop:
      setPaused(true)
      seek(to: item.start)
      isStopped = true
    case .seek(let seconds): seek(to: here + Double(seconds))
    case .locate(let time): seek(to: try seconds(of: time))
    case .restart: seek(to: item.start)
    case .file(let step): skip(step)
    case .goTo(let index): try goTo(index)
    case .quit, .leave: hasMoved = true
    default: try performOnSound(command)
    }
  }

  /// Commands about how it sounds, and about parts of it.
  private func performOnSound(_ command: PlayCommand) throws {
    switch command {
    case .volume(let step): setVolume(volume + Double(step))
    case .setVolume(let decibels): setVolume(decibels)
    case .speed(let percent): setSpeed(player.speed + Float(percent) / 100)
    case .speedFactor(let above, let below): setSpeed(player.speed * Float(above) / Float(below))
    case .setSpeed(let factor): setSpeed(Float(factor.approximation))
    case .normalSpeed: setSpeed(speed)
    case .loopPart: try loopPart()
    case .loopSong: try loopFile()
    case .setLoop(let first, let last):
      try setLoop(from: try seconds(of: first), to: try seconds(of: last))
    case .endLoop: endLoop()
    default: break
    }
  }

  private func seconds(of time: SeekTime) throws(ControlError) -> Double {
    try time.seconds(from: here, of: item.end, rate: item.rate)
  }

  private func setPaused(_ pauses: Bool) {
    isStopped = false
    guard pauses != isPaused else { return }
    isPaused = pauses
    if pauses { player.stop() } else { player.start() }
  }

  private func seek(to seconds: Double, item index: Int? = nil) {
    let index = index ?? self.index
    let range = items[index]
    let wanted = min(max(seconds, range.start), range.end ?? .infinity)
    target = (index, wanted, DeadlineWait.now + Self.settling)
    let frame = (wanted * Double(items[index].rate.hertz)).rounded()
    player.locate(to: SampleTime(frames: Int64(min(frame, 1e15))), item: index)
    moves += 1
    isStopped = false
  }

  private func skip(_ step: Int) {
    let next = index + step
    if items.indices.contains(next) {
      goTo(file: next)
    } else if step > 0 {
      hasMoved = true
    } else {
      seek(to: item.start)
    }
  }

  private func goTo(_ index: Int) throws {
    guard items.indices.contains(index) else {
      throw ControlError(.usage, "file \(index + 1): there are \(items.count)")
    }
    goTo(file: index)
  }

  private func goTo(file index: Int) {
    if loop != nil { endLoop() }
    seek(to: items[index].start, item: index)
  }

  private func setVolume(_ decibels: Double) {
    volume = PlayControls.held(decibels)
    player.gain = gain * Gain(decibels: volume).factor
    said = "volume \(volume.signed) dB"
  }

  private func setSpeed(_ factor: Float) {
    player.speed = factor
    said = "speed \(Double(player.speed * 100).decimal(0)) %"
  }

  private func loopPart() throws {
    guard let first = loop?.first, loop?.last == nil, here > first else {
      if loop?.last != nil { return endLoop() }
      loop = (here, nil)
      return said = "A here; l again for B"
    }
    try setLoop(from: first, to: here)
  }

  private func loopFile() throws {
    if loop?.last != nil { return endLoop() }
    try setLoop(from: item.start, to: item.end ?? .infinity)
    said = "the whole file over and over"
  }

  private func setLoop(from first: Double, to last: Double) throws {
    let rate = Double(items[index].rate.hertz)
    func frame(_ seconds: Double) -> SampleTime {
      SampleTime(frames: Int64(min(max(0, seconds * rate).rounded(), 1e15)))
    }
    guard last > first, player.setLoop(frame(first)..<frame(last)) != nil else {
      if loop != nil { endLoop() }
      throw ControlError(.usage, "loop: B must lie after A, and both in the file")
    }
    if !(first..<last).contains(here) {
      target = (index, first, DeadlineWait.now + Self.settling)
      moves += 1
    }
    loop = (first, min(last, item.end ?? last))
    said = "from A to B"
  }

  private func endLoop() {
    if loop?.last != nil { player.setLoop(nil) }
    loop = nil
    said = "no loop"
  }
}
