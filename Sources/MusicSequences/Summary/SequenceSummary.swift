// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// Statistics of a file, as printed by `info`.
///
/// Events are counted as in the file: a note is two events, and every meta event is counted,
/// including end of track. Lengths are exact, up to the end of the longest track. The length of
/// several sequences, as in format 2, is their sum, because they are played in sequence.
public struct SequenceSummary: Sendable {
  /// The number of all events of the tracks.
  public private(set) var events = 0
  /// The number of channel messages.
  public private(set) var channelEvents = 0
  /// The number of meta events.
  public private(set) var metaEvents = 0
  /// The number of SysEx events, including packets and escapes.
  public private(set) var sysExEvents = 0
  /// The number of note-ons with a velocity above 0.
  public private(set) var noteOns = 0
  /// The number of note-ons with velocity 0, which are note-offs.
  public private(set) var noteOnsOfVelocityZero = 0
  /// The number of valid tempo events (with three bytes), in any track.
  public private(set) var tempoEvents = 0
  /// The number of valid time signatures (with four bytes), in any track.
  public private(set) var timeSignatureEvents = 0
  /// The latest end of any track, in ticks.
  public private(set) var maxTick = Tick.zero
  /// The exact length in seconds; for several sequences, the sum.
  public private(set) var length = Ratio.zero
  /// The exact sounding length in seconds, up to the release of the last note; for several
  /// sequences, the sum.
  ///
  /// See `MusicSequence.soundingLength`.
  public private(set) var soundingLength = Ratio.zero
  /// The slowest and fastest tempo that apply at some position.
  public private(set) var tempi: ClosedTempoRange
  /// The time signatures, each once, in the order in which they first appear.
  public private(set) var meters: [TimeSignature] = []
  /// The number of ports, 1 or more; for several sequences, the maximum.
  public private(set) var portCount = 1
  /// The ports of each track, counted from 0, in order of first use.
  ///
  /// Tracks are numbered through all sequences.
  public private(set) var trackPorts: [[Int]] = []
  /// The bank modes that apply when programs are selected and notes begin, in order of first use.
  public private(set) var bankModes: [BankMode] = []
  /// True if the file contains a bank select (controller 0 or 32).
  public private(set) var hasBankSelect = false
  /// The channels that the file uses, in order of port, then of channel.
  public private(set) var channels: [ChannelUse] = []
  /// The channels on which each track has notes, in order.
  ///
  /// Tracks are numbered through all sequences.
  public private(set) var trackChannels: [[Channel]] = []
  /// The first three notes.
  ///
  /// Notes at the same time are in order of track, then of event.
  public private(set) var firstNotes: [PlacedNote] = []
  /// The last three notes, in order of time.
  public private(set) var lastNotes: [PlacedNote] = []

  /// Computes the statistics of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - bankMode: The bank mode, which determines the drum channels; `auto` by default.
  /// - Throws: `SequenceError.outOfRange` if the total time does not fit into 64 bits.
  /// - Complexity: O(n).
  public init(_ file: SequenceFile, bankMode: BankMode = .auto) throws(SequenceError) {
    try self.init(file.sequences, bankMode: bankMode)
  }

  /// Computes the statistics of sequences.
  ///
  /// Tracks are numbered consecutively through all sequences.
  ///
  /// - Parameters:
  ///   - sequences: The sequences.
  ///   - bankMode: The bank mode, which determines the drum channels; `auto` by default.
  /// - Throws: `SequenceError.outOfRange` if the total time does not fit into 64 bits.
  /// - Complexity: O(n).
  public init(
    _ sequences: [MusicSequence], bankMode: BankMode = .auto
  ) throws(SequenceError) {
    tempi = ClosedTempoRange(slowest: .standard, fastest: .standard)
    var counter = EventCounter()
    var ends = NoteEnds()
    var firstTrack = 0
    var drums: [UInt16] = []
    for (index, sequence) in sequences.enumerated() {
      let map = try sequence.tempoMap
      let ports = TrackPorts(sequence)
      let known = counter.sysExEvents
      counter.count(sequence, ports)
      let channels = sequence.portDrums(
        in: bankMode, ports, hasSysEx: counter.sysExEvents > known)
      drums = Self.union(drums, channels)
      for mode in channels.bankModes where !bankModes.contains(mode) { bankModes.append(mode) }
      portCount = max(portCount, ports.count)
      trackPorts += sequence.tracks.indices.map { ports.ports(of: $0) }
      try ends.add(sequence, firstTrack: firstTrack, map)
      firstTrack += sequence.tracks.count
      try addTime(sequence, ports, map, isFirst: index == 0)
    }
    take(counter, drums)
    firstNotes = ends.first
    lastNotes = ends.last
  }

