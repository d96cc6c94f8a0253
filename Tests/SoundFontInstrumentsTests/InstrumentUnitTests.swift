// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import Testing

@Suite(.bothEngines) struct InstrumentUnitTests {
  private static let channel = Channel(index: 0)
  private static let note = Message.noteOn(channel, Key(69), velocity: 127)
  private static let release = Message.noteOff(channel, Key(69))

  /// All frames within four quanta: with FluidSynth, a note starts at the nearest quantum; with
  /// Downbeat's voices, at the exact frame.
  ///
  /// Its first frame is zero.
  @Test func `a note starts at most 32 frames from its time, or at its time`() throws {
    for frame in stride(from: Int64(640), through: 896, by: 16) {
      let rig = try InstrumentRig()
      rig.send([(frame, Self.note)])
      let samples = try rig.render(upTo: 1280)
      let onset = try #require(samples.onset(above: 0))
      switch BothEngines.engine {
      case .fluidSynth:
        #expect(abs(Int64(onset) - 1 - frame) <= 32, "sent at \(frame), starts at \(onset)")
        #expect(onset % 64 == 1)
      case .downbeat: #expect(Int64(onset) - 1 == frame)
      }
    }
  }

  @Test func `a note has its pitch and ends at its release`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, Self.note), (48_000, Self.release)])
    let sounding = try rig.render(upTo: 48_000)
    #expect(rig.instrument.activeVoiceCount == 1)
    #expect(abs(sounding.risingZeroCrossings - 441) <= 1)
    #expect(sounding.peak > 0.02)
    let after = try rig.render(upTo: 60_000)
    #expect(rig.instrument.activeVoiceCount == 0)
    #expect(after[6000...].allSatisfy { abs($0) < 1e-6 })
    #expect(rig.instrument.isSilent)
    #expect(rig.instrument.lateEventCount == 0)
  }

  @Test func `a program change, a drum channel and a bend take effect`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, .program(Self.channel, 1)), (0, Self.note)])
    #expect(abs(try rig.render(upTo: 48_000).risingZeroCrossings - 882) <= 2)
    rig.send([(48_000, .bend(Self.channel, 16_383))])
    let bent = try rig.render(upTo: 96_000).risingZeroCrossings
    #expect(abs(bent - 990) <= 2)
    let drums = try InstrumentRig()
    drums.send([(0, .noteOn(Channel(index: 9), Key(69), velocity: 127))])
    #expect(abs(try drums.render(upTo: 48_000).risingZeroCrossings - 441) <= 1)
  }

  @Test func `each channel has a separate bus`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, .noteOn(Channel(index: 5), Key(69), velocity: 127))])
    _ = try rig.render(upTo: 4800)
    #expect(rig.mixer.level(of: 5).left.peak > 0.02)
    for channel in 0..<16 where channel != 5 {
      #expect(rig.mixer.level(of: channel).left.maximum == 0)
    }
  }

  @Test func `reverb and chorus return on separate buses and die away`() throws {
    let rig = try InstrumentRig(effects: true)
    #expect(rig.instrument.outputChannelCounts.count == 18)
    rig.send([(0, .control(Self.channel, Controller(91), value: 127)), (0, Self.note)])
    rig.send([(0, .control(Self.channel, Controller(93), value: 127)), (4800, Self.release)])
    _ = try rig.render(upTo: 9600)
    #expect(rig.mixer.level(of: 16).left.maximum > 1e-3)
    #expect(rig.mixer.level(of: 17).left.maximum > 1e-4)
    #expect(rig.instrument.activeVoiceCount == 0)
    #expect(!rig.instrument.isSilent)
    var seconds = 0
    while !rig.instrument.isSilent, seconds < 30 {
      seconds += 1
      _ = try rig.render(upTo: rig.renderer.position.frames + 48_000)
    }
    #expect((1..<20).contains(seconds))
  }

  @Test func `a cancelled event is not played, an earlier one is`() throws {
    let rig = try InstrumentRig()
    rig.send([(640, Self.note), (6400, Self.release), (12_800, Self.note)])
    rig.instrument.cancel(from: rig.rate.timeRoundedUp(of: SampleTime(frames: 6400)))
    rig.send([(9600, Self.release)])
    let samples = try rig.render(upTo: 19_200)
    #expect(samples.onset(above: 0) == 641)
    #expect(samples[6500..<9600].contains { abs($0) > 0.01 })
    #expect(samples[11_000...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func `repeated cancelling blocks nothing`() throws {
    let rig = try InstrumentRig()
    for round in 0..<500 {
      rig.instrument.cancel(from: .zero)
      if round % 100 == 0 { _ = try rig.render(upTo: rig.renderer.position.frames + 64) }
    }
    _ = try rig.render(upTo: rig.renderer.position.frames + 640)
    #expect(rig.send([(rig.renderer.position.frames, Self.note)]) == 1)
    #expect(try rig.render(upTo: rig.renderer.position.frames + 640).peak > 0.01)
  }

  @Test func `silence ends everything in the next quantum`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, Self.note), (640, .noteOn(Self.channel, Key(60), velocity: 127))])
    _ = try rig.render(upTo: 1280)
    rig.send([(5000, Self.note)])
    rig.instrument.silence()
    let samples = try rig.render(upTo: 9600)
    #expect(samples[64...].allSatisfy { abs($0) < 1e-6 })
    #expect(rig.instrument.isSilent)
  }

  @Test func `a full ring accepts what fits and the rest later`() throws {
    let rig = try InstrumentRig()
    let many = (0..<10_000).map { _ in
      (frame: Int64(0), message: Message.control(Self.channel, Controller(7), value: 100))
    }
    #expect(rig.send(many) == 8192)
    _ = try rig.render(upTo: 64 * 17)
    #expect(rig.send(Array(many[8192...])) == 10_000 - 8192)
  }

  @Test func `a system exclusive message reaches the synth`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, .program(Self.channel, 1))])
    // GM System On resets the program.
    rig.send(sysEx: [0x7E, 0x7F, 0x09, 0x01], frame: 640)
    rig.send([(1280, Self.note)])
    #expect(abs(try rig.render(upTo: 49_280).risingZeroCrossings - 441) <= 2)
  }

  @Test func `preparing a song does not change its sound`() throws {
    let plain = try InstrumentRig()
    let prepared = try InstrumentRig()
    let events = [
      TimedEvent(time: .zero, payload: .message(.program(Self.channel, 1))),
      TimedEvent(time: .zero, payload: .message(Self.note)),
      TimedEvent(time: .zero, payload: .sysEx(PayloadRange(offset: 0, count: 4))),
      TimedEvent(time: .zero, payload: .message(Self.note)),
    ]
    let bytes: [UInt8] = [0x7E, 0x7F, 0x09, 0x01]
    try prepared.instrument.prepare(events.span, payloads: bytes.span)
    for rig in [plain, prepared] { rig.send([(0, .program(Self.channel, 1)), (0, Self.note)]) }
    #expect(try plain.render(upTo: 9600) == prepared.render(upTo: 9600))
  }

  @Test func `two new renderings are equal`() throws {
    let renders = try (0..<2).map { _ in
      let rig = try InstrumentRig(effects: true)
      rig.send([(0, Self.note), (3000, .noteOn(Self.channel, Key(64), velocity: 90))])
      return try rig.render(upTo: 24_000)
    }
    #expect(renders[0] == renders[1])
    #expect(renders[0].peak > 0.02)
  }
}
