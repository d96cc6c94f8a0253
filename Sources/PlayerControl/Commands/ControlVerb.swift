// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

/// A request of another program to a player.
package enum ControlAction: Hashable {
  case perform(PlayCommand)
  case get(ControlProperty)
  /// Returns all properties.
  case status
  /// Reports changes of a property, with an identifier.
  case observe(Int, ControlProperty)
  /// Stops the reports with an identifier.
  case unobserve(Int)
}

/// The commands that other programs can send to a player; the raw value is the name in the
/// protocol.
///
/// This table is used for the socket, OSC, `downbeat ctl`, its help and its completion.
/// `Documentation/Control.md` describes each command.
public enum ControlVerb: String, CaseIterable, Sendable {
  case play, pause, toggle, stop, seek, bars, marker, restart, next, previous, go, list
  case speed, faster, slower, normal, tempo, tap, transpose, higher, lower, volume, louder, softer
  case mute, unmute, solo, unsolo
  case hearAll = "hear-all"
  case loop
  case loopSong = "loop-song"
  case noLoop = "no-loop"
  case program, panic, status, get, set, observe, unobserve, quit

  /// Creates a command from its name, or from the name that mpv's protocol or a clock uses for it.
  package init?(name: String) {
    let others: [String: ControlVerb] = [
      "get_property": .get, "set_property": .set, "observe_property": .observe,
      "unobserve_property": .unobserve, "locate": .seek,
    ]
    guard let verb = others[name] ?? ControlVerb(rawValue: name) else { return nil }
    self = verb
  }

  /// The arguments of the command, and a description.
  package var help: (usage: String, text: String) {
    switch self {
    case .play: ("", "resume playback")
    case .pause: ("", "pause")
    case .toggle: ("", "pause or resume")
    case .stop: ("", "pause at the beginning")
    case .seek: ("TIME [absolute|relative]", "go to a time; +TIME and -TIME are relative")
    case .bars: ("N", "skip N bars; negative is backward")
    case .marker: ("N", "skip N markers; negative is backward")
    case .restart: ("", "go to the beginning")
    case .next: ("", "go to the next file")
    case .previous: ("", "go to the previous file")
    case .go: ("N", "go to file N; the first is 1")
    case .list: ("", "list the files")
    case .speed: ("FACTOR", "set the play rate: 1.5, 80%")
    case .faster: ("", "play 10 % faster")
    case .slower: ("", "play 10 % slower")
    case .normal: ("", "reset play rate and tempo")
    case .tempo: ("BPM", "set a constant tempo, 1.4…999 (normal ends it)")
    case .tap: ("", "tap the tempo")
    case .transpose: ("N", "set the transposition in semitones, -48…48")
    case .higher: ("", "transpose a semitone up")
    case .lower: ("", "transpose a semitone down")
    case .volume: ("GAIN", "set the synthesiser's volume: -3dB, 50%")
    case .louder: ("", "1 dB louder")
    case .softer: ("", "1 dB softer")
    case .mute: ("CHANNELS", "mute channels: 2,10, or 2:10 for channel 10 of port 2")
    case .unmute: ("[CHANNELS]", "unmute these channels, or all")
    case .solo: ("CHANNELS", "play only these channels: 1,3-5")
    case .unsolo: ("[CHANNELS]", "end solo of these channels, or all")
    case .hearAll: ("", "end all mutes and solos")
    case .loop: ("A B", "loop from A to B")
    case .loopSong: ("", "loop the whole song")
    case .noLoop: ("", "end the loop and continue")
    case .program: ("CHANNEL PROGRAM", "set the program of a synth's channel, for example 1 violin")
    case .panic: ("", "stop all notes")
    case .status: ("", "show the player's status")
    case .get: ("PROPERTY", "show a property")
    case .set: ("PROPERTY VALUE", "change a property")
    case .observe: ("ID PROPERTY", "report changes of a property")
    case .unobserve: ("ID", "stop reporting")
    case .quit: ("", "quit")
    }
  }

  /// The request of the command with its arguments.
  ///
  /// - Throws: `ControlError.Kind.usage` if the arguments are not valid for the command.
  package func action(_ words: ControlWords) throws(ControlError) -> ControlAction {
    switch self {
    case .status, .list, .get, .set, .observe, .unobserve: try propertyAction(words)
    default: .perform(try command(words))
    }
  }

