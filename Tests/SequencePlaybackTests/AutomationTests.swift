// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import ClockService
import MIDIMessages
import MusicSequences
import MusicalTime
import SequencePlayback
import TestSupport
import Testing

/// Parameters that tracks move from point to point.
@Suite struct AutomationTests {
  private static let second: Int64 = 1_000_000_000

  /// A sequence with points of one parameter, 480 ticks a quarter, 120 quarters a minute.
  private static func sequence(
    _ points: [(tick: Int64, value: Float)], isRamp: Bool = true, isAutomation: Bool = false
  ) throws -> MusicSequence {
    var track = MusicTrack()
    for (tick, value) in points {
      let event = ParameterEvent(parameter: 0, value: value, isRamp: isRamp)
      try track.insert(.parameter(event), at: Tick(tick))
    }
    track.settings.isAutomation = isAutomation
    var sequence = MusicSequence()
    sequence.tracks = [MusicTrack(), track]
    return sequence
  }

  /// Up in two seconds, held for one, and down in half a second.
  private static let points: [(tick: Int64, value: Float)] = [
    (0, 0), (1920, 1), (2880, 1), (3360, 0.25),
  ]

  /// The interpolated value of the points at a tick.
  private static func value(_ points: [(tick: Int64, value: Float)], at tick: Double) -> Double {
    guard let after = points.firstIndex(where: { Double($0.tick) > tick }) else {
      return Double(points[points.count - 1].value)
    }
    guard after > 0 else { return Double(points[0].value) }
    let (first, last) = (points[after - 1], points[after])
    let part = (tick - Double(first.tick)) / Double(last.tick - first.tick)
    return Double(first.value) + Double(last.value - first.value) * part
  }

  /// The value that a unit would reach at a time with the changes that the sink received.
  private static func heard(by sink: RecordingSink, at time: Int64) -> Double {
    var (from, to, start, end) = (0.0, 0.0, Int64(0), Int64(0))
    func value(at time: Int64) -> Double {
      time >= end ? to : from + (to - from) * Double(time - start) / Double(end - start)
    }
    for event in sink.events where event.time.nanoseconds <= time {
      guard case .parameter(let change) = event.payload else { continue }
      from = value(at: event.time.nanoseconds)
      start = event.time.nanoseconds
      end = start + Int64(change.glide ?? 5_000_000)
      to = Double(change.value)
    }
    return value(at: time)
  }

  /// Steps as the thread does, since a window that is too late would be skipped.
  private func play(_ rig: PlayerRig, from start: Int64 = 0, to end: Int64) throws {
    for time in stride(from: start, through: end, by: 20_000_000) { try rig.step(at: time) }
  }

  private static func changes(_ sink: RecordingSink) -> [String] {
    sink.events.compactMap { event in
      guard case .parameter(let change) = event.payload else { return nil }
      return "\(event.time.nanoseconds) \(change)"
    }
  }

  @Test(arguments: [(true, false), (false, true)])
  func `a track that automates a mixer's gain is rendered as lines between its points`(
    isRamp: Bool, isAutomation: Bool
  ) throws {
    let rate = SampleRate.hertz48000
    let mixer = MixerUnit(stripCount: 1, rate: rate)
    var one: Float = 1
    let heard = try unsafe withUnsafeMutablePointer(to: &one) { one in
      let source = unsafe FunctionUnit(name: "one", outputs: [2], context: one) { _, block in
        let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
        for channel in 0..<2 {
          for frame in 0..<64 { unsafe block.output(0).channel(channel)[frame] = 1 }
        }
      }
      var graph = AudioGraph()
      let head = graph.add(mixer)
      try graph.connect(graph.add(source), to: head)
      try graph.setHead(head)
      let player = try MusicPlayer(
        Self.sequence(Self.points, isRamp: isRamp, isAutomation: isAutomation))
      let scheduler = EventScheduler(
        clock: MusicClock(tempoMap: player.score.tempoMap), sources: [player],
        router: Router(sinks: [mixer.parameters]))
      try scheduler.start(from: .zero, at: .zero)
      var heard: [Float] = []
      let renderer = OfflineRenderer(plan: try graph.compile(), rate: rate)
      try renderer.render(upTo: 192_000) { window in
        try scheduler.step(to: window.upperBound)
        return true
      } take: { samples in
        for index in stride(from: 0, to: samples.count, by: 2) { heard.append(samples[index]) }
      }
      return heard
    }
    #expect(heard.count == 4 * 48_000)
    // In the first 5 ms the unit goes from its own value to that of the first point.
    for frame in 1200..<heard.count {
      let expected = Self.value(Self.points, at: Double(frame) / 50)
      let difference = abs(Double(heard[frame]) - expected)
      #expect(difference < 1e-4, "frame \(frame): \(heard[frame]) for \(expected)")
      if difference >= 1e-4 { return }
    }
  }

