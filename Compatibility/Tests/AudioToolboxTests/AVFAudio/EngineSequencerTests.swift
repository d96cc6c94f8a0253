import AudioToolbox
import Foundation
import MIDIMessages
import MusicalTime
import Synchronization
import Testing

// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio

/// Sequencers that play the instruments of an engine.
@Suite struct EngineSequencerTests {
  /// Notes which messages arrive, in frames of the engine.
  private final class MessageLog: EventSink, Sendable {
    let messages = Mutex<[(bytes: [UInt8], time: ReferenceTime)]>([])

    func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
      for index in events.indices {
        guard case .message(let message) = events[index].payload else { continue }
        messages.withLock { $0.append(([message.status, message.data1], events[index].time)) }
      }
      return events.count
    }

    func cancel(from time: ReferenceTime) {}
  }

  private final class LoggingNode: AVAudioNode, @unchecked Sendable {
    let log = MessageLog()

    override var eventSink: (any EventSink<ReferenceTime> & Sendable)? { log }
  }

  private func sequencer(_ engine: AVAudioEngine) -> AVAudioSequencer {
    let sequencer = AVAudioSequencer(audioEngine: engine)
    let track = sequencer.createAndAppendTrack()
    for (key, beat) in [(60, 0.0), (64, 0.25)] {
      track.addEvent(
        AVMIDINoteEvent(channel: 1, key: UInt32(key), velocity: 80, duration: 0.1), at: beat)
    }
    return sequencer
  }

  private func notes(_ log: MessageLog) -> [(bytes: [UInt8], time: ReferenceTime)] {
    log.messages.withLock { $0.filter { [0x81, 0x91].contains($0.bytes[0]) } }
  }

  @Test func `Tracks play the first instrument of the engine`() async throws {
    let engine = EngineScene.engine()
    let nodes = [LoggingNode(), LoggingNode()]
    for node in nodes { engine.attach(node) }
    let sequencer = sequencer(engine)
    try engine.start()
    try sequencer.start()
    #expect(await PlayedFiles.wait { notes(nodes[0].log).count >= 4 })
    sequencer.stop()
    engine.stop()
    let played = notes(nodes[0].log).prefix(4)
    #expect(played.map(\.bytes) == [[0x91, 60], [0x81, 60], [0x91, 64], [0x81, 64]])
    let times = played.map(\.time)
    #expect(times == times.sorted() && times[0] > .zero)
    #expect(notes(nodes[1].log).isEmpty)
  }

  @Test func `A sequencer advances with the frames that a program renders`() throws {
    let engine = try EngineScene.manualEngine()
    let node = LoggingNode()
    engine.attach(node)
    _ = engine.mainMixerNode
    let sequencer = sequencer(engine)
    try engine.start()
    try sequencer.start()
    #expect(sequencer.currentPositionInSeconds == 0)
    _ = try EngineScene.render(engine, 48_000)
    // 120 BPM: the second note is at beat 0.25, an eighth of a second.
    #expect(abs(sequencer.currentPositionInSeconds - 1) < 0.002)
    let played = notes(node.log)
    #expect(played.map(\.bytes) == [[0x91, 60], [0x81, 60], [0x91, 64], [0x81, 64]])
    #expect(
      played.map { ($0.time.nanoseconds * 48 + 500_000) / 1_000_000 } == [0, 2400, 6000, 8400])
    sequencer.stop()
    engine.stop()
  }

  @Test func `A sequencer plays in time after the engine was started again`() throws {
    let engine = try EngineScene.manualEngine()
    let node = LoggingNode()
    engine.attach(node)
    _ = engine.mainMixerNode
    try engine.start()
    _ = try EngineScene.render(engine, 96_000)
    engine.stop()
    try engine.start()
    let sequencer = sequencer(engine)
    try sequencer.start()
    _ = try EngineScene.render(engine, 12_800)
    let all = node.log.messages.withLock { $0.map(\.time) }
    #expect(!all.isEmpty && all.allSatisfy { $0 < ReferenceTime(nanoseconds: 300_000_000) })
    #expect(notes(node.log).first?.time == .zero)
    sequencer.stop()
    engine.stop()
  }

  @Test func `A track without an instrument keeps its endpoint`() throws {
    let track = sequencer(try EngineScene.manualEngine()).createAndAppendTrack()
    var (client, endpoint) = (MIDIClientRef(), MIDIEndpointRef())
    MIDIClientCreate("tracks" as CFString, nil, nil, &client)
    defer { MIDIClientDispose(client) }
    MIDIDestinationCreateWithBlock(client, "tracks" as CFString, &endpoint) { _, _ in }
    try #require(endpoint != 0)
    track.destinationMIDIEndpoint = endpoint
    track.destinationAudioUnit = nil
    #expect(track.destinationMIDIEndpoint == endpoint)
    let sampler = AVAudioUnitSampler()
    track.destinationAudioUnit = sampler
    #expect(track.destinationMIDIEndpoint == 0 && track.destinationAudioUnit === sampler)
  }

  @Test func `Tracks play the instruments that are their destinations`() throws {
    let engine = try EngineScene.manualEngine()
    let samplers = [AVAudioUnitSampler(), AVAudioUnitSampler()]
    for sampler in samplers {
      engine.attach(sampler)
      engine.connect(sampler, to: engine.mainMixerNode, format: nil)
      try sampler.loadSoundBankInstrument(
        at: URL(fileURLWithPath: SongGraph.font), program: 0, bankMSB: 0x79, bankLSB: 0)
    }
    let sequencer = sequencer(engine)
    let track = try #require(sequencer.tracks.first)
    #expect(track.destinationAudioUnit == nil)
    track.destinationAudioUnit = samplers[1]
    #expect(track.destinationAudioUnit === samplers[1])
    samplers[1].overallGain = -90
    try engine.start()
    try sequencer.start()
    func peak() throws -> Float { try EngineScene.render(engine, 4096).map(abs).max() ?? 0 }
    #expect(try peak() < 0.001)
    sequencer.stop()
    sequencer.currentPositionInBeats = 0
    track.destinationAudioUnit = nil
    try sequencer.start()
    #expect(try peak() > 0.001)
    sequencer.stop()
    engine.stop()
  }

  @Test func `A sequencer whose engine does not run plays without sound`() async throws {
    let engine = EngineScene.engine()
    let node = LoggingNode()
    engine.attach(node)
    let sequencer = sequencer(engine)
    try sequencer.start()
    #expect(sequencer.isPlaying)
    #expect(await PlayedFiles.wait { sequencer.currentPositionInBeats > 0.5 })
    sequencer.stop()
    #expect(notes(node.log).isEmpty)
  }
}
