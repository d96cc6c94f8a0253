// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// A session on a silent output.
@Suite(.serialized) struct SessionTests {
  private let scratch: ScratchFolder
  private let settings: SessionSettings

  init() throws {
    scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
  }

  private func song() throws -> MusicSequence {
    try SMFReader().read(SongBytes.notes(6, every: 48)).sequences[0]
  }

  private func output() throws -> NullOutputUnit {
    NullOutputUnit(format: AudioFormat(rate: .hertz48000, channelCount: 2))
  }

  @Test func `a session plays to its end and reports it`() async throws {
    let session = try Session(try song(), settings: settings)
    #expect(session.missingPresets.isEmpty)
    #expect(!session.graph.nodes.isEmpty)
    var options = PlaybackOptions()
    options.startsAtOnce = false
    let playback = try session.play(on: try output(), options: options)
    let told = Task { [eventStream = playback.eventStream] in
      var words: [String] = []
      for await event in eventStream {
        switch event.kind {
        case .started(let tick): words.append("started at \(tick.value)")
        case .finished: words.append("finished")
        default: break
        }
      }
      return words
    }
    #expect(!playback.isRunning)
    playback.start()
    try await playback.waitUntilFinished()
    #expect(await told.value == ["started at 0", "finished"])
    #expect(session.refusedNoteCount == 0)
  }

  /// An output whose device never takes a frame.
  private final class StuckOutput: OutputUnit {
    let format = AudioFormat(rate: .hertz48000, channelCount: 2)
    let periodFrames = 256
    let latency = 512
    let position = SampleTime(frames: 0)
    let clock: SampleClock? = nil
    let fault: (any Error)? = nil

    func start(_ plan: RenderPlan, at frame: SampleTime) {}
    func stop(draining: Bool) {}
  }

  @Test func `an output that never starts does not block the end`() throws {
    let session = try Session(try song(), settings: settings)
    let port = PlaybackPort(name: "port", sink: RecordingPort())
    let playback = try session.play(on: StuckOutput(), ports: [port])
    #expect(!playback.isRunning && playback.hostTime(of: 0) == nil)
    #expect(playback.position().tick == 0)
    playback.end(draining: false)
    #expect(playback.failure == nil)
  }

  @Test func `waiting for an output that never starts is an error`() throws {
    let session = try Session(try song(), settings: settings)
    var options = PlaybackOptions()
    options.outputPatience = .milliseconds(50)
    let playback = try session.play(on: StuckOutput(), options: options)
    #expect(throws: PlaybackError.outputNeverBegan(after: .milliseconds(50))) {
      try playback.waitUntilFinished()
    }
    #expect(playback.failure == nil)
  }

  @Test func `a session that is stopped early ends and can be released`() throws {
    let session = try Session(try song(), settings: settings)
    let playback = try session.play(on: try output())
    playback.end(draining: false)
    #expect(playback.failure == nil)
  }

  @Test func `a program that is missing in all soundfonts is named`() throws {
    var sequence = try song()
    try sequence.tracks[0].insert(
      .message(.program(Channel(index: 0), 99)), at: .zero)
    let session = try Session(sequence, settings: settings)
    #expect(session.missingPresets.map(\.program) == [99])
  }
}
