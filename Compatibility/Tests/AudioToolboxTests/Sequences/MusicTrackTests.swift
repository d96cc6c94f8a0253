// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// The events of a track, which are added, moved, cleared, cut and copied, and its properties.
@Suite struct MusicTrackTests {
  private let sequence = TestSequence(tracks: 2)
  private var track: MusicTrack? { sequence.tracks[0] }

  private func addNotes(_ times: MusicTimeStamp...) {
    for (index, time) in times.enumerated() { addNote(track, UInt8(60 + index), at: time) }
  }

  @Test func `events are in order of time, those at the same time in the order of adding`() {
    for (key, time) in [(1, 3.0), (2, 1), (3, 3), (4, 0), (5, 1)] {
      addNote(track, UInt8(key), at: time)
    }
    #expect(events(track).map(\.note.note) == [4, 2, 5, 1, 3])
  }

  @Test func `events are returned bit for bit`() {
    addNote(track, 60, at: 1 / 7, duration: 0.1)
    addMeta(track, 3, Array("name".utf8), at: 1)
    addBytes(track, [0xF0, 1, 2, 0xF7], at: 2)
    addBytes(track, [9, 9], at: 3, user: true)
    var message = MIDIChannelMessage(status: 0xB3, data1: 7, data2: 99, reserved: 0)
    MusicTrackNewMIDIChannelEvent(track, 4, &message)
    var change = ParameterEvent(parameterID: 1, scope: 2, element: 3, value: 0.5)
    MusicTrackNewParameterEvent(track, 5, &change)
    var extended = ExtendedNoteOnEvent()
    extended.instrumentID = kMusicNoteEvent_UseGroupInstrument
    extended.duration = 2
    extended.extendedParams.argCount = 2
    extended.extendedParams.mPitch = 60.5
    MusicTrackNewExtendedNoteEvent(track, 6, &extended)
    let found = events(track)
    #expect(found.map(\.type) == [6, 5, 8, 4, 7, 9, 1])
    #expect(found.map(\.time) == [1 / 7, 1, 2, 3, 4, 5, 6])
    #expect(found[0].note.duration == 0.1)
    #expect(found[1].bytes == [3, 0, 0, 0, 4, 0, 0, 0] + Array("name".utf8))
    #expect(found[2].bytes == [4, 0, 0, 0, 0xF0, 1, 2, 0xF7])
    #expect(found[3].bytes == [2, 0, 0, 0, 9, 9])
    #expect(found[4].bytes == [0xB3, 7, 99, 0])
    #expect(found[5].bytes.count == 16 && found[6].bytes.count == 24)
    #expect(length(track) == 8)
  }

  @Test func `a preset retains its property list`() {
    do {
      let list = NSDictionary(dictionary: ["type": 1])
      var event = AUPresetEvent(
        scope: 0, element: 0, preset: UnsafeRawPointer(Unmanaged.passUnretained(list).toOpaque()))
      #expect(MusicTrackNewAUPresetEvent(track, 0, &event) == noErr)
    }
    let event = events(track)[0].bytes.withUnsafeBytes { $0.loadUnaligned(as: AUPresetEvent.self) }
    let list = Unmanaged<NSDictionary>.fromOpaque(event.preset).takeUnretainedValue()
    #expect(list["type"] as? Int == 1)
  }

  @Test func `events with invalid values are refused`() {
    #expect(addNote(track, 60, at: -1) == -50)
    #expect(addNote(track, 60, at: .nan) == -50)
    #expect(addNote(track, 60, at: .infinity) == -50)
    #expect(addNote(track, 128, at: 0) == -50)
    #expect(addNote(track, 60, at: 0, channel: 16) == -50)
    #expect(addNote(track, 60, at: 0, duration: -1) == -50)
    #expect(addNote(track, 60, at: 0, duration: .nan) == -50)
    #expect(addMeta(track, 0x80, [], at: 0) == -50)
    #expect(addBytes(track, [], at: 0) == -50)
    #expect(events(track).isEmpty)
  }

  @Test func `clearing removes the events that begin in the half-open range`() {
    addNotes(1.99, 2, 2.99, 3)
    #expect(MusicTrackClear(track, 2, 3) == noErr)
    #expect(times(track) == [1.99, 3])
    #expect(MusicTrackClear(track, 3, 2) == -50)
    #expect(MusicTrackClear(track, 0, kMusicTimeStamp_EndOfTrack) == noErr)
    #expect(events(track).isEmpty)
  }

  @Test func `cutting closes the gap`() {
    addNotes(0, 2, 2.5, 3, 5)
    setLength(track, 8)
    #expect(MusicTrackCut(track, 2, 3) == noErr)
    #expect(times(track) == [0, 2, 4])
    #expect(length(track) == 7)
  }

  @Test func `moving keeps the other events, and refuses times before the start`() {
    addNotes(0, 1, 2, 3)
    #expect(MusicTrackMoveEvents(track, 1, 3, 0.5) == noErr)
    #expect(times(track) == [0, 1.5, 2.5, 3])
    #expect(MusicTrackMoveEvents(track, 1, 3, -2) == -50)
    #expect(times(track) == [0, 1.5, 2.5, 3])
  }

