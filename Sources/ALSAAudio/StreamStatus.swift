// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The state that the threads of an output and the control side share.
final class StreamStatus: Sendable {
  /// A command of the control side.
  enum Order: UInt8 {
    case play
    case drain
    case drop
  }

  private let ordered = Atomic<UInt8>(Order.play.rawValue)
  let position = Atomic<Int64>(0)
  let xrunCount = Atomic<Int>(0)
  /// The frames in the device's buffer.
  let bufferFrames: Atomic<Int>
  let clampedSampleCount = Atomic<Int>(0)
  let faultySampleCount = Atomic<Int>(0)
  /// True while the device is unplugged and may return.
  let isAway = Atomic<Bool>(false)
  /// True once the device has taken more than its buffer.
  let hasPlayed = Atomic<Bool>(false)
  /// The negative error number that ended the stream, or 0.
  let failure = Atomic<Int32>(0)
  /// True once the writing thread has closed the device.
  let hasEnded = Atomic<Bool>(false)
  /// Written by the writing thread.
  let clock = Snapshot<SampleClock?>(nil)
  /// The same clock, for the list of running streams.
  let listed = StreamClock()

  init(bufferFrames: Int) { self.bufferFrames = Atomic(bufferFrames) }

  /// The present command.
  var order: Order {
    get { Order(rawValue: ordered.load(ordering: .acquiring)) ?? .drop }
    set { ordered.store(newValue.rawValue, ordering: .releasing) }
  }

  /// Notes the error with which the stream ends; the first one is kept.
  func fail(_ code: Int32) {
    _ = failure.compareExchange(expected: 0, desired: code, ordering: .acquiringAndReleasing)
  }
}
