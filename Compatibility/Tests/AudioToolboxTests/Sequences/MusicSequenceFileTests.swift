// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import TestSupport
import Testing

/// MIDI files are written and read back.
@Suite struct MusicSequenceFileTests {
  private func bytes(_ sequence: TestSequence, resolution: Int16 = 480) -> Data? {
    var data: Unmanaged<CFData>?
    guard
      MusicSequenceFileCreateData(sequence.handle, .midiType, .eraseFile, resolution, &data)
        == noErr
    else { return nil }
    return data?.takeRetainedValue() as Data?
  }

  private func load(_ data: Data?, _ flags: MusicSequenceLoadFlags = []) -> TestSequence {
    let sequence = TestSequence()
    MusicSequenceFileLoadData(sequence.handle, data as CFData?, .anyType, flags)
    return sequence
  }

  @Test func `notes, messages, SysEx, metas, tempos and empty tracks are read back`() throws {
    let song = TestSequence(tracks: 3)
    addMeta(song.tracks[0], 3, Array("lead".utf8), at: 0)
    addNote(song.tracks[0], 60, at: 0.5, duration: 0.25, channel: 2)
    addBytes(song.tracks[0], [0xF0, 1, 2, 0xF7], at: 1)
    var message = MIDIChannelMessage(status: 0xC2, data1: 5, data2: 0, reserved: 0)
    MusicTrackNewMIDIChannelEvent(song.tracks[1], 2, &message)
    MusicTrackNewExtendedTempoEvent(song.tempoTrack, 0, 145)
    addMeta(song.tempoTrack, 0x58, [7, 3, 24, 8], at: 0)
    addBytes(song.tracks[1], [1], at: 0, user: true)
    let back = load(bytes(song))
    #expect(back.trackCount == 3)
    #expect(events(back.track(0)) == events(song.tracks[0]))
    #expect(events(back.track(1)).map(\.type) == [7])
    #expect(events(back.track(2)).isEmpty)
    let tempo = events(back.tempoTrack)
    #expect(tempo.map(\.type).sorted() == [3, 5])
    #expect(abs(try #require(tempo.first { $0.type == 3 }).bpm - 145.000036) < 1e-6)
  }

  @Test func `loading adds tracks, and an invalid file does not change the sequence`() {
    let song = TestSequence(tracks: 2)
    addNote(song.tracks[0], 60, at: 0)
    let data = bytes(song)
    #expect(MusicSequenceFileLoadData(song.handle, data as CFData?, .midiType, []) == noErr)
    #expect(song.trackCount == 4)
    let junk = Data("no midi".utf8) as CFData
    #expect(MusicSequenceFileLoadData(song.handle, junk, .midiType, []) == -50)
    #expect(MusicSequenceFileLoadData(song.handle, nil, .midiType, []) == -50)
    #expect(MusicSequenceFileLoadData(song.handle, data as CFData?, .iMelodyType, []) == -4)
    #expect(
      MusicSequenceFileLoadData(song.handle, data as CFData?, .midiType, .smf_ChannelsToTracks)
        == -50)
    #expect(song.trackCount == 4)
  }

  @Test func `a file in a RIFF container is read like the file itself`() throws {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 2)
    let data = try #require(bytes(song))
    func chunk(_ name: String, _ content: Data) -> Data {
      let size = withUnsafeBytes(of: UInt32(content.count).littleEndian) { Data($0) }
      return Data(name.utf8) + size + content + Data(count: content.count % 2)
    }
    let back = load(chunk("RIFF", Data("RMID".utf8) + chunk("data", data)))
    #expect(back.trackCount == 1 && times(back.track(0)) == [2])
  }

  @Test func `each channel gets a separate track, and events without a channel the last track`() {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 0, channel: 9)
    addNote(song.tracks[0], 61, at: 1, channel: 0)
    addBytes(song.tracks[0], [0xF0, 1, 0xF7], at: 0)
    let back = load(bytes(song), .smf_ChannelsToTracks)
    #expect(back.trackCount == 3)
    #expect((0..<3).map { events(back.track($0)).map(\.type) } == [[6], [6], [8]])
    #expect(events(back.track(1))[0].note.channel == 9)
  }

  @Test func `an existing file is kept unless it may be replaced`() throws {
    let folder = try ScratchFolder()
    let url = URL(fileURLWithPath: folder.path("song.mid")) as CFURL
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 0)
    #expect(MusicSequenceFileLoad(song.handle, url, .midiType, []) == -43)
    #expect(MusicSequenceFileCreate(song.handle, url, .midiType, [], 0) == noErr)
    let before = try Data(contentsOf: url as URL)
    addNote(song.tracks[0], 62, at: 1)
    #expect(MusicSequenceFileCreate(song.handle, url, .midiType, [], 0) == -54)
    #expect(try Data(contentsOf: url as URL) == before)
    #expect(MusicSequenceFileCreate(song.handle, url, .midiType, .eraseFile, 0) == noErr)
    #expect(try Data(contentsOf: url as URL) != before)
    #expect(MusicSequenceFileLoad(song.handle, url, .midiType, []) == noErr)
    #expect(times(song.track(1)) == [0, 1])
  }

  @Test func `the resolution is the requested one, or that of the file`() throws {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 1)
    #expect(Array(try #require(bytes(song, resolution: 0))[12..<14]) == [1, 0xE0])
    let fine = bytes(song, resolution: 960)
    #expect(Array(try #require(fine)[12..<14]) == [3, 0xC0])
    let back = load(fine)
    var ticks: Int16 = 0
    MusicTrackGetProperty(back.tempoTrack, kSequenceTrackProperty_TimeResolution, &ticks, nil)
    #expect(ticks == 960)
    #expect(Array(try #require(bytes(back, resolution: 0))[12..<14]) == [3, 0xC0])
    let frames = bytes(song, resolution: MusicSequenceSetSMPTEResolution(25, 40))
    #expect(Array(try #require(frames)[12..<14]) == [0xE7, 0x28])
    let seconds = load(frames)
    var type = MusicSequenceType.beats
    MusicSequenceGetSequenceType(seconds.handle, &type)
    #expect(type == .seconds)
    #expect(times(seconds.track(0)) == [0.5])
    let samples = TestSequence()
    MusicSequenceSetSequenceType(samples.handle, .samples)
    var data: Unmanaged<CFData>?
    #expect(
      MusicSequenceFileCreateData(samples.handle, .midiType, [], 0, &data) == -10846)
    #expect(MusicSequenceFileCreateData(song.handle, .iMelodyType, [], 0, &data) == -50)
  }

  @Test func `the dictionary has the information of a file`() {
    let song = TestSequence(tracks: 1)
    addNote(song.tracks[0], 60, at: 3)
    addMeta(song.tempoTrack, 2, Array("me".utf8), at: 0)
    addMeta(song.tempoTrack, 0x59, [0xFD, 1], at: 0)
    addMeta(song.tempoTrack, 0x58, [3, 2, 24, 8], at: 0)
    addMeta(song.tracks[0], 3, Array("song".utf8), at: 0)
    let info = MusicSequenceGetInfoDictionary(song.handle)
    #expect(info["title"] as? String == "song" && info["copyright"] as? String == "me")
    #expect(info["key signature"] as? String == "C minor")
    #expect(info["time signature"] as? String == "3/4")
    #expect(info["approximate duration in seconds"] as? Double == 2)
  }
}
