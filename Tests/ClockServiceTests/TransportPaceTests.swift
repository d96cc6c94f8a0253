// SPDX-License-Identifier: Apache-2.0
import ClockService
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Transports that follow the pace of a device, with a clock that the test moves.
@Suite struct TransportPaceTests {
  private static let second: Int64 = 1_000_000_000

  /// A device that is 200 parts in a million fast: frame 7 was at one second of host time.
  private static let fast: DevicePace.Source = {
    let denominator: Int64 = 48_000 * 1_000_200
    let line = Timeline<SampleTime, HostTime>(
      countOrigin: 7, scaledOrigin: Int128(second) * Int128(denominator),
      numerator: second * 1_000_000, denominator: denominator)
    return DevicePace.Source(
      SampleClock(timeline: line, delay: 0, drift: 200, jitter: 0, epoch: 1), rate: .hertz48000,
      stream: 1)
  }()

  @Test func `a beat at 120 beats per minute is 24000 frames of the device`() throws {
    let machine = try ManualClock()
    let device = Mutex<DevicePace.Source?>(nil)
    let clock = try Transport(
      MusicClock(tempoMap: .constant(500_000)), machine: machine,
      pace: { device.withLock { $0 } })
    defer { clock.end() }
    machine.settle()
    #expect(clock.snapshot.pace == nil)
    #expect(try clock.snapshot.ticks(atFrame: 0) == nil)
    device.withLock { $0 = Self.fast }
    machine.advance(by: Self.second)
    clock.start()
    machine.advance(by: 60 * Self.second)
    let snapshot = clock.snapshot
    let pace = try #require(snapshot.pace)
    let start = try #require(try snapshot.frame(atSeconds: 0, at: machine.now))
    for beat in [1.0, 60.5, 4000] {
      let ticks = try #require(try snapshot.ticks(atFrame: start + 24_000 * beat)).approximation
      #expect(abs(ticks - 480 * beat) < 1e-4)
      let frame = try snapshot.frame(
        atSeconds: Ratio(Int64(beat * 1000), over: 2000), at: machine.now)
      #expect(abs(try #require(frame) - start - 24_000 * beat) < 0.001)
    }
    // After a minute the clock is 12 ms ahead of one that runs by the host.
    let now = try #require(try snapshot.ticks(atFrame: pace.frame(at: machine.now))).approximation
    let byHost = Double(machine.now.nanoseconds - pace.hostTime(ofFrame: start).nanoseconds) / 1e9
    #expect(abs(now / 960 - byHost * 1.0002) < 1e-6)
    let stepped = try snapshot.ticks(at: machine.now).approximation
    #expect(abs(stepped - now) < 0.003)
    // Without the device it continues with host time.
    device.withLock { $0 = nil }
    machine.advance(by: Self.second)
    #expect(clock.snapshot.pace == nil)
    let after = try clock.snapshot.ticks(at: machine.now).approximation
    #expect(abs(after - now - 960) < 0.2)
  }
}
