// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

/// Sequences and their contents, with the behaviour of Core Audio.
@Suite struct MusicSequenceTests {
  @Test func `a new sequence is in beats at 120 BPM, without tracks and tempo events`() {
    let sequence = TestSequence()
    #expect(sequence.trackCount == 0)
    #expect(events(sequence.tempoTrack).isEmpty)
    #expect([-4, 0, 4, 100].map(sequence.seconds) == [-2, 0, 2, 50])
    var type = MusicSequenceType.samples
    #expect(MusicSequenceGetSequenceType(sequence.handle, &type) == noErr)
    #expect(type == .beats)
    let info = MusicSequenceGetInfoDictionary(sequence.handle)
    #expect(info.count == 1 && info["tempo"] as? Double == 120)
    var resolution: Int16 = 0
    MusicTrackGetProperty(
      sequence.tempoTrack, kSequenceTrackProperty_TimeResolution, &resolution, nil)
    #expect(resolution == 480)
  }

  @Test func `tracks have indices from 0, which decrease when a track is disposed of`() {
    let sequence = TestSequence(tracks: 3)
    var index: UInt32 = 9
    #expect(MusicSequenceGetTrackIndex(sequence.handle, sequence.tracks[2], &index) == noErr)
    #expect(index == 2)
    #expect(MusicSequenceDisposeTrack(sequence.handle, sequence.tracks[0]) == noErr)
    #expect(MusicSequenceGetTrackIndex(sequence.handle, sequence.tracks[2], &index) == noErr)
    #expect(index == 1)
    #expect(sequence.trackCount == 2 && sequence.track(0) == sequence.tracks[1])
    var owner: MusicSequence?
    #expect(MusicTrackGetSequence(sequence.tracks[1], &owner) == noErr)
    #expect(owner == sequence.handle)
  }

  @Test func `the default graph is freed with its sequence, and a graph of the program is not`() {
    var (own, given, now): (AUGraph?, AUGraph?, AUGraph?) = (nil, nil, nil)
    var count: UInt32 = 0
    NewAUGraph(&given)
    do {
      let sequence = TestSequence()
      #expect(MusicSequenceGetAUGraph(sequence.handle, &own) == noErr)
      #expect(MusicSequenceSetAUGraph(sequence.handle, given) == noErr)
      #expect(MusicSequenceGetAUGraph(sequence.handle, &now) == noErr)
      #expect(now == given)
      #expect(MusicSequenceSetAUGraph(sequence.handle, nil) == noErr)
      #expect(MusicSequenceGetAUGraph(sequence.handle, &now) == noErr)
      #expect(now == own && AUGraphGetNodeCount(own, &count) == noErr && count == 2)
      // If the program disposes of the default graph, the sequence creates another.
      #expect(DisposeAUGraph(own) == noErr)
      #expect(MusicSequenceGetAUGraph(sequence.handle, &own) == noErr)
      #expect(AUGraphGetNodeCount(own, &count) == noErr)
      MusicSequenceSetAUGraph(sequence.handle, given)
    }
    #expect(AUGraphGetNodeCount(own, &count) == -50)
    #expect(AUGraphGetNodeCount(given, &count) == noErr)
    #expect(DisposeAUGraph(given) == noErr)
  }

  @Test func `invalid indices and tracks of another sequence give error codes`() {
    let sequence = TestSequence(tracks: 1)
    let other = TestSequence(tracks: 1)
    var (track, index): (MusicTrack?, UInt32) = (nil, 0)
    #expect(MusicSequenceGetIndTrack(sequence.handle, 1, &track) == -50)
    #expect(MusicSequenceGetTrackIndex(sequence.handle, other.tracks[0], &index) == -10858)
    #expect(MusicSequenceGetTrackIndex(sequence.handle, sequence.tempoTrack, &index) == -10858)
    #expect(MusicSequenceDisposeTrack(sequence.handle, other.tracks[0]) == -10858)
    #expect(MusicSequenceDisposeTrack(sequence.handle, sequence.tempoTrack) == -10858)
  }

  @Test func `handles that are nil, stale or of other objects give error codes`() {
    let sequence = TestSequence(tracks: 1)
    let track = sequence.addTrack()
    addNote(track, 60, at: 0)
    var iterator: MusicEventIterator?
    NewMusicEventIterator(track, &iterator)
    MusicSequenceDisposeTrack(sequence.handle, track)
    #expect(addNote(track, 60, at: 0) == -50)
    #expect(MusicEventIteratorNextEvent(iterator) == -50)
    #expect(DisposeMusicEventIterator(iterator) == noErr)
    #expect(DisposeMusicEventIterator(iterator) == -50)
    #expect(addNote(nil, 60, at: 0) == -50)
    #expect(addNote(sequence.handle, 60, at: 0) == -50)
    #expect(DisposeMusicSequence(sequence.tracks[0]) == -50)
    #expect(MusicPlayerStart(sequence.handle) == -50)
    #expect(NewMusicSequence(nil) == -50)
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
    defer { memory.deallocate() }
    #expect(DisposeMusicSequence(OpaquePointer(memory)) == -50)
  }