  @Test func `without ramps the same points are steps`() throws {
    let rig = try PlayerRig(Self.sequence(Self.points, isRamp: false))
    try play(rig, to: 4 * Self.second)
    #expect(Self.changes(rig.sink).count == 4)
  }

  @Test(arguments: [Int64(1), 3, 7, 50])
  func `windows cut anywhere give the same changes`(step: Int64) throws {
    let whole = try PlayerRig(Self.sequence(Self.points))
    try play(whole, to: 4 * Self.second)
    let cut = try PlayerRig(Self.sequence(Self.points))
    for time in stride(from: Int64(0), through: 4000, by: Int(step)) {
      try cut.step(at: time * 1_000_000)
    }
    #expect(Self.changes(cut.sink) == Self.changes(whole.sink))
    // The points of 1/24 quarter in five quarters, and each event itself.
    #expect(Self.changes(whole.sink).count == 7 * 24 + 4)
    let times = whole.sink.events.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func `a seek into a line goes on along it, back and forth`() throws {
    let rig = try PlayerRig(Self.sequence(Self.points))
    var time: Int64 = 0
    for tick in [Int64(961), 3100, 100, 1900, 2000, 3119, 7] {
      rig.scheduler.look(at: ReferenceTime(nanoseconds: time))
      try rig.scheduler.locate(to: Tick(tick), at: ReferenceTime(nanoseconds: time))
      try play(rig, from: time, to: time + 300_000_000)
      // It waits for the grid and goes over to the line in the step from there, 20.8 ms each.
      for offset in stride(from: Int64(42), to: 300, by: 1) {
        let expected = Self.value(Self.points, at: Double(tick) + Double(offset) * 0.96)
        let heard = Self.heard(by: rig.sink, at: time + offset * 1_000_000)
        #expect(abs(heard - expected) < 0.001, "\(tick), \(offset) ms")
      }
      time += 300_000_000
    }
  }

  @Test func `interrupting and continuing within a line gives the same changes`() throws {
    let whole = try PlayerRig(Self.sequence(Self.points))
    try play(whole, to: 4 * Self.second)
    let rig = try PlayerRig(Self.sequence(Self.points))
    for time in stride(from: Int64(0), through: 4000, by: 10) {
      try rig.step(at: time * 1_000_000)
      if time % 130 == 0 { try rig.scheduler.interrupt { _, _, _ in } }
    }
    #expect(Self.changes(rig.sink) == Self.changes(whole.sink))
  }

  @Test func `a stop holds the parameter, and a restart continues its line`() throws {
    let rig = try PlayerRig(Self.sequence(Self.points))
    try play(rig, to: Self.second)
    rig.scheduler.look(at: ReferenceTime(nanoseconds: Self.second))
    try rig.scheduler.stop(at: ReferenceTime(nanoseconds: Self.second))
    try play(rig, from: Self.second, to: 2 * Self.second)
    let stood = Self.heard(by: rig.sink, at: 2 * Self.second)
    #expect(abs(stood - 0.5) < 0.011)
    try rig.scheduler.start(at: ReferenceTime(nanoseconds: 2 * Self.second))
    try play(rig, from: 2 * Self.second, to: 4 * Self.second)
    #expect(abs(Self.heard(by: rig.sink, at: 5 * Self.second / 2) - 0.75) < 0.005)
  }

  @Test func `a line follows tempo changes, and meets each point`() throws {
    var sequence = try Self.sequence([(0, 0), (1920, 1)])
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 250_000)), at: 500)
    try sequence.insertTempo(try #require(Tempo(microsecondsPerQuarter: 1_000_000)), at: 1203)
    let map = try sequence.tempoMap
    let rig = try PlayerRig(sequence)
    try play(rig, to: 4 * Self.second)
    for tick in Int64(30)...1950 {
      let seconds = map.seconds(at: Tick(tick))
      let time = Int64(Double(seconds.numerator) * 1e9 / Double(seconds.denominator))
      let heard = Self.heard(by: rig.sink, at: time)
      // In the step of the grid in which the tempo changes it is off by less than that step.
      #expect(abs(heard - min(1, Double(tick) / 1920)) < 0.011, "tick \(tick)")
    }
    #expect(Self.heard(by: rig.sink, at: 4 * Self.second) == 1)
  }

  @Test func `the parameters of a muted track keep changing`() throws {
    var sequence = try Self.sequence(Self.points)
    sequence.tracks[1].settings.isMuted = true
    let rig = try PlayerRig(sequence)
    try play(rig, to: Self.second)
    sequence.tracks[1].settings.isMuted = false
    try rig.replace(by: sequence, at: Self.second)
    try play(rig, from: Self.second, to: 4 * Self.second)
    for time in stride(from: Int64(20), to: 3900, by: 10) {
      let expected = Self.value(Self.points, at: Double(time) * 0.96)
      #expect(abs(Self.heard(by: rig.sink, at: time * 1_000_000) - expected) < 0.001, "\(time) ms")
    }
  }

  @Test func `a track's loop repeats its lines without a line across the seam`() throws {
    var sequence = try Self.sequence([(0, 0), (480, 1), (960, 0.5), (1440, 0)])
    sequence.tracks[1].settings.loop = TrackSettings.Loop(length: 960, count: 3)
    sequence.tracks[1].settings.offset = 240
    let rig = try PlayerRig(sequence)
    let length = Int64(sequence.tracks[1].length.value)
    #expect(length == 1440)
    try play(rig, to: 5 * Self.second)
    // The first pass begins with the line to its first point, the later ones with that point.
    for pass in Int64(0)..<3 {
      for tick in stride(from: Int64(20), to: 960, by: 7) {
        let time = (240 + 480 + 960 * pass + tick) * 1_000_000 / 96 * 100
        let expected = Self.value([(0, 1), (480, 0.5), (960, 0)], at: Double(tick))
        #expect(abs(Self.heard(by: rig.sink, at: time) - expected) < 0.001, "\(pass): \(tick)")
      }
    }
    rig.scheduler.look(at: ReferenceTime(nanoseconds: 5 * Self.second))
    try rig.scheduler.locate(
      to: Tick(240 + 480 + 960 + 333), at: ReferenceTime(nanoseconds: 5 * Self.second))
    try play(rig, from: 5 * Self.second, to: 6 * Self.second)
    let expected = Self.value([(0, 1), (480, 0.5)], at: 333 + 96)
    let heard = Self.heard(by: rig.sink, at: 5 * Self.second + Self.second / 10)
    #expect(abs(heard - expected) < 0.001)
  }

  @Test func `ticks that are parts of frames have lines as well`() throws {
    var sequence = try Self.sequence([(0, 0), (1000, 1)])
    sequence.division = .smpte(.fps25, ticksPerFrame: 40)
    let rig = try PlayerRig(sequence)
    try play(rig, to: 2 * Self.second)
    for time in stride(from: Int64(20), to: 1000, by: 3) {
      #expect(
        abs(Self.heard(by: rig.sink, at: time * 1_000_000) - Double(time) / 1000) < 0.001)
    }
  }
}
