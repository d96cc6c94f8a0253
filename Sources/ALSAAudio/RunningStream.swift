// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A stream of sound that this program is playing on, or recording from, an ALSA device.
public struct RunningStream: Sendable {
  /// The ALSA name with which the device was opened.
  public let device: String
  /// The use of the device: playback or recording.
  public let direction: AudioDevice.Direction
  /// The sample rate of the device.
  public let rate: SampleRate
  /// The number of the stream's channels on the device.
  public let channelCount: Int
  /// The number of frames per period.
  public let periodFrames: Int
  /// The number of frames in the device's buffer.
  public let bufferFrames: Int
  /// The number of the stream, from 1; streams of one program have different numbers.
  public let number: Int
  private let state: StreamClock

  /// Creates the description of a stream, which `StreamClock.begin` lists.
  init(
    _ device: String, _ direction: AudioDevice.Direction, rate: SampleRate,
    _ agreement: PCMAgreement, _ state: StreamClock
  ) {
    (self.device, self.direction, self.rate, self.state) = (device, direction, rate, state)
    channelCount = agreement.channelCount
    periodFrames = agreement.periodFrames
    bufferFrames = agreement.bufferFrames
    number = Self.count.add(1, ordering: .relaxed).newValue
  }

  private static let count = Atomic(0)

  /// The relation of the stream's frames to host time, as measured on the device; nil before the
  /// first period.
  ///
  /// An output counts frames from the one at which it was started; an input counts them from 0.
  ///
  /// - Note: Any thread.
  public var clock: SampleClock? { state.read() }

  /// The stream as a source of speed, which a transport can follow; nil before the first period.
  ///
  /// - Note: Any thread.
  public var pace: DevicePace.Source? {
    clock.map { DevicePace.Source($0, rate: rate, stream: number) }
  }

  /// All streams that this program is playing or recording, in the order in which they were
  /// started.
  ///
  /// - Note: Any thread.
  public static var all: [RunningStream] { StreamClock.streams.withLock { $0 } }

  /// Returns true for the stream of a clock.
  func has(_ clock: StreamClock) -> Bool { state === clock }
}

/// The clock of a stream, which one thread writes and any thread reads.
final class StreamClock: Sendable {
  static let streams = Mutex<[RunningStream]>([])

  private let snapshot = Snapshot<SampleClock?>(nil)
  private let reading = Mutex(())

  /// Publishes the clock.
  ///
  /// - Note: Real-time safe. One thread at a time.
  func write(_ clock: SampleClock?) { snapshot.write(clock) }

  func read() -> SampleClock? { reading.withLock { _ in snapshot.read() } }

  /// Lists a stream as running.
  static func begin(_ stream: RunningStream) { streams.withLock { $0.append(stream) } }

  /// Removes the clock's stream from the list.
  func end() { Self.streams.withLock { $0.removeAll { $0.has(self) } } }
}