  @Test func `a tempo applies from its beat on, and of two tempos at a beat the later applies`() {
    let sequence = TestSequence()
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 0, 90)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 2, 30)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 2, 60)
    #expect(events(sequence.tempoTrack).map(\.bpm) == [90, 30, 60])
    #expect(abs(sequence.seconds(4) - (4.0 / 3 + 2)) < 1e-12)
    #expect(abs(sequence.beats(sequence.seconds(4)) - 4) < 1e-12)
    #expect(MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 0, 0) == -50)
  }

  @Test func `with ten thousand tempos, beats are converted to seconds within a microsecond`() {
    let sequence = TestSequence()
    var expected: [Double] = [0]
    for beat in 0..<10_000 {
      let bpm = 60 + Double(beat * 7919 % 12_000) / 100
      MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, Double(beat), bpm)
      expected.append(expected[beat] + 60 / bpm)
    }
    for beat in stride(from: 0, through: 10_000, by: 97) {
      #expect(abs(sequence.seconds(Double(beat)) - expected[beat]) < 1e-7)
      #expect(abs(sequence.beats(expected[beat]) - Double(beat)) < 1e-7)
    }
  }

  @Test func `seconds and samples need a tempo track without tempos, and beats do not`() {
    let sequence = TestSequence()
    #expect(MusicSequenceSetSequenceType(sequence.handle, .seconds) == noErr)
    #expect(sequence.seconds(3) == 3)
    #expect(MusicSequenceSetSequenceType(sequence.handle, .samples) == noErr)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 0, 44_100)
    #expect(sequence.seconds(44_100) == 1)
    #expect(MusicSequenceSetSequenceType(sequence.handle, .seconds) == -10846)
    #expect(MusicSequenceSetSequenceType(sequence.handle, .beats) == noErr)
  }

  @Test func `SMPTE divisions are packed as in files`() {
    #expect(MusicSequenceSetSMPTEResolution(25, 96) == -6304)
    #expect(MusicSequenceSetSMPTEResolution(127, 127) == -32385)
    #expect(MusicSequenceSetSMPTEResolution(-25, 40) == -6360)
    #expect(MusicSequenceSetSMPTEResolution(30, 80) == -7600)
    var (fps, ticks) = (Int8(0), UInt8(0))
    for (bits, rate, count) in [(-6304, -25, 96), (0x7FFF, 127, 127), (-25 * 256 + 160, -25, 32)] {
      MusicSequenceGetSMPTEResolution(Int16(bits), &fps, &ticks)
      #expect(fps == rate && ticks == count)
    }
  }

  @Test func `bars and beats follow the time signatures of the tempo track`() {
    let sequence = TestSequence()
    func label(_ beats: MusicTimeStamp) -> [Int] {
      var time = CABarBeatTime()
      let status = MusicSequenceBeatsToBarBeatTime(sequence.handle, beats, 480, &time)
      var back = Double.nan
      MusicSequenceBarBeatTimeToBeats(sequence.handle, &time, &back)
      return status == noErr && abs(back - beats) < 1e-9
        ? [Int(time.bar), Int(time.beat), Int(time.subbeat)] : []
    }
    #expect(label(0) == [1, 1, 0])
    #expect(label(1) == [1, 2, 0])
    #expect(label(4) == [2, 1, 0])
    #expect(label(4.5) == [2, 1, 240])
    #expect(label(-1) == [0, 4, 0])
    addMeta(sequence.tempoTrack, 0x58, [6, 3, 24, 8], at: 8)
    #expect(label(8.5) == [3, 2, 0])
    #expect(label(11) == [4, 1, 0])
    var time = CABarBeatTime()
    #expect(MusicSequenceBeatsToBarBeatTime(sequence.handle, 0, 0, &time) == -50)
  }

  @Test func `reversing mirrors notes and keeps the tempo of each passage`() {
    let sequence = TestSequence(tracks: 1)
    addNote(sequence.tracks[0], 60, at: 0, duration: 1)
    addNote(sequence.tracks[0], 62, at: 2, duration: 2)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 0, 60)
    MusicTrackNewExtendedTempoEvent(sequence.tempoTrack, 1, 240)
    let seconds = sequence.seconds(4)
    #expect(MusicSequenceReverse(sequence.handle) == noErr)
    #expect(
      events(sequence.tracks[0]).map { [$0.time, Double($0.note.note)] } == [[0, 62], [3, 60]])
    #expect(events(sequence.tempoTrack).map { [$0.time, $0.bpm] } == [[0, 240], [3, 60]])
    #expect(sequence.seconds(4) == seconds)
  }

  @Test func `a sequence of a player cannot be disposed of`() {
    var (sequence, player): (MusicSequence?, MusicPlayer?) = (nil, nil)
    NewMusicSequence(&sequence)
    NewMusicPlayer(&player)
    #expect(MusicPlayerSetSequence(player, sequence) == noErr)
    #expect(DisposeMusicSequence(sequence) == -10863)
    #expect(MusicPlayerSetSequence(player, nil) == noErr)
    #expect(DisposeMusicSequence(sequence) == noErr)
    #expect(DisposeMusicPlayer(player) == noErr)
  }
}
