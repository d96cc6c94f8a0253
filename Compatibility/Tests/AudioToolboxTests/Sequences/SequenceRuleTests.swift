// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// Rules of sequences, tracks and their files, one by one.
@Suite struct SequenceRuleTests {
  /// A file of tracks, each of which includes its end.
  static func file(_ tracks: [[UInt8]], format: UInt8 = 1) -> Data {
    var bytes = Array("MThd".utf8) + [0, 0, 0, 6, 0, format, 0, UInt8(tracks.count), 0, 96]
    for track in tracks {
      bytes += Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
    }
    return Data(bytes)
  }

  static func load(_ data: Data) -> TestSequence {
    let sequence = TestSequence()
    #expect(MusicSequenceFileLoadData(sequence.handle, data as CFData, .anyType, []) == 0)
    return sequence
  }

  @Test func `Tempos and time signatures are moved to the tempo track, names are not`() {
    let sequence = Self.load(
      Self.file([
        [0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0, 0xFF, 0x2F, 0],
        [
          0, 0xFF, 3, 1, 65, 96, 0xFF, 0x51, 3, 0xF, 0x42, 0x40, 0, 0xFF, 0x58, 4, 3, 2, 24, 8,
          0, 0x90, 60, 1, 96, 0x80, 60, 0, 0, 0xFF, 0x2F, 0,
        ],
      ]))
    let tempi = events(sequence.tempoTrack).filter { $0.type == kMusicEventType_ExtendedTempo }
    #expect(tempi.map(\.time) == [0, 1] && tempi.map(\.bpm) == [120, 60])
    let metas = events(sequence.tempoTrack).filter { $0.type == kMusicEventType_Meta }
    #expect(metas.map { $0.bytes[0] } == [0x58])
    let track = events(sequence.track(sequence.trackCount - 1))
    #expect(track.map(\.type) == [kMusicEventType_Meta, kMusicEventType_MIDINoteMessage])
    #expect(track[0].bytes[0] == 3 && track[1].note.duration == 1)
  }

  @Test func `An end of track after the last event makes the track longer`() {
    let sequence = Self.load(
      Self.file([[0, 0x90, 60, 1, 96, 0x80, 60, 0, 0x83, 0, 0xFF, 0x2F, 0]], format: 0))
    #expect(length(sequence.track(0)) == 5)
  }

