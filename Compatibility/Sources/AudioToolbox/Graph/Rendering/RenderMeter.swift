// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The load of rendering: the time that slices take, relative to their duration.
final class RenderMeter: Sendable {
  private let length: Double
  private let mean = Atomic<UInt32>(0)
  private let peak = Atomic<UInt32>(0)

  init(nanoseconds: Double) {
    length = nanoseconds
  }

  func note(_ nanoseconds: UInt64) {
    let part = Float(Double(nanoseconds) / length)
    let old = Float(bitPattern: mean.load(ordering: .relaxed))
    mean.store((old + (part - old) / 64).bitPattern, ordering: .relaxed)
    if part > Float(bitPattern: peak.load(ordering: .relaxed)) {
      peak.store(part.bitPattern, ordering: .relaxed)
    }
  }

  var average: Float { Float(bitPattern: mean.load(ordering: .relaxed)) }

  /// The highest load since the last call.
  func takePeak() -> Float { Float(bitPattern: peak.exchange(0, ordering: .relaxed)) }
}
