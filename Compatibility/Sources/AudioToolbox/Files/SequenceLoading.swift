// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime

/// The tracks and tempo events that are read from a file before anything is added to a sequence.
struct SequenceLoading {
  private(set) var tempoEvents: [BeatEvent] = []
  private(set) var tracks: [TrackContent] = []
  private(set) var resolution: Int16
  /// True if a beat is a second, because the division of the file is in frames.
  let isInSeconds: Bool
  private let beatsPerTick: Double

  /// Reads a file.
  ///
  /// - Throws: `ParamError` if the bytes are not a MIDI file.
  init(_ bytes: [UInt8], channelsToTracks: Bool) throws(StatusError) {
    let file: SequenceFile
    do {
      file = try SMFReader(keepsSource: false).read(bytes)
    } catch {
      throw .parameter
    }
    switch file.division {
    case .ppqn(let ppqn): (beatsPerTick, isInSeconds) = (1 / Double(ppqn.ticks), false)
    case .smpte:
      let ticks = file.division.ticksPerSecond?.approximation ?? 1000
      (beatsPerTick, isInSeconds) = (1 / ticks, true)
    }
    resolution = Int16(bitPattern: file.division.smfBits ?? 480)
    for sequence in file.sequences { add(sequence) }
    if channelsToTracks { splitByChannel() }
  }

  private mutating func add(_ sequence: MusicSequences.MusicSequence) {
    tempoEvents += events(of: sequence.tempoTrack)
    for (index, track) in sequence.tracks.enumerated() {
      let content = content(of: track)
      // In a file with several tracks, a first track without notes and messages belongs to the
      // tempo track.
      if index == 0, sequence.format == .simultaneous, sequence.tracks.count > 1,
        content.events.all.allSatisfy({ $0.type == kMusicEventType_Meta })
      {
        tempoEvents += content.events.all
      } else {
        tracks.append(content)
      }
    }
  }

  private func content(of track: MusicSequences.MusicTrack) -> TrackContent {
    var content = TrackContent()
    content.events = EventList(sorting: events(of: track))
    let end = beat(track.length)
    if end > content.events.end { content.explicitLength = end }
    return content
  }

  private func beat(_ tick: Tick) -> MusicTimeStamp { Double(tick.value) * beatsPerTick }

  private func events(of track: MusicSequences.MusicTrack) -> [BeatEvent] {
    track.events.map { event in
      let time = beat(event.tick)
      switch event.content {
      case .note(let note): return self.event(note, at: time)
      case .message(let message):
        return BeatEvent(
          time, kMusicEventType_MIDIChannelMessage,
          MIDIChannelMessage(
            status: message.status, data1: message.data1, data2: message.data2, reserved: 0))
      case .sysEx(let bytes): return .raw([0xF0] + bytes, at: time)
      case .packet(let bytes): return .raw(bytes, at: time)
      case .user(let bytes): return .raw(bytes, kMusicEventType_User, at: time)
      case .meta(let meta): return self.event(meta, at: time)
      case .parameter(let change):
        return .parameter(change, at: time)
      }
    }
  }

  private func event(_ note: Note, at time: MusicTimeStamp) -> BeatEvent {
    var event = BeatEvent(
      time, kMusicEventType_MIDINoteMessage,
      MIDINoteMessage(
        channel: note.channel.index, note: note.key.number, velocity: note.velocity,
        releaseVelocity: note.releaseVelocity ?? 0,
        duration: Float(Double(note.duration) * beatsPerTick)))
    event.eventsBeforeRelease = UInt16(clamping: note.eventsBeforeRelease)
    return event
  }

  private func event(_ meta: MetaEvent, at time: MusicTimeStamp) -> BeatEvent {
    if let tempo = meta.tempo {
      let bpm = 60e6 / tempo.microsecondsPerQuarter.approximation
      return BeatEvent(time, kMusicEventType_ExtendedTempo, ExtendedTempoEvent(bpm: bpm))
    }
    return .meta(meta.type, meta.bytes, at: time)
  }

  /// Moves the events of each channel to a separate track, and events without a channel to a last
  /// one.
  private mutating func splitByChannel() {
    var parts = [[BeatEvent]](repeating: [], count: 17)
    var length: MusicTimeStamp = 0
    for track in tracks {
      length = max(length, track.length)
      for event in track.events.all { parts[event.channel ?? 16].append(event) }
    }
    tracks = parts.filter { !$0.isEmpty }.map { events in
      var content = TrackContent()
      content.events = EventList(sorting: events)
      if length > content.events.end { content.explicitLength = length }
      return content
    }
  }
}

extension BeatEvent {
  /// The channel of a note or channel message.
  fileprivate var channel: Int? {
    switch type {
    case kMusicEventType_MIDINoteMessage: Int(value(as: MIDINoteMessage.self).channel)
    case kMusicEventType_MIDIChannelMessage:
      Int(value(as: MIDIChannelMessage.self).status & 0x0F)
    default: nil
    }
  }

  /// An event whose payload is a byte count and the bytes.
  static func raw(
    _ bytes: [UInt8], _ type: MusicEventType = kMusicEventType_MIDIRawData, at time: MusicTimeStamp
  ) -> BeatEvent {
    var event = BeatEvent(time, type, nil)
    event.payload = unsafe (count(bytes) + bytes).withUnsafeBytes {
      unsafe EventPayload(copying: $0)
    }
    return event
  }

  static func meta(_ type: UInt8, _ bytes: [UInt8], at time: MusicTimeStamp) -> BeatEvent {
    var event = BeatEvent(time, kMusicEventType_Meta, nil)
    event.payload = unsafe ([type, 0, 0, 0] + count(bytes) + bytes).withUnsafeBytes {
      unsafe EventPayload(copying: $0)
    }
    return event
  }

  fileprivate static func parameter(
    _ change: MusicSequences.ParameterEvent, at time: MusicTimeStamp
  ) -> BeatEvent {
    var value = CCoreAudio.ParameterEvent(
      parameterID: change.parameter, scope: change.scope, element: change.element,
      value: change.value)
    var event = BeatEvent(time, kMusicEventType_Parameter, nil)
    event.payload = unsafe withUnsafeBytes(of: &value) { unsafe EventPayload(copying: $0) }
    return event
  }

  private static func count(_ bytes: [UInt8]) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
  }
}
