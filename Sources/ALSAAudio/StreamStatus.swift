// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// What the threads of an output and the control side share.
final class StreamStatus: Sendable {
  /// What the control side asks for.
  enum Order: UInt8 {
    case play
    case drain
    case drop
  }

  private let ordered = Atomic<UInt8>(Order.play.rawValue)
  let position = Atomic<Int64>(0)
  let xrunCount = Atomic<Int>(0)
  /// The frames that the device's buffer holds.
  let bufferFrames: Atomic<Int>
  let clampedSampleCount = Atomic<Int>(0)
  let faultySampleCount = Atomic<Int>(0)
  /// Whether the device is gone and may return.
  let isAway = Atomic<Bool>(false)
  /// Whether the device has taken more than its buffer holds.
  let hasPlayed = Atomic<Bool>(false)
  /// The negative error number that ended the stream, or 0.
  let failure = Atomic<Int32>(0)
  /// Whether the thread that writes has let go of the device.
  let hasEnded = Atomic<Bool>(false)
  /// Written by the thread that writes.
  let clock = Snapshot<SampleClock?>(nil)
  /// The same clock, for the list of running streams.
  let listed = StreamClock()

  init(bufferFrames: Int) { self.bufferFrames = Atomic(bufferFrames) }

  /// What is to be done now.
  var order: Order {
    get { Order(rawValue: ordered.load(ordering: .acquiring)) ?? .drop }
    set { ordered.store(newValue.rawValue, ordering: .releasing) }
  }

  /// Takes note of why the stream ends; the first reason stays.
  func fail(_ code: Int32) {
    _ = failure.compareExchange(expected: 0, desired: code, ordering: .acquiringAndReleasing)
  }
}