  private func propertyAction(_ words: ControlWords) throws(ControlError) -> ControlAction {
    switch self {
    case .get:
      try words.check(1...1)
      return .get(try words.property(0))
    case .set:
      try words.check(2...2)
      return .perform(try words.property(0).command(setting: words))
    case .observe:
      try words.check(2...2)
      return .observe(try words.whole(0, Int.min...Int.max), try words.property(1))
    case .unobserve:
      try words.check(1...1)
      return .unobserve(try words.whole(0, Int.min...Int.max))
    default:
      try words.check(0...0)
      return self == .status ? .status : .get(.playlist)
    }
  }

  private func command(_ words: ControlWords) throws(ControlError) -> PlayCommand {
    if let simple {
      try words.check(0...0)
      return simple
    }
    switch self {
    case .unmute, .unsolo: try words.check(0...1)
    case .seek: try words.check(1...2)
    case .loop, .program: try words.check(2...2)
    default: try words.check(1...1)
    }
    switch self {
    case .seek: return .locate(try words.time(0))
    case .bars: return .skipBars(try words.whole(0, -9999...9999))
    case .marker: return .skipMarkers(try words.whole(0, -9999...9999))
    case .go: return .goToFile(try words.whole(0, 1...Int(Int32.max)) - 1)
    case .speed: return .setSpeed(try words.speed(0))
    case .tempo: return .setTempo(try words.tempo(0))
    case .transpose: return .setTransposition(try words.semitones(0))
    case .volume: return .setVolume(try words.decibels(0))
    case .loop: return .setLoop(try words.place(0), try words.place(1))
    case .program:
      let channel = try words.channel(0)
      return .setProgram(channel, try words.program(1, on: channel))
    default: return try channelCommand(words)
    }
  }

  private func channelCommand(_ words: ControlWords) throws(ControlError) -> PlayCommand {
    let some = words.count > 0 ? try words.channels(0) : .all
    return switch self {
    case .mute: .setMuted(some, among: some)
    case .unmute: .setMuted(.none, among: some)
    case .solo: .setSoloed(some, among: some)
    default: .setSoloed(.none, among: some)
    }
  }

  /// The player command of a verb without arguments; nil if it needs arguments.
  private var simple: PlayCommand? {
    switch self {
    case .play: .setPaused(false)
    case .pause: .setPaused(true)
    case .toggle: .togglePause
    case .stop: .stop
    case .restart: .restart
    case .next: .skipFiles(1)
    case .previous: .skipFiles(-1)
    case .faster: .changeSpeed(10)
    case .slower: .changeSpeed(-10)
    case .normal: .resetSpeed
    case .tap: .tap
    case .higher: .changeTransposition(1)
    case .lower: .changeTransposition(-1)
    case .louder: .changeVolume(1)
    case .softer: .changeVolume(-1)
    case .hearAll: .unmuteAll
    case .loopSong: .toggleSongLoop
    case .noLoop: .endLoop
    case .panic: .panic
    case .quit: .quit
    default: nil
    }
  }
}

extension ControlProperty {
  /// The command that sets the property to the second argument.
  fileprivate func command(setting words: ControlWords) throws(ControlError) -> PlayCommand {
    switch self {
    case .pause: .setPaused(try words.flag(1))
    case .position: .locate(try SeekTime(parsing: words.text(1), isRelative: false))
    case .percent: .locate(try SeekTime(parsing: words.text(1) + "%", isRelative: false))
    case .speed: .setSpeed(try words.speed(1))
    case .volume: .setVolume(try words.decibels(1))
    case .transpose: .setTransposition(try words.semitones(1))
    case .mute: .setMuted(try words.channels(1, orNone: true), among: .all)
    case .solo: .setSoloed(try words.channels(1, orNone: true), among: .all)
    case .index: .goToFile(try words.whole(1, 0...Int(Int32.max)))
    case .repetition: .setRepetition(try words.repetition(1))
    default: throw words.refusal("\(rawValue) cannot be set")
    }
  }
}

extension ControlWords {
  fileprivate func semitones(_ index: Int) throws(ControlError) -> Int {
    try whole(index, -PlayControls.farthest...PlayControls.farthest)
  }

  fileprivate func repetition(_ index: Int) throws(ControlError) -> SongQueue.Repetition {
    guard let repetition = SongQueue.Repetition(rawValue: try text(index)) else {
      throw refusal("must be no, list or one")
    }
    return repetition
  }

  fileprivate func place(_ index: Int) throws(ControlError) -> SeekTime {
    try SeekTime(parsing: text(index))
  }
}
