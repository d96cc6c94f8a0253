// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioProcessing
internal import ClipPlayback
internal import MusicalTime
internal import Realtime
internal import TerminalViews

/// The live view of sound files that follow one another, and its keys.
struct LiveSound {
  /// A file, and its part that is played, in seconds; an end that is not known is nil.
  struct Item {
    let name: String
    let start: Double
    let end: Double?
  }

  /// How long a place that was gone to counts in the place of the one that is heard.
  private static let settling: Int64 = 300_000_000

  let display: LiveDisplay
  private let player: AudioPlayer
  private let items: [Item]
  private let output: any OutputUnit
  private var messages = LiveMessages()
  private(set) var isPaused = false
  private var volume = 0
  private let gain: Float
  private let speed: Float
  private var showsHelp = false
  /// Where it was sent a moment ago, in seconds: several keys go on from one another.
  private var target: (seconds: Double, until: Int64)?

  init(_ display: LiveDisplay, _ player: AudioPlayer, _ items: [Item], on output: any OutputUnit) {
    self.display = display
    self.player = player
    self.items = items
    self.output = output
    gain = player.gain
    speed = player.speed
  }

  /// Does what was typed, and draws; true where it is to end.
  mutating func update() -> Bool {
    let keys = display.keys()
    for key in keys where act(key) { return true }
    messages.update()
    display.show(isUrgent: !keys.isEmpty) { state }
    return false
  }

  /// Falls silent for a while, and goes on where it was if nobody has paused it.
  func rest(while body: () -> Void) {
    player.pause()
    body()
    if !isPaused { player.play() }
  }

  private mutating func act(_ key: Keystroke) -> Bool {
    if case .click(let column, let row) = key {
      if let part = display.fraction(column: column, row: row), let end = item?.end {
        seek(to: start + part * (end - start))
      }
      return false
    }
    guard let command = display.bindings.command(of: key) else {
      showsHelp = false
      return false
    }
    return act(command)
  }

  private mutating func act(_ command: PlayCommand) -> Bool {
    let place = player.position
    switch command {
    case .quit, .leave: return true
    case .pause:
      isPaused.toggle()
      if isPaused { player.pause() } else { player.play() }
    case .seek(let seconds): seek(to: here + Double(seconds))
    case .restart: seek(to: start)
    case .file(let step):
      guard items.indices.contains(place.item + step) else { return step > 0 }
      seek(to: items[place.item + step].start, item: place.item + step)
    case .volume(let step):
      volume = min(max(volume + step, -60), 12)
      player.gain = gain * Gain(decibels: Double(volume)).factor
    case .speed(let percent): player.speed += Float(percent) / 100
    case .speedFactor(let numerator, let denominator):
      player.speed *= Float(numerator) / Float(denominator)
    case .normalSpeed: player.speed = speed
    case .showHelp: showsHelp.toggle()
    default: showsHelp = false
    }
    return false
  }

  private var item: Item? {
    let index = player.position.item
    return items.indices.contains(index) ? items[index] : nil
  }

  private var start: Double { item?.start ?? 0 }

  private var here: Double {
    if let target, DeadlineWait.now < target.until { return target.seconds }
    return player.position.seconds.approximation
  }

  private mutating func seek(to seconds: Double, item: Int? = nil) {
    target = (max(seconds, start), DeadlineWait.now + Self.settling)
    let frame = max(seconds, start) * Double(player.position.rate.hertz)
    player.seek(to: SampleTime(frames: Int64(min(frame, 1e15))), item: item)
  }

  private var state: LiveState {
    var state = LiveState()
    let place = player.position
    let seconds = place.seconds.approximation
    state.title = item?.name ?? ""
    state.place = items.count > 1 ? "\(min(place.item + 1, items.count))/\(items.count)" : ""
    state.mode = isPaused ? .paused : .running
    state.time = Int64(seconds).clockText
    if let end = item?.end, end > start {
      state.time += " / \(Int64(end).clockText)"
      state.bar = .init(position: (seconds - start) / (end - start))
    }
    let xruns = (output as? ALSAOutputUnit)?.xrunCount ?? 0
    let peak = max(player.level.left.peak, player.level.right.peak)
    state.fields = [
      .init("volume", "\(volume.signed) dB", volume == 0 ? .plain : .accent),
      .init("speed", "\(Double(player.speed * 100).decimal(0)) %"),
      .init("peak", peak < 1e-5 ? "" : "\(Double(Level.decibels(peak)).decimal(1)) dB"),
      .init("underruns", "\(xruns)", xruns == 0 ? .plain : .warning),
      .init(
        "disk too slow", player.underrunCount == 0 ? "" : "\(player.underrunCount)", .warning),
    ]
    state.message = messages.text
    state.hint = PlayKeys.hint
    state.help = showsHelp ? display.bindings.help(hasBar: true, Self.isTaken) : nil
    return state
  }

  private static func isTaken(_ command: PlayCommand) -> Bool {
    switch command {
    case .quit, .pause, .seek, .restart, .file, .volume, .speed, .speedFactor, .normalSpeed,
      .showHelp:
      true
    default: false
    }
  }
}
