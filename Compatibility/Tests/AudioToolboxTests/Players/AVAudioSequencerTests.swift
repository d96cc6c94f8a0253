// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox
import CoreMIDI
import Foundation
import Synchronization
import TestSupport
import Testing

/// Sequencers and tracks, as programs for Apple's systems use them.
@Suite struct AVAudioSequencerTests {
  /// A destination of this process that keeps its note-ons.
  final class Destination: Sendable {
    let keys = Mutex<[UInt8]>([])
    private let client: MIDIClientRef
    let endpoint: MIDIEndpointRef

    init() {
      var (client, endpoint) = (MIDIClientRef(0), MIDIEndpointRef(0))
      MIDIClientCreateWithBlock("sequencer test" as CFString, &client) { _ in }
      let store = Store()
      MIDIDestinationCreateWithBlock(client, "keys" as CFString, &endpoint) { list, _ in
        for packet in list.unsafeSequence() {
          // The tracks of these tests contain notes only: three bytes each.
          let bytes = Array(packet.bytes())
          for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            guard bytes[start] & 0xF0 == 0x90, bytes[start + 2] > 0 else { continue }
            store.destination?.keys.withLock { $0.append(bytes[start + 1]) }
          }
        }
      }
      (self.client, self.endpoint) = (client, endpoint)
      store.destination = self
    }

    private final class Store: @unchecked Sendable {
      weak var destination: Destination?
    }

