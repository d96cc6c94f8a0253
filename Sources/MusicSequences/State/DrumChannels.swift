// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// The channels of a port that play drums, over the length of a sequence.
///
/// At first this is channel 10. A song changes it by a rhythm part of GS or XG, by a program with
/// the bank of a drum kit in XG (MSB 126 or 127) or GM2 (120), or by a program with another bank on
/// a drum channel (`ProgramChoice`). A reset restores channel 10.
public struct DrumChannels: Sendable {
  /// The ticks at which the channels change, and the new channels: bit n is channel index n.
  private var changes: [(tick: UInt64, channels: UInt16)] = [(0, Self.initial)]
  /// The channels on which more than half of the notes are drums; bit n is channel index n.
  ///
  /// Channels without notes are included if they play drums at the end.
  public private(set) var most = Self.initial
  /// The channels on which all notes are drums; bit n is channel index n.
  ///
  /// Channels without notes are included if they play drums at the end.
  public private(set) var all = Self.initial

  private static let initial: UInt16 = 1 << 9

  /// Channel 10 throughout, as in General MIDI.
  public static let generalMIDI = DrumChannels()

  /// Returns true if a channel plays drums at a tick, after the changes at that tick.
  ///
  /// - Complexity: O(log n) in the changes.
  public func includes(_ channel: Channel, at tick: Tick) -> Bool {
    channels(at: tick) >> UInt16(channel.index) & 1 != 0
  }

  /// Returns the channels that play drums at a tick, after the changes at that tick; bit n is
  /// channel index n.
  ///
  /// - Complexity: O(log n) in the changes.
  public func channels(at tick: Tick) -> UInt16 {
    guard changes.count > 1 else { return changes[0].channels }
    let tick = UInt64(max(0, tick.value))
    var (low, high) = (1, changes.count)
    while low < high {
      let middle = (low + high) >> 1
      if changes[middle].tick <= tick { low = middle + 1 } else { high = middle }
    }
    return changes[low - 1].channels
  }

  private init() {}

  /// The drum channels of each port, and the bank modes at programs and notes, each once.
  static func ofPorts(
    _ sequence: MusicSequence, count: Int, in mode: BankMode
  ) -> (ports: [DrumChannels], modes: [BankMode]) {
    var modes: [BankMode] = []
    let none = (drums: DrumChannels(), survey: Survey(parts: PortPrograms(mode)))
    var ports = Array(repeating: none, count: count)
    var sequence = sequence.withWholeSysEx
    for index in sequence.tracks.indices { sequence.tracks[index].settings.loop = nil }
    var cursor = SequenceCursor(playing: sequence)
    while let event = cursor.next(before: Tick(.max)) {
      let port = Int(event.port)
      guard ports.indices.contains(port) else { continue }
      ports[port].survey.take(event, of: sequence)
      let parts = ports[port].survey.parts
      ports[port].drums.note(parts.drums, at: event.tick)
      if event.choosesOrStrikes, !modes.contains(parts.mode) { modes.append(parts.mode) }
    }
    let drums = ports.map { port in
      var drums = port.drums
      drums.finish(port.survey.parts, port.survey.notes)
      return drums
    }
    return (drums, modes)
  }

  /// The state of a port while a sequence is read.
  private struct Survey {
    var parts: PortPrograms
    var notes = [(drums: Int, all: Int)](repeating: (0, 0), count: 16)

    mutating func take(_ event: CursorEvent, of sequence: MusicSequence) {
      switch event.kind {
      case .message(let message):
        if event.release != nil { count(message) }
        parts.take(message)
      case .sysEx(let place): parts.take(sysEx: sequence.tracks[Int(event.track)].payloads[place])
      default: break
      }
    }

    private mutating func count(_ strike: Message) {
      let channel = Int(strike.status & 0x0F)
      notes[channel].all += 1
      if parts.drums >> UInt16(channel) & 1 != 0 { notes[channel].drums += 1 }
    }
  }

  private mutating func note(_ channels: UInt16, at tick: Tick) {
    guard channels != changes[changes.count - 1].channels else { return }
    changes.append((UInt64(tick.value), channels))
  }

  private mutating func finish(_ parts: PortPrograms, _ notes: [(drums: Int, all: Int)]) {
    (most, all) = (0, 0)
    for (channel, notes) in notes.enumerated() {
      let bit: UInt16 = 1 << UInt16(channel)
      if notes.all == 0, parts.drums & bit != 0 { (most, all) = (most | bit, all | bit) }
      if notes.all > 0, notes.drums * 2 > notes.all { most |= bit }
      if notes.all > 0, notes.drums == notes.all { all |= bit }
    }
  }
}

extension CursorEvent {
  /// True for a program change, and for the beginning of a note.
  fileprivate var choosesOrStrikes: Bool {
    guard case .message(let message) = kind else { return false }
    return release != nil || message.status & 0xF0 == 0xC0
  }
}
