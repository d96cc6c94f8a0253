// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// What a file holds, counted: what `info` shows.
///
/// Events are those of the file: a note counts twice where it was released, and every meta event
/// counts, the end of track among them. Time is exact; the length goes to the end of the longest
/// track. The length of several sequences, as of format 2, is the sum of theirs: they follow one
/// another.
public struct SequenceSummary: Sendable {
  /// All events of the tracks.
  public private(set) var events = 0
  /// Channel messages.
  public private(set) var channelEvents = 0
  /// Meta events.
  public private(set) var metaEvents = 0
  /// SysEx events, packets and escapes among them.
  public private(set) var sysExEvents = 0
  /// Note-ons of a velocity above zero.
  public private(set) var noteOns = 0
  /// Note-ons of velocity zero, which are note-offs.
  public private(set) var noteOnsOfVelocityZero = 0
  /// Tempo events of three bytes, in any track.
  public private(set) var tempoEvents = 0
  /// Time signatures of four bytes, in any track.
  public private(set) var timeSignatureEvents = 0
  /// The last tick of any track.
  public private(set) var maxTick = Tick.zero
  /// The length in seconds, exactly; of several sequences that of all, one after the other.
  public private(set) var length = Ratio.zero
  /// The sounding length in seconds, exactly: up to the release of the last note, as
  /// `MusicSequence.soundingLength`; of several sequences the sum.
  public private(set) var soundingLength = Ratio.zero
  /// The slowest and the fastest tempo in force.
  public private(set) var tempi: ClosedTempoRange
  /// The time signatures in force, each once, in the order in which they first appear.
  public private(set) var meters: [TimeSignature] = []
  /// The number of ports, 1 or more: of several sequences the most that one has.
  public private(set) var portCount = 1
  /// The ports that each track uses, counted from 0, in order of first use; tracks are numbered
  /// through all sequences.
  public private(set) var trackPorts: [[Int]] = []
  /// The rules of bank select that are in force at programs and notes, in order, each once.
  public private(set) var bankModes: [BankMode] = []
  /// Whether there is a bank select: controller 0 or 32.
  public private(set) var hasBankSelect = false
  /// The channels that are used, in order of port, then of channel.
  public private(set) var channels: [ChannelUse] = []
  /// The channels on which each track has notes, in order; tracks are numbered through all sequences.
  public private(set) var trackChannels: [[Channel]] = []
  /// The first three notes; ties in order of track, then of event.
  public private(set) var firstNotes: [PlacedNote] = []
  /// The last three notes.
  public private(set) var lastNotes: [PlacedNote] = []

  /// Counts what a file holds.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - bankMode: the bank mode, which says what channels play drums.
  /// - Throws: `SequenceError.outOfRange` where the total time does not fit 64 bits.
  /// - Complexity: O(n).
  public init(_ file: SequenceFile, bankMode: BankMode = .auto) throws(SequenceError) {
    try self.init(file.sequences, bankMode: bankMode)
  }

  /// Counts what sequences hold; tracks are numbered through all of them.
  ///
  /// - Parameters:
  ///   - sequences: the sequences.
  ///   - bankMode: the bank mode, which says what channels play drums.
  /// - Throws: `SequenceError.outOfRange` where the total time does not fit 64 bits.
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

  /// A note and where it begins.
  public struct PlacedNote: Hashable, Sendable {
    /// The time of the note-on in seconds, exactly.
    public let seconds: Ratio
    /// The tick of the note-on.
    public let tick: Tick
    /// The index of the track.
    public let track: Int
    /// The note.
    public let note: Note
  }

  /// What a channel is used for.
  public struct ChannelUse: Hashable, Sendable {
    /// The channel.
    public let channel: Channel
    /// The port, counted from 0.
    public let port: Int
    /// The number of notes.
    public let notes: Int
    /// The programs that are selected, in order, each once.
    public let programs: [UInt8]
    /// The lowest and the highest key; nil without notes.
    public let keys: ClosedRange<Key>?
    /// Whether most of its notes are drums (`DrumChannels.most`).
    public internal(set) var playsDrums = false
  }
}

/// The slowest and the fastest of some tempi.
public struct ClosedTempoRange: Hashable, Sendable {
  /// The tempo of the longest quarter note.
  public let slowest: Tempo
  /// The tempo of the shortest quarter note.
  public let fastest: Tempo

  init(slowest: Tempo, fastest: Tempo) {
    self.slowest = slowest
    self.fastest = fastest
  }

  /// The range of the tempi in force in a map.
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