    deinit { MIDIClientDispose(client) }
  }

  /// The events of a track as texts.
  private static func events(_ track: AVMusicTrack, _ range: AVBeatRange? = nil) -> [String] {
    var result: [String] = []
    track.enumerateEvents(in: range ?? AVMakeBeatRange(0, 1e9)) { event, beat, _ in
      result.append("\(beat): \(text(event))")
    }
    return result
  }

  private static func text(_ event: AVMusicEvent) -> String {
    switch event {
    case let event as AVMIDINoteEvent:
      "note \(event.channel) \(event.key) \(event.velocity) \(event.duration)"
    case let event as AVMIDIControlChangeEvent:
      "control \(event.channel) \(event.messageType.rawValue) \(event.value)"
    case let event as AVMIDIPolyPressureEvent: "key \(event.key) \(event.pressure)"
    case let event as AVMIDIProgramChangeEvent: "program \(event.channel) \(event.programNumber)"
    case let event as AVMIDIChannelPressureEvent: "pressure \(event.pressure)"
    case let event as AVMIDIPitchBendEvent: "bend \(event.value)"
    case let event as AVExtendedTempoEvent: "tempo \(event.tempo)"
    case let event as AVMIDISysexEvent: "sysex \(event.sizeInBytes)"
    case let event as AVMIDIMetaEvent: "meta \(event.type.rawValue)"
    case let event as AVMusicUserEvent: "user \(event.sizeInBytes)"
    default: "other"
    }
  }

  @Test func `Events of all kinds are added and read back`() {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    let events: [AVMusicEvent] = [
      AVMIDINoteEvent(channel: 3, key: 60, velocity: 100, duration: 0.5),
      AVMIDIControlChangeEvent(channel: 15, messageType: .sustain, value: 127),
      AVMIDIPolyPressureEvent(channel: 0, key: 61, pressure: 5),
      AVMIDIProgramChangeEvent(channel: 9, programNumber: 12),
      AVMIDIChannelPressureEvent(channel: 1, pressure: 99),
      AVMIDIPitchBendEvent(channel: 1, value: 8193),
      AVMIDISysexEvent(data: Data([0xF0, 0x7D, 1, 0xF7])),
      AVMIDIMetaEvent(type: .marker, data: Data("chorus".utf8)),
      AVMusicUserEvent(data: Data([1, 2, 3])),
    ]
    for (beat, event) in events.enumerated() { track.addEvent(event, at: Double(beat)) }
    #expect(
      Self.events(track) == [
        "0.0: note 3 60 100 0.5", "1.0: control 15 64 127", "2.0: key 61 5",
        "3.0: program 9 12", "4.0: pressure 99", "5.0: bend 8193", "6.0: sysex 4",
        "7.0: meta 6", "8.0: user 3",
      ])
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90), at: 0)
    #expect(Self.events(sequencer.tempoTrack) == ["0.0: tempo 90.0"])
    #expect(sequencer.seconds(forBeats: 3) == 2 && sequencer.beats(forSeconds: 2) == 3)
  }

  @Test func `Events that are out of range are not added`() {
    let track = AVAudioSequencer().createAndAppendTrack()
    track.addEvent(AVMIDINoteEvent(channel: 99, key: 60, velocity: 1, duration: 1), at: 0)
    track.addEvent(AVMIDINoteEvent(channel: 0, key: .max, velocity: 1, duration: 1), at: 0)
    track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: .nan), at: 0)
    track.addEvent(AVMIDIProgramChangeEvent(channel: .max, programNumber: 0), at: 0)
    track.addEvent(AVMIDIPitchBendEvent(channel: 0, value: 1), at: -1)
    track.addEvent(AVMIDIPitchBendEvent(channel: 0, value: 1), at: .nan)
    #expect(Self.events(track).isEmpty)
    track.addEvent(AVMIDIPitchBendEvent(channel: 0, value: .max), at: 0)
    #expect(Self.events(track) == ["0.0: bend 16383"])
  }

  private static func scale(_ sequencer: AVAudioSequencer) -> AVMusicTrack {
    let track = sequencer.createAndAppendTrack()
    for beat in 0..<4 {
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: UInt32(60 + beat), velocity: 80, duration: 0.25),
        at: Double(beat))
    }
    return track
  }

  @Test func `Enumeration moves and removes events`() {
    let track = Self.scale(AVAudioSequencer())
    var visits = 0
    track.enumerateEvents(in: AVMakeBeatRange(1, 3)) { event, beat, remove in
      visits += 1
      let key = (event as? AVMIDINoteEvent)?.key
      if key == 61 { remove = true }
      if key == 62 { beat = 2.5 }
    }
    #expect(visits == 3)
    #expect(
      Self.events(track) == [
        "0.0: note 0 60 80 0.25", "2.5: note 0 62 80 0.25", "3.0: note 0 63 80 0.25",
      ])
  }

  @Test func `Enumeration moves events with all of their values, and none is lost`() throws {
    let sequencer = AVAudioSequencer()
    let song = SongBytes.file([
      (0, [0x90, 60, 100]), (0, [0x90, 62, 100]), (0, [0x90, 64, 100]), (480, [0x80, 60, 31]),
      (0, [0x80, 62, 32]), (0, [0x80, 64, 33]),
    ])
    try sequencer.load(from: Data(song))
    let track = try #require(sequencer.tracks.first)
    track.enumerateEvents(in: AVMakeBeatRange(0, 4)) { event, beat, remove in
      switch (event as? AVMIDINoteEvent)?.key {
      case 60: remove = true
      case 62: beat = 2
      case 64: beat = -1
      default: break
      }
    }
    #expect(Self.events(track) == ["0.0: note 0 64 100 1.0", "2.0: note 0 62 100 1.0"])
    let bytes = [UInt8](sequencer.data(withSMPTEResolution: 480, error: nil))
    // The velocities of release are those of the file.
    #expect(bytes.indices.contains { bytes[$0...].starts(with: [62, 32]) })
    #expect(bytes.indices.contains { bytes[$0...].starts(with: [64, 33]) })
  }

  @Test func `A number that a message cannot have does not become another one`() {
    let track = AVAudioSequencer().createAndAppendTrack()
    for number in [-1, 128, 200, Int.max] {
      track.addEvent(
        AVMIDIControlChangeEvent(channel: 0, messageType: .init(rawValue: number), value: 1), at: 0)
      track.addEvent(AVMIDIMetaEvent(type: .init(rawValue: number), data: Data([1])), at: 0)
    }
    track.addEvent(AVMIDIProgramChangeEvent(channel: 0, programNumber: 128), at: 0)
    track.addEvent(AVMIDIPolyPressureEvent(channel: 0, key: 128, pressure: 0), at: 0)
    #expect(Self.events(track).isEmpty)
    track.lengthInSeconds = 2
    track.lengthInSeconds = .nan
    #expect(track.lengthInSeconds == 2)
  }

  @Test func `Ranges are moved, cleared, cut, copied and merged`() {
    let sequencer = AVAudioSequencer()
    let (one, other) = (Self.scale(sequencer), Self.scale(sequencer))
    one.moveEvents(in: AVMakeBeatRange(3, 1), by: 5)
    one.clearEvents(in: AVMakeBeatRange(0, 1))
    #expect(
      Self.events(one) == [
        "1.0: note 0 61 80 0.25", "2.0: note 0 62 80 0.25", "8.0: note 0 63 80 0.25",
      ])
    one.cutEvents(in: AVMakeBeatRange(1, 1))
    #expect(Self.events(one) == ["1.0: note 0 62 80 0.25", "7.0: note 0 63 80 0.25"])
    one.copyEvents(in: AVMakeBeatRange(0, 1), from: other, insertAt: 2)
    #expect(
      Self.events(one) == [
        "1.0: note 0 62 80 0.25", "2.0: note 0 60 80 0.25", "8.0: note 0 63 80 0.25",
      ])
    one.copyAndMergeEvents(in: AVMakeBeatRange(3, 1), from: other, mergeAt: 1)
    #expect(Self.events(one).count == 4 && Self.events(one, AVMakeBeatRange(1, 0.5)).count == 2)
  }

  @Test func `Tracks are the same objects each time, until they are removed`() {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    let second = sequencer.createAndAppendTrack()
    #expect(sequencer.tracks.count == 2 && sequencer.tracks[0] === track)
    #expect(sequencer.tempoTrack === sequencer.tempoTrack)
    #expect(sequencer.removeTrack(track) && !sequencer.removeTrack(track))
    #expect(sequencer.tracks.count == 1 && sequencer.tracks[0] === second)
    track.addEvent(AVMusicUserEvent(data: Data()), at: 0)
    track.isMuted = true
    #expect(track.lengthInBeats == 0 && !track.isMuted && Self.events(track).isEmpty)
  }

  @Test func `Properties of tracks`() {
    let sequencer = AVAudioSequencer()
    let track = Self.scale(sequencer)
    #expect(track.lengthInBeats >= 3 && track.lengthInSeconds == track.lengthInBeats / 2)
    (track.isMuted, track.isSoloed, track.usesAutomatedParameters) = (true, true, true)
    #expect(track.isMuted && track.isSoloed && track.usesAutomatedParameters)
    track.offsetTime = 1.5
    track.lengthInSeconds = 4
    #expect(track.offsetTime == 1.5 && track.lengthInBeats == 8)
    track.lengthInBeats = -1
    track.offsetTime = .nan
    #expect(track.offsetTime == 1.5 && track.lengthInBeats == 8)
    #expect(track.destinationMIDIEndpoint == 0 && track.timeResolution == 0)
  }

  @Test func `Loops repeat a range, and the length returns afterwards`() {
    let track = Self.scale(AVAudioSequencer())
    track.lengthInBeats = 4
    #expect(track.loopRange == AVMakeBeatRange(0, 4) && track.numberOfLoops == -1)
    track.isLoopingEnabled = true
    track.loopRange = AVMakeBeatRange(1, 2)
    track.loopRange = AVMakeBeatRange(0, 0)
    track.loopRange = AVMakeBeatRange(.nan, 1)
    #expect(track.loopRange == AVMakeBeatRange(1, 2) && track.lengthInBeats == 4)
    track.numberOfLoops = 0
    #expect(track.numberOfLoops == AVMusicTrackLoopCount.forever.rawValue)
    track.isLoopingEnabled = false
    #expect(track.lengthInBeats == 4 && track.loopRange == AVMakeBeatRange(1, 2))
  }

  @Test func `A loop plays its number of passes, at an endpoint`() async throws {
    let destination = Destination()
    let sequencer = AVAudioSequencer()
    let track = Self.scale(sequencer)
    track.destinationMIDIEndpoint = destination.endpoint
    #expect(track.destinationMIDIEndpoint == destination.endpoint)
    track.loopRange = AVMakeBeatRange(1, 1)
    track.numberOfLoops = 3
    track.isLoopingEnabled = true
    sequencer.rate = 8
    #expect(sequencer.rate == 8)
    sequencer.prepareToPlay()
    try sequencer.start()
    #expect(sequencer.isPlaying)
    #expect(await PlayedFiles.wait { sequencer.currentPositionInBeats > 8 })
    var error: NSError?
    let time = sequencer.hostTime(forBeats: 2, error: &error)
    #expect(time > 0 && error == nil)
    #expect(abs(sequencer.beats(forHostTime: time, error: &error) - 2) < 0.001 && error == nil)
    sequencer.stop()
    #expect(!sequencer.isPlaying)
    #expect(destination.keys.withLock { $0 } == [60, 61, 61, 61])
    #expect(sequencer.hostTime(forBeats: 2, error: &error) == 0 && error?.code == -10852)
    sequencer.currentPositionInSeconds = 1
    #expect(sequencer.currentPositionInBeats == 2 && sequencer.currentPositionInSeconds == 1)
  }

  @Test func `A long note does not lengthen a loop, and later events are not played`() async throws
  {
    let destination = Destination()
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    track.destinationMIDIEndpoint = destination.endpoint
    for (beat, key, duration) in [(0.0, 60, 8.0), (0.5, 61, 0.1), (3, 62, 1)] {
      track.addEvent(
        AVMIDINoteEvent(channel: 0, key: UInt32(key), velocity: 80, duration: duration), at: beat)
    }
    track.loopRange = AVMakeBeatRange(0, 1)
    track.numberOfLoops = 2
    track.isLoopingEnabled = true
    sequencer.rate = 8
    try sequencer.start()
    #expect(await PlayedFiles.wait { sequencer.currentPositionInBeats > 6 })
    sequencer.stop()
    #expect(destination.keys.withLock { $0 } == [60, 61, 60, 61])
    track.isLoopingEnabled = false
    #expect(track.lengthInBeats == 8)
  }

  @Test func `User events call the block, with their track, bytes and beat`() async throws {
    let destination = Destination()
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    track.destinationMIDIEndpoint = destination.endpoint
    for beat in 1...3 {
      track.addEvent(AVMusicUserEvent(data: Data([UInt8(beat)])), at: Double(beat))
    }
    let calls = Mutex<[String]>([])
    sequencer.setUserCallback { called, data, beat in
      calls.withLock { $0.append("\(called === track) \(Array(data)) \(beat)") }
    }
    sequencer.rate = 8
    try sequencer.start()
    #expect(await PlayedFiles.wait { calls.withLock { $0.count } == 3 })
    sequencer.stop()
    #expect(calls.withLock { $0 } == ["true [1] 1.0", "true [2] 2.0", "true [3] 3.0"])
    sequencer.setUserCallback(nil)
  }

  @Test func `Files are written, loaded and refused`() throws {
    let folder = try ScratchFolder()
    let url = URL(fileURLWithPath: folder.path("song.mid"))
    let sequencer = AVAudioSequencer()
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 100), at: 0)
    _ = Self.scale(sequencer)
    try sequencer.write(to: url, smpteResolution: 960, replaceExisting: false)
    #expect(throws: NSError.self) {
      try sequencer.write(to: url, smpteResolution: 960, replaceExisting: false)
    }
    try sequencer.write(to: url, smpteResolution: 480, replaceExisting: true)
    var error: NSError?
    let data = sequencer.data(withSMPTEResolution: 480, error: &error)
    #expect(try data == Data(contentsOf: url) && error == nil)
    let other = AVAudioSequencer()
    try other.load(from: url)
    #expect(other.tracks.count == 1 && Self.events(other.tracks[0]).count == 4)
    try other.load(from: data, options: .smf_PreserveTracks)
    #expect(other.tracks.count == 2)
    #expect(other.userInfo[AVAudioSequencer.InfoDictionaryKey.tempo.rawValue] as? Double == 100)
    other.reverseEvents()
    let missing = #expect(throws: NSError.self) {
      try other.load(from: URL(fileURLWithPath: "/no/such/file.mid"))
    }
    #expect(missing?.code == -43)
    #expect(throws: NSError.self) { try other.load(from: Data([1, 2, 3])) }
    #expect(other.tracks.count == 2)
  }

  @Test func `Random calls from two threads do no harm`() async {
    let sequencer = AVAudioSequencer()
    let destination = Destination()
    for _ in 0..<2 { Self.scale(sequencer).destinationMIDIEndpoint = destination.endpoint }
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...2 {
        group.addTask {
          for index in 0..<100 { Self.call(sequencer, index * 7 + seed * 5 + index / 13) }
        }
      }
    }
    sequencer.stop()
    #expect(!sequencer.isPlaying)
  }

  private static func call(_ sequencer: AVAudioSequencer, _ number: Int) {
    guard let track = sequencer.tracks.last else { return }
    let beat = Double(number % 8)
    switch number % 12 {
    case 0: #expect(throws: Never.self) { try sequencer.start() }
    case 1: sequencer.stop()
    case 2: track.addEvent(AVMIDIPitchBendEvent(channel: 0, value: 3), at: beat)
    case 3: track.isLoopingEnabled = number % 5 < 2
    case 4: track.loopRange = AVMakeBeatRange(beat, 2)
    case 5: _ = events(track).count
    case 6: sequencer.currentPositionInBeats = beat
    case 7: sequencer.rate = Float(number % 9)
    case 8: track.isMuted = number % 2 == 0
    case 9: if number % 7 == 0 { sequencer.removeTrack(sequencer.createAndAppendTrack()) }
    case 10: track.clearEvents(in: AVMakeBeatRange(beat, 1))
    default: _ = track.lengthInSeconds + sequencer.currentPositionInSeconds
    }
  }
}
