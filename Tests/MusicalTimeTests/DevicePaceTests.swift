// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Testing

/// Reference time by the frames of a device, compared with its definition.
@Suite struct DevicePaceTests {
  private static let second: Int64 = 1_000_000_000

  /// The frames of a device whose rate differs from the nominal one by parts in a million.
  private static func source(
    ppm: Int64, frame: Int64 = 0, at host: Int64, stream: Int = 1, epoch: UInt32 = 0
  ) -> DevicePace.Source {
    let (numerator, denominator) = (1_000_000 * second, 48 * (1_000_000 + ppm) * 1000)
    let line = Timeline<SampleTime, HostTime>(
      countOrigin: frame, scaledOrigin: Int128(host) * Int128(denominator), numerator: numerator,
      denominator: denominator)
    return DevicePace.Source(
      SampleClock(timeline: line, delay: 0, drift: nil, jitter: 0, epoch: epoch),
      rate: .hertz48000, stream: stream)
  }

  @Test(arguments: [Int64(-300), 0, 50, 300])
  func `a second is 48000 frames at any speed of the device`(ppm: Int64) throws {
    let clock = ReferenceClock()
    let start = 100 * Self.second
    let source = Self.source(ppm: ppm, frame: 5000, at: start)
    let first = clock.look(source, at: HostTime(nanoseconds: start))
    #expect(first.nanoseconds == start)
    for step in 1...2000 {
      let host = HostTime(nanoseconds: start + Int64(step) * 5_000_000)
      let now = clock.look(source, at: host)
      // The device's frames since the start, by the exact ratio.
      let frames = Double(step) * 240 * (1 + Double(ppm) / 1e6)
      let expected = Double(start) + frames / 48000 * 1e9
      #expect(abs(Double(now.nanoseconds) - expected) <= 2_002)
      let pace = try #require(clock.pace)
      #expect(abs(pace.frame(at: host) - 5000 - frames) < 0.001)
      #expect(abs(Double(pace.time(ofFrame: 5000 + frames).nanoseconds) - expected) <= 1)
      #expect(abs(pace.hostTime(ofFrame: 5000 + frames).nanoseconds - host.nanoseconds) <= 1)
    }
  }

  @Test func `another stream, an xrun and the end of the device do not move the time`() throws {
    let clock = ReferenceClock()
    let start = 7 * Self.second
    func look(_ source: DevicePace.Source?, at milliseconds: Int64) -> Int64 {
      clock.look(source, at: HostTime(nanoseconds: start + milliseconds * 1_000_000)).nanoseconds
    }
    var last = look(nil, at: 0)
    #expect(last == start && clock.pace == nil)
    let sources: [DevicePace.Source?] = [
      Self.source(ppm: 200, at: start), Self.source(ppm: 200, frame: 96_000, at: start, epoch: 1),
      Self.source(ppm: -100, frame: -3, at: start + Self.second, stream: 2), nil,
    ]
    for (place, source) in sources.enumerated() {
      for step in 1...100 {
        let now = look(source, at: Int64(place * 100 + step) * 10)
        // 10 ms, to 0.02 % and the tolerance.
        #expect(abs(now - last - 10_000_000) <= 2_000 + 4_000)
        last = now
      }
      #expect((clock.pace == nil) == (source == nil))
    }
    // Frames only count within their stream.
    #expect(last > start + 3 * Self.second)
  }

  @Test func `frames out of range are limited`() throws {
    let clock = ReferenceClock()
    clock.look(Self.source(ppm: 0, at: 0), at: .zero)
    let pace = try #require(clock.pace)
    for frame in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      _ = pace.hostTime(ofFrame: frame)
      _ = pace.time(ofFrame: frame)
    }
    #expect(pace.time(ofFrame: 1e300).nanoseconds == .max)
    #expect(pace.time(ofFrame: -1e300).nanoseconds == .min)
    _ = pace.frame(at: HostTime(nanoseconds: .max))
    _ = pace.frame(at: HostTime(nanoseconds: .min))
    _ = pace.frame(at: ReferenceTime(nanoseconds: .min))
  }
}
