// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl

/// Reads a file once and collects the data that other programs may fail on.
struct PortabilitySurvey {
  private static let longName = 63
  /// FluidSynth rounds the time at each tempo to the millisecond: the error of 1000 tempos can be
  /// up to 0.3 s.
  private static let manyTempi = 1000

  private let events: FileEvents
  /// True if the offsets of the events are those in the file, because the bytes did not change.
  private let isVerbatim: Bool
  private var found: [PortabilityRemark.Kind: PortabilityRemark] = [:]
  private var tempi = 0

  /// Returns the remarks on a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - bytes: The bytes that it was read from.
  /// - Returns: One remark for each kind of problem, with the number of occurrences.
  /// - Throws: `SequenceError` if the file cannot be written.
  static func remarks(on file: SequenceFile, _ bytes: [UInt8]) throws(SequenceError)
    -> [PortabilityRemark]
  {
    var survey = PortabilitySurvey(try FileEvents(file), bytes)
    survey.lookAtHeader(file)
    if file.wrapper?.bank != nil { survey.note(.soundFont) }
    survey.lookAtEvents()
    for sequence in file.sequences {
      survey.lookAtDrums(of: sequence)
      survey.lookAtLoop(of: sequence)
    }
    return PortabilityRemark.Kind.allCases.compactMap { survey.found[$0] }
  }

  private init(_ events: FileEvents, _ bytes: [UInt8]) {
    self.events = events
    isVerbatim = events.bytes == bytes
  }

  private mutating func lookAtHeader(_ file: SequenceFile) {
    switch file.container {
    case .rmid: note(.wrapper)
    case .xmi, .mus: note(.packedFormat)
    case .smf: break
    }
    if events.format == .pattern { note(.patterns) }
    if case .smpte = events.division { note(.smpteDivision) }
    if events.tracks.isEmpty { note(.noTracks) }
  }

  private mutating func lookAtEvents() {
    var begun: FileEvent?
    for event in events {
      if let first = begun, first.track != event.track { endSysEx(&begun) }
      switch event.status {
      case 0xF0:
        endSysEx(&begun)
        if events.payload(of: event).last != 0xF7 { begun = event }
      case 0xF7:
        note(.sysExPacket, event)
        if events.payload(of: event).last == 0xF7 { begun = nil }
      case 0xFF: lookAtMeta(event)
      default: break
      }
    }
    endSysEx(&begun)
    if tempi > Self.manyTempi { note(.manyTempi, value: tempi) }
  }

  /// Adds a remark on a SysEx message that is not complete before the next one, or at the end of
  /// the track.
  private mutating func endSysEx(_ begun: inout FileEvent?) {
    if let event = begun.take() { note(.endlessSysEx, event) }
  }

  private mutating func lookAtMeta(_ event: FileEvent) {
    let length = Int(event.payload.count)
    if length > 127 { note(.longMeta, event, value: length) }
    let isFirst = event.track == 0 || events.format == .pattern
    switch event.data1 {
    case 0x00, 0x03: lookAtName(event, length)
    case 0x09: note(.deviceName, event)
    case 0x21 where events.payload(of: event).first ?? 0 > 0: note(.port, event)
    case 0x51:
      tempi += 1
      if !isFirst { note(.tempoOutsideFirstTrack, event) }
    case 0x54: lookAtOffset(event)
    case 0x58:
      if !isFirst { note(.meterOutsideFirstTrack, event) }
      lookAtMeter(event)
    default: break
    }
    if (1...15).contains(event.data1), events.payload(of: event).contains(where: { $0 > 127 }) {
      note(.textEncoding, event)
    }
  }

  /// Adds a remark if a meter has zero beats, or a note value below 1/128.
  private mutating func lookAtMeter(_ event: FileEvent) {
    let bytes = Array(events.payload(of: event))
    if bytes.count < 2 || bytes[0] == 0 || bytes[1] > 7 { note(.impossibleMeter, event) }
  }

  /// Adds a remark if an offset is not a time of day: hours up to 23, and frames below the rate in
  /// the byte of the hours.
  private mutating func lookAtOffset(_ event: FileEvent) {
    let bytes = Array(events.payload(of: event))
    let isTime =
      bytes.count == 5 && bytes[0] < 0x80 && bytes[0] & 0x1F < 24 && bytes[1] < 60
      && bytes[2] < 60 && bytes[3] < [24, 25, 30, 30][Int(bytes[0] >> 5)] && bytes[4] < 100
    if !isTime { note(.impossibleOffset, event) }
  }

  private mutating func lookAtName(_ event: FileEvent, _ length: Int) {
    if event.tick > .zero { note(.lateName, event) }
    if event.data1 == 0x03, length > Self.longName { note(.longName, event, value: length) }
  }

  private mutating func lookAtDrums(of sequence: MusicSequence) {
    let drums = sequence.portDrums
    if drums.count > TrackPorts.limit { note(.manyPorts, value: drums.count) }
    let ports = 0..<min(drums.count, TrackPorts.limit)
    guard ports.contains(where: { drums[$0].most != DrumChannels.generalMIDI.most }) else { return }
    var channels = PortChannels.none
    for port in ports { channels[port] = drums[port].most }
    note(
      .drumChannels,
      channels: channels.indices().map { channel in
        (ports.count > 1 ? "\(channel / 16 + 1):" : "") + "\(channel % 16 + 1)"
      })
  }

  /// Adds a remark on the settings that are not restored when the loop of the file, or the whole
  /// song, is repeated.
  private mutating func lookAtLoop(of sequence: MusicSequence) {
    let sequence = sequence.withWholeSysEx
    let index = ChaseIndex(sequence)
    let loop = FileLoop(sequence)?.range ?? .zero..<Tick(sequence.length.value + 1)
    let lost = index.state(at: loop.lowerBound)
      .restoration(after: index.state(at: loop.upperBound)).lost
    guard !lost.isEmpty else { return }
    let messages = Set(lost.map(\.bytes))
    let places = events.filter { event in
      event.status == 0xF0 && messages.contains(Array(events.payload(of: event).dropLast()))
    }
    note(.notRestored, places.first)
    found[.notRestored]?.count = lost.count
  }

  /// Adds a remark.
  ///
  /// If the kind was found before, only the count changes.
  private mutating func note(
    _ kind: PortabilityRemark.Kind, _ event: FileEvent? = nil, value: Int = 0,
    channels: [String] = []
  ) {
    if found[kind] != nil {
      found[kind]?.count += 1
      return
    }
    found[kind] = PortabilityRemark(
      kind: kind, track: event.map { Int($0.track) }, tick: event?.tick.value,
      offset: isVerbatim ? event.map { Int($0.offset) } : nil, value: value, channels: channels)
  }
}
