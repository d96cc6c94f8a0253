// SPDX-License-Identifier: Apache-2.0
import ClockService
import ClockTraces
import MIDIMessages
import MusicalTime
import Testing

/// Carriers that deliver clocks in frames or batches: the count must equal the number of arrivals.
///
/// The traces are new in every run; a failure reports the trace.
@Suite struct FollowerCarrierTests {
  private static let clock = Message(status: 0xF8)

  private static func host(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 86_400_000_000_000 + Int64((seconds * 1e9).rounded()))
  }

  private static func started() -> MIDIClockFollower {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: host(0))
    return follower
  }

  /// Frames of 1024 and 2048 samples at 48 and 44.1 kHz, Bluetooth's intervals, and other hosts'.
  static let frames = [
    5, 7.5, 10, 11.25, 15, 20, 1024 / 48.0, 1024 / 44.1, 30, 2048 / 48.0, 2048 / 44.1, 50,
  ]

  @Test(arguments: frames)
  func `frames of nearly a clock neither lose nor add clocks`(frame: Double) {
    for _ in 0..<(FollowerRobustnessTests.isLong ? 50 : 3) {
      // Nearer to a whole frame there are fewer than four odd intervals, which prove nothing.
      let part = Double.random(in: 0.004...0.3)
      let ratio = 1 + (Bool.random() ? part : -min(part, 0.2))
      let seed = UInt64.random(in: 1...1_000_000)
      let trace = ClockTrace(
        .even(tempo: 2500 / (frame * ratio), ppm: 0), over: .frames(frame), seed: seed)
      var follower = Self.started()
      for arrival in trace.arrivals { _ = follower.take(Self.clock, at: Self.host(arrival)) }
      #expect(
        follower.position.count == Int64(trace.count - 1),
        "\(ratio) frames of \(frame) ms a clock, seed \(seed)")
    }
  }

  @Test(arguments: 2...24)
  func `batches do not lose clocks and keep the song moving`(size: Int) {
    let tempo = Double.random(in: 60...200)
    var follower = Self.started()
    var isOutside = false
    let count = size * (1200 / size)
    for index in 0..<count {
      let time = 0.25 + Double((index / size + 1) * size) * 2.5 / tempo
      let events = follower.take(Self.clock, at: Self.host(time))
      isOutside = isOutside || events.contains(.tempoOutOfRange)
    }
    #expect(follower.position.count == Int64(count - 1), "\(tempo) BPM")
    #expect(!isOutside, "\(tempo) BPM")
    #expect(abs((follower.tempo?.beatsPerMinute ?? 0) / tempo - 1) < 0.01, "\(tempo) BPM")
  }

  /// Warnings of a master whose clocks all arrive twice, from a given one on.
  private static func warnings(
    tempo: Double, milliseconds: Double, from first: Int = 0
  ) -> Int {
    var follower = started()
    var warnings = 0
    for index in 0..<960 {
      let time = 0.25 + Double(index) * 2.5 / tempo
      for late in index < first ? [0] : [0, milliseconds * 1e-3] {
        let events = follower.take(clock, at: host(time + late))
        warnings += events.count { $0 == .clocksInPairs }
      }
    }
    return warnings
  }

  @Test(arguments: [50.0, 79, 85, 120, 200], [0.0, 0.05, 0.32, 1, 1.3, 1.6, 1.9, 2, 2.5, 4])
  func `a master that is received twice gets one warning`(tempo: Double, milliseconds: Double) {
    #expect(Self.warnings(tempo: tempo, milliseconds: milliseconds) == 1)
    #expect(Self.warnings(tempo: tempo, milliseconds: milliseconds, from: 240) == 1)
  }

  @Test(arguments: [5.5, 6, 8])
  func `two masters half a clock or less apart get a warning above twice 80 BPM`(
    milliseconds: Double
  ) {
    #expect(Self.warnings(tempo: 85, milliseconds: milliseconds) == 1)
    #expect(Self.warnings(tempo: 60, milliseconds: milliseconds) == 0)
  }

  @Test(arguments: [0.98, 0.99, 1.01, 1.02])
  func `a buffer of nearly two clocks gets no warning`(part: Double) {
    let frame = 2048 / 44.1
    let trace = ClockTrace(
      .even(tempo: 5000 / (frame * part), ppm: 0), over: .frames(frame), seed: 1)
    var follower = Self.started()
    for arrival in trace.arrivals {
      let events = follower.take(Self.clock, at: Self.host(arrival))
      #expect(!events.contains(.clocksInPairs))
    }
  }

  @Test func `240 BPM from one master gets no warning`() {
    let trace = ClockTrace("bpm240_g1.0", seed: 1)
    var follower = Self.started()
    for arrival in trace.arrivals {
      let events = follower.take(Self.clock, at: Self.host(arrival))
      #expect(!events.contains(.clocksInPairs))
    }
  }

  @Test(arguments: [1.05, 1.5, 2])
  func `a slow master starts`(tempo: Double) {
    var wire = ClockWire()
    wire.send(0xFA)
    for _ in 0..<48 {
      wire.wait(milliseconds: Int64(2500 / tempo))
      wire.send(0xF8)
    }
    #expect(wire.follower.transport == .running)
    #expect(wire.follower.position == MIDIClock(count: 47))
    #expect(abs(wire.tempo - tempo) < 0.02 * tempo)
  }
}