  /// The channels of each port that play drums in any of several sequences.
  private static func union(_ known: [UInt16], _ drums: PortDrums) -> [UInt16] {
    (0..<max(known.count, drums.count)).map { port in
      (port < known.count ? known[port] : 0) | (port < drums.count ? drums[port].most : 0)
    }
  }

  private mutating func addTime(
    _ sequence: MusicSequence, _ ports: TrackPorts, _ map: TempoMap, isFirst: Bool
  ) throws(SequenceError) {
    let lengths = sequence.lengths(ports)
    maxTick = max(maxTick, lengths.whole)
    do {
      length = try length + map.seconds(at: lengths.whole)
      soundingLength = try soundingLength + map.seconds(at: lengths.sounding)
    } catch {
      throw .outOfRange("\(error)")
    }
    let range = ClosedTempoRange(map)
    tempi = isFirst ? range : tempi.union(range)
    for (_, signature) in sequence.timeSignatures where !meters.contains(signature) {
      meters.append(signature)
    }
  }

  private mutating func take(_ counter: EventCounter, _ drums: [UInt16]) {
    events = counter.channelEvents + counter.metaEvents + counter.sysExEvents
    channelEvents = counter.channelEvents
    metaEvents = counter.metaEvents
    sysExEvents = counter.sysExEvents
    noteOns = counter.noteOns
    noteOnsOfVelocityZero = counter.noteOnsOfVelocityZero
    tempoEvents = counter.tempoEvents
    timeSignatureEvents = counter.timeSignatureEvents
    hasBankSelect = counter.hasBankSelect
    channels = counter.channels
    for index in channels.indices {
      let use = channels[index]
      channels[index].playsDrums = drums[use.port] >> UInt16(use.channel.index) & 1 != 0
    }
    trackChannels = counter.trackMasks.map { mask in
      (0..<16).filter { mask & 1 << UInt16($0) != 0 }.map { Channel(index: $0) }
    }
  }

  /// A note and its position.
  public struct PlacedNote: Hashable, Sendable {
    /// The exact time of the note-on in seconds.
    public let seconds: Ratio
    /// The tick of the note-on.
    public let tick: Tick
    /// The index of the track.
    public let track: Int
    /// The note, with its channel, key and duration.
    public let note: Note
  }

  /// The notes, programs and keys of one channel.
  public struct ChannelUse: Hashable, Sendable {
    /// The MIDI channel.
    public let channel: Channel
    /// The port, counted from 0.
    public let port: Int
    /// The number of notes.
    public let notes: Int
    /// The selected programs, 0…127, in order of first use.
    public let programs: [UInt8]
    /// The range from the lowest to the highest key; nil without notes.
    public let keys: ClosedRange<Key>?
    /// True if most of the channel's notes are drums (`DrumChannels.most`).
    public internal(set) var playsDrums = false
  }
}

/// The slowest and fastest of several tempi.
public struct ClosedTempoRange: Hashable, Sendable {
  /// The tempo with the longest quarter note.
  public let slowest: Tempo
  /// The tempo with the shortest quarter note.
  public let fastest: Tempo

  init(slowest: Tempo, fastest: Tempo) {
    self.slowest = slowest
    self.fastest = fastest
  }

  /// The range of the tempi in a map.
  init(_ map: TempoMap) {
    let tempi = map.changes.map(\.tempo)
    let longest = tempi.max { $0.tenNanosecondsPerQuarter < $1.tenNanosecondsPerQuarter }
    let shortest = tempi.min { $0.tenNanosecondsPerQuarter < $1.tenNanosecondsPerQuarter }
    self.init(slowest: longest ?? .standard, fastest: shortest ?? .standard)
  }

  func union(_ other: ClosedTempoRange) -> ClosedTempoRange {
    let isSlower =
      other.slowest.tenNanosecondsPerQuarter > slowest.tenNanosecondsPerQuarter
    let isFaster =
      other.fastest.tenNanosecondsPerQuarter < fastest.tenNanosecondsPerQuarter
    return ClosedTempoRange(
      slowest: isSlower ? other.slowest : slowest, fastest: isFaster ? other.fastest : fastest)
  }
}