  @Test func `copying into a track moves later events, merging does not`() {
    addNotes(0, 1, 2, 3)
    let other = sequence.tracks[1]
    #expect(MusicTrackMerge(track, 1, 3, other, 10.5) == noErr)
    #expect(times(other) == [10.5, 11.5])
    #expect(MusicTrackCopyInsert(track, 0, 2, other, 11) == noErr)
    #expect(times(other) == [10.5, 11, 12, 13.5])
    #expect(MusicTrackCopyInsert(track, 0, 2, track, 1) == noErr)
    #expect(
      events(track).map { [$0.time, Double($0.note.note)] } == [
        [0, 60], [1, 60], [2, 61], [3, 61], [4, 62], [5, 63],
      ])
  }

  @Test func `a range to the end of the track ends at the length of the track`() {
    addNotes(0, 1)
    let scratch = TestSequence(tracks: 1)
    addNote(scratch.tracks[0], 70, at: 0.5)
    #expect(
      MusicTrackCopyInsert(track, 0, kMusicTimeStamp_EndOfTrack, scratch.tracks[0], 0) == noErr)
    #expect(times(scratch.tracks[0]) == [0, 1, 2.5])
    #expect(MusicTrackMerge(track, 0, kMusicTimeStamp_EndOfTrack, track, 0.25) == noErr)
    #expect(times(track) == [0, 0.25, 1, 1.25])
  }

  @Test func `the length of a track is the end of its last note, or a larger set length`() {
    #expect(length(track) == 0)
    for beat in 0..<8 { addNote(track, 60, at: Double(beat)) }
    #expect(length(track) == 8)
    setLength(track, 4)
    #expect(length(track) == 8 && events(track).count == 8)
    setLength(track, 12)
    MusicTrackClear(track, 4, 8)
    #expect(length(track) == 12)
    addNote(track, 60, at: 20)
    #expect(length(track) == 21)
    let other = sequence.tracks[1]
    addNote(other, 60, at: 3)
    addNote(other, 60, at: 1)
    MusicTrackClear(other, 3, 4)
    #expect(length(other) == 2)
  }

  @Test func `a length does not remove events of the tempo track`() {
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 8, 90)
    for _ in 0..<4 { addMeta(sequence.tempoTrack, 0x58, [7, 3, 24, 8], at: 8) }
    setLength(sequence.tempoTrack, 4)
    #expect(events(sequence.tempoTrack).count == 5)
  }

  @Test func `properties are read back, with any size`() {
    var loop = MusicTrackLoopInfo(loopDuration: 4, numberOfLoops: 3)
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, 0) == noErr)
    loop = MusicTrackLoopInfo()
    var size: UInt32 = 0
    #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_LoopInfo, &loop, &size) == noErr)
    #expect(loop.loopDuration == 4 && loop.numberOfLoops == 3 && size == 16)
    for property in [kSequenceTrackProperty_MuteStatus, kSequenceTrackProperty_SoloStatus] {
      var flag = DarwinBoolean(true)
      #expect(MusicTrackSetProperty(track, property, &flag, 1) == noErr)
      flag = false
      #expect(MusicTrackGetProperty(track, property, &flag, &size) == noErr)
      #expect(flag.boolValue && size == 1)
    }
    var offset = -2.5
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_OffsetTime, &offset, 8) == noErr)
    offset = 0
    MusicTrackGetProperty(track, kSequenceTrackProperty_OffsetTime, &offset, nil)
    #expect(offset == -2.5)
    #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, nil, &size) == noErr)
    #expect(size == 8)
  }

  @Test func `properties that do not exist or are read-only give error codes`() {
    var value = 0.0
    #expect(MusicTrackSetProperty(track, 99, &value, 8) == -50)
    #expect(MusicTrackGetProperty(track, 99, &value, nil) == -50)
    #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_TimeResolution, &value, nil) == -50)
    #expect(
      MusicTrackSetProperty(
        sequence.tempoTrack, kSequenceTrackProperty_TimeResolution, &value, 2) == -50)
    value = -1
    #expect(MusicTrackSetProperty(track, kSequenceTrackProperty_TrackLength, &value, 8) == -50)
    #expect(MusicTrackGetProperty(track, kSequenceTrackProperty_TrackLength, nil, nil) == -50)
  }

  @Test func `a destination is a node or an endpoint, and reading the other kind is an error`() {
    var (endpoint, node) = (MIDIEndpointRef(0), AUNode(0))
    #expect(MusicTrackGetDestMIDIEndpoint(track, &endpoint) == -10855)
    #expect(MusicTrackSetDestMIDIEndpoint(track, 1234567) == noErr)
    #expect(MusicTrackGetDestMIDIEndpoint(track, &endpoint) == noErr)
    #expect(endpoint == 1234567)
    #expect(MusicTrackGetDestNode(track, &node) == -10855)
    var graph: AUGraph?
    MusicSequenceGetAUGraph(sequence.handle, &graph)
    AUGraphGetIndNode(graph, 0, &node)
    #expect(MusicTrackSetDestNode(track, node) == noErr)
    #expect(MusicTrackSetDestMIDIEndpoint(track, 1234567) == noErr)
    #expect(MusicTrackGetDestNode(track, &node) == -10855)
    #expect(MusicSequenceSetMIDIEndpoint(sequence.handle, 77) == noErr)
    MusicTrackGetDestMIDIEndpoint(sequence.tracks[1], &endpoint)
    #expect(endpoint == 77)
    let later = sequence.addTrack()
    #expect(MusicTrackGetDestMIDIEndpoint(later, &endpoint) == -10855)
  }
}
