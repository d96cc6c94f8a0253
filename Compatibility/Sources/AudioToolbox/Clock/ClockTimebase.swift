// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CCoreAudio
internal import ClockService
internal import CoreAudio
internal import CoreAudioTypes
internal import MusicalTime
internal import Synchronization

/// The device whose samples a clock counts, or the host clock.
final class ClockTimebase: Sendable {
  /// The kinds of timebase, each with its source.
  enum Choice: Sendable {
    /// The host clock.
    case host
    /// A device; `kAudioObjectUnknown` for the default output.
    case device(AudioObjectID)
    /// An output unit, identified by its handle as a number; 0 for none.
    case unit(UInt)
  }

  private struct State: Sendable {
    var choice = Choice.host
    /// The frames of the latest stream, or frames by the host clock before the first stream; nil
    /// for the host clock.
    var last: DevicePace.Source?
  }

  private let state = Mutex(State())

  /// The chosen timebase.
  var choice: Choice { state.withLock(\.choice) }

  /// Sets the timebase.
  ///
  /// Until a stream runs on the device, samples are counted from 0 by the host clock, at `rate`.
  func set(_ choice: Choice, rate: SampleRate) {
    let last: DevicePace.Source? =
      if case .host = choice { nil } else { Self.machineFrames(from: MonotonicClock.now, rate) }
    state.withLock { $0 = State(choice: choice, last: last) }
  }

  /// The frames of the device, or nil if the timebase is the host clock.
  func frames() -> DevicePace.Source? {
    let choice = choice
    let running: DevicePace.Source? =
      switch choice {
      case .host: nil
      case .device(let device): Self.stream(on: device)?.pace
      case .unit(let unit): Self.run(of: unit)?.pace
      }
    return state.withLock { state in
      if let running { state.last = running }
      return state.last
    }
  }

  /// The stream that started first on a device: an output, or an input if the device plays none.
  private static func stream(on device: AudioObjectID) -> RunningStream? {
    let choice =
      device == kAudioObjectUnknown
      ? HardwareChoice(.playback) : HardwareChoice(identifier: device)
    let streams = RunningStream.all.filter { $0.device == choice?.device }
    return streams.first { $0.direction == .playback } ?? streams.first
  }

  private static func run(of unit: UInt) -> DeviceRun? {
    unsafe UnitObject.find(AudioUnit(bitPattern: unit))?.run
  }

  private static func machineFrames(from time: HostTime, _ rate: SampleRate) -> DevicePace.Source {
    let hertz = Int64(rate.hertz)
    let line = Timeline<SampleTime, HostTime>(
      countOrigin: 0, scaledOrigin: Int128(time.nanoseconds) * Int128(hertz),
      numerator: 1_000_000_000, denominator: hertz)
    let clock = SampleClock(timeline: line, delay: 0, drift: nil, jitter: 0, epoch: 0)
    return DevicePace.Source(clock, rate: rate, stream: 0)
  }
}