  @Test func `An SMPTE offset is stored and written, and does not move events`() {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 1)
    addMeta(song.tempoTrack, 0x54, [0x21, 2, 3, 4, 5], at: 0)
    #expect(song.seconds(1) == 0.5)
    var data: Unmanaged<CFData>?
    #expect(MusicSequenceFileCreateData(song.handle, .midiType, [], 0, &data) == 0)
    let back = Self.load((data?.takeRetainedValue()).map { $0 as Data } ?? Data())
    let metas = events(back.tempoTrack).filter { $0.type == kMusicEventType_Meta }
    #expect(metas.contains { $0.bytes[0] == 0x54 && $0.bytes.suffix(5) == [0x21, 2, 3, 4, 5] })
    #expect(times(back.track(0)) == [1])
  }

  @Test func `A file contains only events that MIDI files support`() {
    let song = TestSequence(tracks: 1)
    let track = song.tracks[0]
    var change = ParameterEvent(parameterID: 1, scope: 0, element: 0, value: 0.5)
    MusicTrackNewParameterEvent(track, 0, &change)
    var extended = ExtendedNoteOnEvent()
    extended.duration = 1
    extended.extendedParams.argCount = 2
    extended.extendedParams.mPitch = 60
    MusicTrackNewExtendedNoteEvent(track, 0, &extended)
    let list = NSDictionary(dictionary: ["type": 1])
    var preset = AUPresetEvent(
      scope: 0, element: 0, preset: UnsafeRawPointer(Unmanaged.passUnretained(list).toOpaque()))
    MusicTrackNewAUPresetEvent(track, 0, &preset)
    addBytes(track, [1], at: 0, user: true)
    addNote(track, 61, at: 0)
    #expect(events(track).count == 5)
    var data: Unmanaged<CFData>?
    #expect(MusicSequenceFileCreateData(song.handle, .midiType, [], 0, &data) == 0)
    let back = Self.load((data?.takeRetainedValue()).map { $0 as Data } ?? Data())
    #expect(events(back.track(0)).map(\.note.note) == [61])
  }

  @Test func `A sequence in seconds is written with 25 frames of 40 subframes`() throws {
    let song = TestSequence(tracks: 1)
    MusicSequenceSetSequenceType(song.handle, .seconds)
    addNote(song.tracks[0], 60, at: 1.5)
    var data: Unmanaged<CFData>?
    #expect(MusicSequenceFileCreateData(song.handle, .midiType, [], 0, &data) == 0)
    let bytes = try #require(data?.takeRetainedValue()) as Data
    #expect(Array(bytes[12..<14]) == [0xE7, 0x28])
    let back = Self.load(bytes)
    let all = (0..<back.trackCount).map { times(back.track($0)) }
    #expect(all == [[1.5]], "\(Array(bytes))")
  }

  @Test func `A change of the type does not change the times of events`() {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 1.5)
    MusicSequenceSetSequenceType(song.handle, .seconds)
    MusicSequenceSetSequenceType(song.handle, .beats)
    #expect(times(song.tracks[0]) == [1.5])
  }

  @Test func `A new track plays once, without offset, mute or solo, and without a curve`() {
    let track = TestSequence(tracks: 1)
    var loop = MusicTrackLoopInfo(loopDuration: 9, numberOfLoops: 9)
    MusicTrackGetProperty(track.tracks[0], kSequenceTrackProperty_LoopInfo, &loop, nil)
    #expect(loop.loopDuration == 0)
    var offset = 9.0
    MusicTrackGetProperty(track.tracks[0], kSequenceTrackProperty_OffsetTime, &offset, nil)
    #expect(offset == 0)
    for property in [kSequenceTrackProperty_MuteStatus, kSequenceTrackProperty_SoloStatus] {
      var flag = DarwinBoolean(true)
      MusicTrackGetProperty(track.tracks[0], property, &flag, nil)
      #expect(!flag.boolValue)
    }
    var curve: UInt32 = 9
    let property = kSequenceTrackProperty_AutomatedParameters
    MusicTrackGetProperty(track.tracks[0], property, &curve, nil)
    #expect(curve == 0)
    curve = 1
    #expect(MusicTrackSetProperty(track.tracks[0], property, &curve, 4) == 0)
    curve = 0
    MusicTrackGetProperty(track.tracks[0], property, &curve, nil)
    #expect(curve == 1)
  }

  @Test func `A tempo takes effect only in the tempo track`() {
    let song = TestSequence(tracks: 1)
    #expect(MusicTrackNewExtendedTempoEvent(song.tracks[0], 0, 60) == 0)
    #expect(song.seconds(2) == 1)
  }

  @Test func `The graph of a sequence is the one that was set, or with nil the default graph`() {
    let song = TestSequence(tracks: 1)
    var (own, graph, found): (AUGraph?, AUGraph?, AUGraph?) = (nil, nil, nil)
    #expect(MusicSequenceGetAUGraph(song.handle, &own) == 0)
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(own, &count) == 0 && count >= 2)
    NewAUGraph(&graph)
    #expect(MusicSequenceSetAUGraph(song.handle, graph) == 0)
    #expect(MusicSequenceGetAUGraph(song.handle, &found) == 0)
    #expect(found == graph)
    #expect(MusicSequenceSetAUGraph(song.handle, nil) == 0)
    #expect(MusicSequenceGetAUGraph(song.handle, &found) == 0)
    #expect(found != graph && found != nil)
    #expect(MusicSequenceSetAUGraph(song.handle, song.handle) == -50)
    DisposeAUGraph(graph)
  }

  @Test func `A node replaces an endpoint, and must belong to the sequence's graph`() {
    let song = TestSequence(tracks: 2)
    var none: AUNode = 0
    #expect(MusicTrackGetDestNode(song.tracks[0], &none) == kAudioToolboxError_NoTrackDestination)
    MusicSequenceSetMIDIEndpoint(song.handle, 77)
    var graph: AUGraph?
    MusicSequenceGetAUGraph(song.handle, &graph)
    var node: AUNode = 0
    AUGraphGetIndNode(graph, 0, &node)
    #expect(MusicTrackSetDestNode(song.tracks[0], node) == 0)
    var (found, endpoint): (AUNode, MIDIEndpointRef) = (0, 0)
    #expect(MusicTrackGetDestNode(song.tracks[0], &found) == 0)
    #expect(found == node)
    #expect(MusicTrackGetDestMIDIEndpoint(song.tracks[0], &endpoint) == -10855)
    #expect(MusicTrackGetDestMIDIEndpoint(song.tracks[1], &endpoint) == 0)
    #expect(MusicTrackSetDestNode(song.tracks[0], 4711) != 0)
  }

  @Test func `A player that is disposed of releases its sequence`() {
    var (sequence, player): (MusicSequence?, MusicPlayer?) = (nil, nil)
    NewMusicSequence(&sequence)
    NewMusicPlayer(&player)
    MusicPlayerSetSequence(player, sequence)
    #expect(DisposeMusicSequence(sequence) == -10863)
    DisposeMusicPlayer(player)
    #expect(DisposeMusicSequence(sequence) == 0)
  }

  @Test func `A divisor has 32 bits, of which 16 are used`() {
    let song = TestSequence()
    var place = CABarBeatTime()
    #expect(MusicSequenceBeatsToBarBeatTime(song.handle, 4.5, 65_536 + 480, &place) == 0)
    #expect(place.subbeatDivisor == 480 && place.subbeat == 240 && place.reserved == 0)
  }
}
