// SPDX-License-Identifier: Apache-2.0

/// The render side of a layout: its speakers, sorted by azimuth.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SpeakerRing: BitwiseCopyable {
  private struct Speaker: BitwiseCopyable {
    let channel: Int
    let ahead: Double
    let right: Double
  }

  /// The number of channels of the layout, including those without a direction.
  let channelCount: Int
  private let count: Int
  private let speakers: UnsafeMutablePointer<Speaker>

  /// Creates the render side of a layout.
  ///
  /// The owner deallocates it.
  init(_ layout: SpeakerLayout) {
    channelCount = layout.azimuths.count
    let placed = layout.azimuths.enumerated().compactMap { channel, azimuth in
      azimuth.map { (channel: channel, azimuth: $0) }
    }
    count = placed.count
    unsafe speakers = .allocate(capacity: count)
    for (index, one) in placed.sorted(by: { $0.azimuth < $1.azimuth }).enumerated() {
      let direction = Direction(azimuth: one.azimuth, elevation: 0)
      let speaker = Speaker(
        channel: one.channel, ahead: direction.ahead, right: direction.right)
      unsafe (speakers + index).initialize(to: speaker)
    }
  }

  func deallocate() {
    unsafe speakers.deallocate()
  }

  /// Writes the gain of each channel for a direction, multiplied by a gain.
  @_noAllocation @_noLocks
  func place(_ direction: Direction, gain: Float, into gains: UnsafeMutablePointer<Float>) {
    let flat = direction.ahead * direction.ahead + direction.right * direction.right
    let share = Double(gain) * SampleMath.root(max(0, 1 - flat) / Double(count))
    for channel in 0..<channelCount { unsafe gains[channel] = 0 }
    for index in 0..<count { unsafe gains[speakers[index].channel] = Float(share) }
    let length = SampleMath.root(flat)
    guard length > 1e-6 else { return }
    for index in 0..<count {
      let left = unsafe speakers[index]
      let right = unsafe speakers[index &+ 1 == count ? 0 : index &+ 1]
      // The direction as a sum of both vectors: both factors are positive only between them.
      let area = left.ahead * right.right - left.right * right.ahead
      let first = (direction.ahead * right.right - direction.right * right.ahead) / area
      let second = (left.ahead * direction.right - left.right * direction.ahead) / area
      guard first >= -1e-9, second >= -1e-9 else { continue }
      let scale = Double(gain) * length / SampleMath.root(first * first + second * second)
      unsafe raise(&gains[left.channel], by: max(0, first) * scale)
      unsafe raise(&gains[right.channel], by: max(0, second) * scale)
      return
    }
  }

  /// Adds a gain by power.
  @_noAllocation @_noLocks
  private func raise(_ gain: inout Float, by other: Double) {
    gain = gain == 0 ? Float(other) : Float(SampleMath.root(Double(gain * gain) + other * other))
  }
}
