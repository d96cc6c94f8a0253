// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import MIDIMessages
import MusicSequences
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Ports that play together with a graph: they have the same latency, and the song starts at the
/// same time as without ports.
@Suite struct LatePortTests {
  /// Stores the time of the first note-on.
  private final class Ear<Time: Instant>: EventSink, Sendable {
    let first = Mutex<Time?>(nil)

    func send(_ events: Span<StampedEvent<Time>>, payloads: Span<UInt8>) -> Int {
      for index in events.indices {
        guard case .message(let message) = events[index].payload, message.status == 0x90 else {
          continue
        }
        first.withLock { first in if first == nil { first = events[index].time } }
      }
      return events.count
    }

    func cancel(from time: Time) {}
  }

  /// A silent instrument that stores this time, too.
  private final class Silence: PlayableUnit, @unchecked Sendable {
    // Unchecked: only one thread sends events.
    let ear = Ear<ReferenceTime>()
    private let unit: KernelUnit

    private struct Kernel: SoundKernel {
      func render(_ block: SoundBlock) {
        for channel in 0..<2 {
          var output = block.output(channel)
          for frame in 0..<block.frameCount { output[frame] = 0 }
        }
      }
    }

    init(rate: SampleRate = .hertz48000) {
      unit = KernelUnit(Kernel(), name: "silence", rate: rate)
    }

    var name: String { unit.name }
    var inputChannelCounts: [Int] { [] }
    var outputChannelCounts: [Int] { [2] }
    var rate: SampleRate? { unit.rate }
    var step: RenderStep { unit.step }
    var isSilent: Bool { unit.isSilent }

    func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
      ear.send(events, payloads: payloads)
    }

    func cancel(from time: ReferenceTime) {}
  }

  /// An output of a server that also has ports, which are timed in frames of the output.
  private final class ServerOutput: OutputUnit {
    let ear = Ear<ReferenceTime>()
    private let output = NullOutputUnit(
      format: AudioFormat(rate: .hertz48000, channelCount: 2), periodFrames: 256)

    var format: AudioFormat { output.format }
    var periodFrames: Int { output.periodFrames }
    var latency: Int { output.latency }
    var position: SampleTime { output.position }
    var clock: SampleClock? { output.clock }
    var fault: (any Error)? { output.fault }

    func inLine(_ sink: any EventSink<HostTime>) -> (any EventSink<ReferenceTime>)? { ear }
    func start(_ plan: RenderPlan, at frame: SampleTime) throws {
      try output.start(plan, at: frame)
    }
    func stop(draining: Bool) { output.stop(draining: draining) }
  }

  /// A song with one note at its start.
  private func song() throws -> MusicSequence {
    var track = MusicTrack()
    try track.insert(.note(Note(1, 60, velocity: 100, duration: 240)), at: 0)
    var song = MusicSequence()
    song.tracks = [track]
    return song
  }

  @Test func `a port of an output is delayed by the latency of the graph`() throws {
    let silence = Silence()
    let session = try Session(
      try song(), settings: SessionSettings(rate: .hertz48000), instruments: [silence])
    // The graph ends with a limiter of 64 frames, which follows this one.
    try session.addEffect(LimiterUnit(name: "second", rate: .hertz48000))
    let output = ServerOutput()
    let port = PlaybackPort(name: "port", sink: Ear<HostTime>())
    let playback = try session.play(on: output, ports: [port])
    try playback.waitUntilFinished()
    let own = try #require(silence.ear.first.withLock { $0 })
    let heard = try #require(output.ear.first.withLock { $0 })
    let rate = SampleRate.hertz48000
    #expect(rate.frame(at: heard).frames - rate.frame(at: own).frames == 128)
  }

  /// The position of the output and the start of the song are both rounded.
  ///
  /// Together, the errors exceeded one nanosecond, and a note that was due just before a frame was
  /// played in it.
  @Test(arguments: [SampleRate.hertz44100, .hertz48000], [64, 192, 1_024])
  func `a song with ports starts at a quantum, as without ports`(
    rate: SampleRate, period: Int
  ) throws {
    let silence = Silence(rate: rate)
    let session = try Session(
      try song(), settings: SessionSettings(rate: rate), instruments: [silence])
    let output = NullOutputUnit(
      format: AudioFormat(rate: rate, channelCount: 2), periodFrames: period)
    let port = PlaybackPort(name: "port", sink: Ear<HostTime>())
    let playback = try session.play(on: output, ports: [port])
    try playback.waitUntilFinished()
    let begin = try #require(silence.ear.first.withLock { $0 })
    let frame = rate.frame(at: begin)
    #expect(frame.frames % Int64(AudioFormat.quantum) == 0)
    #expect(begin == rate.timeRoundedUp(of: frame))
  }
}
