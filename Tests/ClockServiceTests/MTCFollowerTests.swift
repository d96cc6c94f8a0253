// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@Suite struct MTCFollowerTests {
  static let rates: [FrameRate] = [.fps24, .fps25, .fps2997Drop, .fps30]

  /// Quarter frames around every kind of carry: seconds, minutes, dropped labels, hours, midnight.
  static func places(_ rate: FrameRate) -> [Int64] {
    let frames = [
      rate.framesPerDay / 2, Int64(rate.nominal) * 17, Int64(rate.nominal) * 60,
      rate.framesPerTenMinutes, rate.framesPerTenMinutes / 10, rate.framesPerTenMinutes * 6,
      rate.framesPerTenMinutes * 60, rate.framesPerDay,
    ]
    return frames.flatMap { frame in (-12...12).map { 4 * (frame & ~1) + $0 } }
  }

  @Test(arguments: rates, [Int64(1), -1])
  func `eight quarter frames lock, from any piece and in either direction`(
    rate: FrameRate, step: Int64
  ) throws {
    let day = 4 * rate.framesPerDay
    var undecided = 0
    for place in Self.places(rate) {
      var wire = TimecodeWire(rate, at: place)
      wire.run(7, step: step)
      #expect(wire.follower.position == nil)
      wire.run(1, step: step)
      // Only if drop-frame labels are ambiguous is one more message needed.
      if wire.follower.position == nil {
        undecided += 1
        wire.run(1, step: step)
      }
      let position = try #require(wire.follower.position, "from \(place)")
      let sent = ((wire.next - step) % day + day) % day
      #expect(position == QuarterFrameCount(count: sent, code: rate.mtcCode), "from \(place)")
      #expect(wire.follower.direction == (step > 0 ? .forward : .reverse))
      #expect(wire.follower.transport == (step > 0 ? .running : .stopped))
    }
    #expect(undecided <= (rate.isDrop ? 17 : 0))
  }

  private func label(_ position: QuarterFrameCount?) throws -> [UInt8] {
    let label = try #require(position).label
    return [label.hours, label.minutes, label.seconds, label.frames]
  }

  private func locked(
    _ rate: FrameRate = .fps25, at quarterFrame: Int64 = 4 * 25 * 3600,
    settings: MTCFollower.Settings = .init()
  ) -> TimecodeWire {
    var wire = TimecodeWire(rate, at: quarterFrame, settings: settings)
    wire.run(40)
    _ = wire.takeEvents()
    return wire
  }

  /// Published vectors of an independent encoder (swift-midi-sync).
  @Test(arguments: [
    ("00 00 00 00", [0, 0, 0, 0], MTCCode.fps24), ("20 00 00 00", [0, 0, 0, 0], .fps25),
    ("41 02 03 04", [1, 2, 3, 4], .fps30Drop), ("41 02 03 05", [1, 2, 3, 5], .fps30Drop),
    ("62 04 06 08", [2, 4, 6, 8], .fps30), ("02 04 06 04", [2, 4, 6, 4], .fps24),
    ("02 04 06 05", [2, 4, 6, 5], .fps24),
  ])
  func `a full frame locates and does not start`(
    bytes: String, label: [UInt8], code: MTCCode
  ) throws {
    var wire = TimecodeWire(.fps25, at: 0)
    let fields = bytes.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    wire.send(sysEx: [0x7F, 0x7F, 0x01, 0x01] + fields)
    let position = try #require(wire.follower.position)
    #expect(try self.label(position) == label)
    #expect(position.code == code)
    #expect(position.count % 4 == 0)
    #expect(wire.takeEvents() == [.located(.timecode(position))])
    #expect(wire.follower.transport == .stopped)
  }

  @Test(arguments: [
    ("08 10 26 30 44 50 62 70", [2, 4, 6, 8], MTCCode.fps24),
    ("08 10 26 30 44 50 62 72", [2, 4, 6, 8], .fps25),
    ("08 10 26 30 44 50 62 74", [2, 4, 6, 8], .fps30Drop),
    ("08 10 26 30 44 50 62 76", [2, 4, 6, 8], .fps30),
    ("0C 11 2A 33 4B 53 67 77", [23, 59, 58, 28], .fps30),
  ])
  func `the two frames of a cycle are added`(
    bytes: String, label: [UInt8], code: MTCCode
  ) throws {
    var wire = TimecodeWire(.fps25, at: 0)
    for byte in bytes.split(separator: " ").compactMap({ UInt8($0, radix: 16) }) {
      wire.now = wire.now.advanced(byNanoseconds: 9_000_000)
      wire.send(byte)
    }
    let position = try #require(wire.follower.position)
    #expect(position.code == code)
    // When piece 7 arrives, seven quarters of a frame have passed since the coded instant.
    let coded = QuarterFrameCount(count: position.count - 7, code: code)
    #expect(try self.label(coded) == label)
    #expect(coded.count % 8 == 0)
  }

  @Test func `it starts when it locks, and runs at the speed of the master`() throws {
    var wire = TimecodeWire(.fps25, at: 4 * 25 * 60)
    wire.run(8)
    let position = FollowedPosition.timecode(QuarterFrameCount(count: 6007, code: .fps25))
    #expect(
      wire.takeEvents()
        == [.located(position), .locked, .started(position, at: wire.now)])
    wire.run(400)
    let piece = try #require(wire.follower.timeline(at: wire.now))
    #expect(abs(piece.position(at: wire.now) - 6407) < 1e-6)
    #expect(abs(try #require(wire.follower.speed) - 1) < 1e-6)
    // A minute and 4.07 seconds, in nanoseconds of media time.
    let media = piece.media(rate: .fps25)
    #expect(abs(media.position(at: wire.now) - 64_070_000_000) < 100)
  }

  @Test(arguments: rates)
  func `time continues across midnight`(rate: FrameRate) throws {
    let day = 4 * rate.framesPerDay
    var wire = TimecodeWire(rate, at: day - 100)
    wire.run(30)
    _ = wire.takeEvents()
    wire.run(200)
    let events = wire.takeEvents().filter { if case .recognized = $0 { false } else { true } }
    #expect(events == [])
    #expect(wire.follower.position?.count == day + 129)
    #expect(wire.follower.position?.label.hours == 0)
    #expect(wire.follower.transport == .running)
  }

  @Test(arguments: rates)
  func `ten minutes of labels are read without errors`(rate: FrameRate) {
    var wire = TimecodeWire(rate, at: 4 * rate.framesPerTenMinutes * 5)
    wire.run(16)
    _ = wire.takeEvents()
    var wrong = 0
    wire.run(
      Int(rate.framesPerTenMinutes) * 4 / (FollowerRobustnessTests.isLong ? 1 : 4),
      each: {
        if $0.follower.position?.count != $0.next { wrong += 1 }
      })
    #expect(wrong == 0)
    let events = wire.takeEvents().filter { if case .recognized = $0 { false } else { true } }
    #expect(events == [])
  }

  @Test(arguments: 0..<8)
  func `reversed time code is recognised within three quarter frames`(place: Int64) throws {
    for repeatsLast in [false, true] {
      var wire = locked(at: 4 * 25 * 3600 + place)
      let last = wire.next - 1
      wire.next = repeatsLast ? last : last - 1
      wire.run(3, step: -1)
      let events = wire.takeEvents()
      #expect(wire.follower.direction == .reverse)
      #expect(wire.follower.position?.count == wire.next + 1)
      #expect(events.first == .turned(.reverse))
      #expect(wire.follower.transport == .stopped)
      #expect(events.contains { if case .stopped(.notPlayable, _) = $0 { true } else { false } })
      wire.run(50, step: -1)
      #expect(wire.takeEvents() == [])
      #expect(wire.follower.position?.count == wire.next + 1)
      // And forwards again.
      wire.next += 2
      wire.run(3)
      #expect(wire.follower.position?.count == wire.next - 1)
      #expect(wire.takeEvents().first == .turned(.forward))
      #expect(wire.follower.transport == .running)
    }
  }

  @Test(arguments: 0..<8)
  func `a jump is followed within two cycles, at any piece`(place: Int64) throws {
    for target: Int64 in [4000, 4001, 4002, 4005, 999_999] {
      var wire = locked(at: 4 * 25 * 3600 + place)
      wire.next = target
      var messages = 0
      while wire.follower.position?.count != wire.next - 1, messages < 40 {
        wire.run(1)
        messages += 1
      }
      #expect(messages <= 16 + 1, "to \(target)")
      let events = wire.takeEvents()
      #expect(events.contains { if case .jumped = $0 { true } else { false } })
      #expect(wire.follower.epoch == 1)
      wire.run(50)
      let later = wire.takeEvents().filter { if case .recognized = $0 { false } else { true } }
      #expect(later == [])
    }
  }

  @Test(arguments: 0..<8)
  func `one corrupt cycle is ignored`(piece: Int) {
    var wire = locked()
    while wire.next % 8 != piece { wire.run(1) }
    wire.now = wire.now.advanced(byNanoseconds: 10_000_000)
    wire.send(wire.data(wire.next) ^ 0x05)
    wire.next += 1
    wire.run(40)
    let events = wire.takeEvents().filter { if case .recognized = $0 { false } else { true } }
    #expect(events == [])
    #expect(wire.follower.position?.count == wire.next - 1)
  }

  @Test func `truncated cycles give no position`() {
    var wire = TimecodeWire(.fps25, at: 8000)
    for _ in 0..<20 {
      wire.run(5)
      wire.next = wire.next / 8 * 8 + 8
    }
    #expect(wire.follower.position == nil)
    #expect(wire.takeEvents() == [])
  }

  @Test func `lost and doubled quarter frames do not move the position`() {
    var wire = locked()
    wire.run(
      200,
      each: { wire in
        // A double 1 ms after every tenth quarter frame.
        guard wire.next % 10 == 0 else { return }
        wire.now = wire.now.advanced(byNanoseconds: 1_000_000)
        wire.send(wire.data(wire.next))
      })
    for lost: Int64 in [1, 2, 3, 6, 7, 8, 9, 20] {
      wire.next += lost
      wire.now = wire.now.advanced(byNanoseconds: lost * 10_000_000)
      wire.run(30)
      #expect(wire.follower.position?.count == wire.next - 1, "\(lost) lost")
    }
    let jumps = wire.takeEvents().filter { if case .jumped = $0 { true } else { false } }
    #expect(jumps == [])
    #expect(wire.follower.lostQuarterFrames == 56)
  }

  @Test func `time code at another rate is refused and reported once`() {
    var settings = MTCFollower.Settings()
    settings.format = .fps25
    var wire = TimecodeWire(.fps30, at: 4000, settings: settings)
    wire.run(200)
    #expect(wire.takeEvents() == [.wrongFormat(.fps30)])
    #expect(wire.follower.transport == .stopped)
    #expect(wire.follower.position == nil)
    wire.send(sysEx: [0x7F, 0x7F, 0x01, 0x01, 0x61, 0, 0, 0])
    #expect(wire.follower.position == nil)
  }

  @Test func `a master that changes its rate stops a follower of one format`() {
    var settings = MTCFollower.Settings()
    settings.format = .fps25
    var wire = locked(settings: settings)
    var other = TimecodeWire(.fps30, at: 8000)
    other.follower = wire.follower
    other.now = wire.now
    other.run(40)
    let events = other.takeEvents()
    #expect(events.contains(.wrongFormat(.fps30)))
    #expect(events.contains { if case .stopped(.wrongFormat, _) = $0 { true } else { false } })
    wire.follower = other.follower
    #expect(wire.follower.transport == .stopped)
  }

  @Test(
    arguments: [
      [0x7F, 0x7F, 0x01, 0x01, 0x21, 0x02, 0x03], [0x7F, 0x7F, 0x01, 0x01],
      [0x7F, 0x7F, 0x01, 0x01, 0x21, 0x02, 0x03, 0x19], [0x7F, 0x7F, 0x01, 0x01, 0x38, 0, 0, 0],
      [0x7F, 0x7F, 0x01, 0x02, 0x21, 0x02, 0x03, 0x04], [],
      [0x7F, 0x7F, 0x01, 0x01, 0x41, 0x01, 0x00, 0x01],
    ] as [[UInt8]])
  func `an incomplete full frame, or one with an invalid label, is ignored`(bytes: [UInt8]) {
    var wire = locked()
    wire.send(sysEx: bytes)
    #expect(wire.takeEvents() == [])
    #expect(wire.follower.transport == .running)
  }

  @Test func `a full frame while running stops and locates`() throws {
    var wire = locked()
    let before = try #require(wire.follower.position)
    wire.send(sysEx: [0x7F, 0x7F, 0x01, 0x01, 0x21, 0x02, 0x03, 0x04])
    let position = try #require(wire.follower.position)
    #expect(
      wire.takeEvents()
        == [.stopped(.fullFrame, .timecode(before)), .located(.timecode(position))])
    #expect(try label(position) == [1, 2, 3, 4])
  }

  @Test func `time code that ends is predicted for a second, then stops at its end`() throws {
    var wire = locked()
    let last = try #require(wire.follower.position)
    // 2.5 quarter frames, and the 50 ms by which a busy machine may delay them.
    wire.wait(milliseconds: 49)
    #expect(wire.takeEvents() == [])
    wire.wait(milliseconds: 2)
    #expect(wire.takeEvents() == [.freewheeling])
    wire.wait(milliseconds: 945)
    #expect(wire.follower.transport == .running)
    let piece = try #require(wire.follower.timeline(at: wire.now))
    #expect(abs(piece.position(at: wire.now) - Double(last.count) - 99.6) < 0.01)
    wire.wait(milliseconds: 10)
    #expect(wire.takeEvents() == [.lost, .stopped(.sourceLost, .timecode(last))])
  }

  @Test(arguments: [0.25, 0.5, 2, 3.5])
  func `varispeed is followed`(speed: Double) throws {
    var wire = TimecodeWire(.fps25, at: 8000)
    wire.run(100, speed: speed)
    #expect(abs(try #require(wire.follower.speed) - speed) < 1e-4 * speed)
    #expect(wire.follower.transport == .running)
    #expect(wire.follower.recognizedRate == nil)
  }

  @Test(arguments: [0.1, 4])
  func `a speed at the limit of the range does not start and stop it repeatedly`(speed: Double) {
    var wire = TimecodeWire(.fps30, at: 8000)
    var generator = SplitMix(seed: 4)
    // Slightly within the limit, so that it starts.
    let inside = speed > 1 ? speed * 0.995 : speed * 1.005
    wire.run(200, speed: inside)
    wire.run(4800, speed: speed, jitter: { .random(in: -200_000...200_000, using: &generator) })
    let stops = wire.takeEvents().filter { if case .stopped = $0 { true } else { false } }
    #expect(stops.isEmpty && wire.follower.transport == .running)
  }

  @Test func `a machine that starts unevenly is not recognised at the wrong rate first`() {
    for late in [0.5e6, 1e6, 2e6, -1e6] {
      var wire = TimecodeWire(.fps2997Drop, at: 80_000)
      var index = 0.0
      wire.run(
        360,
        jitter: {
          index += 1
          return late / index
        })
      let rates = wire.takeEvents().filter { if case .recognized = $0 { true } else { false } }
      #expect(rates == [.recognized(.fps2997Drop)], "\(late)")
    }
  }

  @Test func `scrubbing gives a position without playback`() {
    var wire = TimecodeWire(.fps25, at: 8000)
    wire.run(30, speed: 0.08)
    #expect(wire.follower.position?.count == wire.next - 1)
    #expect(wire.follower.transport == .stopped)
  }

  @Test(arguments: [FrameRate.fps23976, .fps24, .fps2997, .fps30, .fps25, .fps2997Drop])
  func `rates 0.1 % apart are distinguished within two seconds`(rate: FrameRate) {
    for (jitter, seconds) in [(1.0, 2.0), (0.3, 1.0)] {
      for seed in 1...10 {
        var wire = TimecodeWire(rate, at: 80_000)
        var generator = SplitMix(seed: UInt64(seed))
        let messages = Int(seconds * 4 * rate.framesPerSecond.approximation)
        wire.run(
          messages,
          jitter: {
            let sum = (0..<12).reduce(0.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) }
            return (sum - 6) * jitter * 1e6
          })
        #expect(wire.follower.recognizedRate == rate, "\(jitter) ms, seed \(seed)")
      }
    }
  }
}
