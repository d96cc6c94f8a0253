// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicSequences
package import MusicalTime

/// The program and the activity of a channel at any tick of a song, as a value.
package struct ChannelActivity {
  /// The time in which a strike fades from the display, in seconds; the second while its note is
  /// held.
  private static let shortDecay = 0.5
  private static let longDecay = 2.0
  /// The displayed level of a note that is held for a long time.
  private static let heldLevel = 0.3

  package let channel: Channel
  /// The port, counted from 0; nil in a song with one port.
  package let port: Int?
  private var strikes: [(tick: Int64, velocity: UInt8)] = []
  private var ends: [Int64] = []
  private var programs: [(tick: Int64, program: UInt8)] = []
  private let drums: DrumChannels

  package init(_ channel: Channel, port: Int? = nil, _ drums: DrumChannels) {
    self.channel = channel
    self.port = port
    self.drums = drums
  }

  /// The channels of a song that have notes, in order.
  ///
  /// - Parameters:
  ///   - sequence: The song.
  ///   - mode: The bank mode.
  /// - Returns: The channels.
  /// - Complexity: O(n log n) in the events of the song.
  package static func channels(
    of sequence: MusicSequence, in mode: BankMode = .auto
  ) -> [ChannelActivity] {
    let drums = sequence.portDrums(in: mode)
    let ports = min(drums.count, TrackPorts.limit)
    var channels = (0..<ports).flatMap { port in
      Channel.all.map { ChannelActivity($0, port: drums.count > 1 ? port : nil, drums[port]) }
    }
    var cursor = SequenceCursor(playing: sequence)
    let limit = sequence.length.advanced(by: 1)
    while let event = cursor.next(before: limit) {
      guard case .message(let message) = event.kind, let channel = message.channel,
        event.port < TrackPorts.limit
      else { continue }
      channels[Int(event.port) << 4 | Int(channel.index)].take(message, event)
    }
    return channels.filter { !$0.strikes.isEmpty }.map { channel in
      var channel = channel
      channel.ends.sort()
      return channel
    }
  }

  private mutating func take(_ message: Message, _ event: CursorEvent) {
    switch message.kind {
    case .noteOn(_, _, let velocity) where velocity > 0:
      strikes.append((event.tick.value, velocity))
      ends.append(event.end.value)
    case .program(_, let program): programs.append((event.tick.value, program))
    default: break
    }
  }

  /// The index of the channel among all channels, with 16 for each port.
  package var place: Int { (port ?? 0) << 4 | Int(channel.index) }

  /// The name of the instrument at a tick, preceded by the port if the song has several.
  package func title(at tick: Tick) -> String {
    (port.map { "port \($0 + 1): " } ?? "") + name(at: tick)
  }

  /// The name of the instrument at a tick.
  package func name(at tick: Tick) -> String {
    let program = Self.last(programs, at: tick.value) { $0.tick }?.program ?? 0
    let isDrums = drums.channels(at: tick) >> UInt16(channel.index) & 1 != 0
    let melodic = channel == .percussion ? Channel(index: 0) : channel
    return ProgramWords.name(program, on: isDrums ? .percussion : melodic)
  }

  /// The number of notes that sound at a tick.
  package func soundingCount(at tick: Tick) -> Int {
    Self.count(strikes, through: tick.value) { $0.tick }
      - Self.count(ends, through: tick.value) { $0 }
  }

  /// The displayed level at a tick, 0…1: the velocity of the last strike, which fades.
  package func level(at tick: Tick, ticksPerSecond: Double) -> Double {
    guard let strike = Self.last(strikes, at: tick.value, { $0.tick }) else { return 0 }
    let age = Double(tick.value - strike.tick) / max(ticksPerSecond, 1)
    let isHeld = soundingCount(at: tick) > 0
    let fading = 1 - age / (isHeld ? Self.longDecay : Self.shortDecay)
    return Double(strike.velocity) / 127 * max(fading, isHeld ? Self.heldLevel : 0)
  }

  private static func last<Element>(
    _ list: [Element], at tick: Int64, _ key: (Element) -> Int64
  ) -> Element? {
    let count = count(list, through: tick, key)
    return count > 0 ? list[count - 1] : nil
  }

  /// The number of elements of a sorted list that are at or before a tick.
  private static func count<Element>(
    _ list: [Element], through tick: Int64, _ key: (Element) -> Int64
  ) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if key(list[middle]) <= tick { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
