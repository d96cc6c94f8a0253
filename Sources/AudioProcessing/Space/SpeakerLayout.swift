// SPDX-License-Identifier: Apache-2.0

/// The positions of loudspeakers around the listener, and the panning between them.
///
/// A source at the height of the speakers is played by the two nearest speakers, with constant
/// power (vector base amplitude panning). For a source above or below, these two speakers receive
/// cos²(elevation) of the power; the rest is distributed evenly to all speakers. A channel without
/// a direction (the LFE channel) is silent.
///
/// Source: V. Pulkki, Virtual Sound Source Positioning Using Vector Base Amplitude Panning (1997);
/// ITU-R BS.775 for 5.1 and its angles.
public struct SpeakerLayout: Hashable, Sendable {
  /// The azimuth of each channel in degrees to the right of the front, −180…180; nil for a channel
  /// without a direction.
  public let azimuths: [Float?]

  /// Creates a layout.
  ///
  /// - Parameter azimuths: the azimuth of each of 3 to 64 channels in degrees to the right of the
  ///   front, −180…180; nil for a channel without a direction. Azimuths must differ, and
  ///   neighbouring speakers must be less than 180° apart.
  public init(azimuths: [Float?]) {
    self.azimuths = azimuths
    precondition((3...64).contains(azimuths.count), "a layout has 3 to 64 channels")
    let places = azimuths.compactMap(\.self)
    precondition(
      places.allSatisfy { (-180...180).contains($0) }, "an azimuth must be −180° to 180°")
    precondition(
      Self.isRing(places), "neighbouring speakers must be more than 0° and less than 180° apart")
  }

  private static func isRing(_ azimuths: [Float]) -> Bool {
    let places = azimuths.sorted()
    guard let first = places.first else { return false }
    var next: [Float] = Array(places.dropFirst())
    next.append(first + 360)
    for (place, other) in zip(places, next) {
      let gap: Float = other - place
      guard gap > 0, gap < 180 else { return false }
    }
    return true
  }

  /// Four speakers at ±45° and ±135°: front left, front right, back left, back right.
  public static let quad = SpeakerLayout(azimuths: [-45, 45, -135, 135])

  /// The layout 5.1: left and right (±30°), centre, LFE, left and right surround (±110°).
  public static let surround51 = SpeakerLayout(azimuths: [-30, 30, 0, nil, -110, 110])

  /// The layout 7.1, in the channel order of sound files: left and right (±30°), centre, LFE, back
  /// left and right (±150°), side left and right (±90°).
  public static let surround71 = SpeakerLayout(azimuths: [-30, 30, 0, nil, -150, 150, -90, 90])

  /// Computes the gain of each channel for a direction.
  ///
  /// - Parameters:
  ///   - azimuth: degrees to the right of the front; any value.
  ///   - elevation: degrees above the speakers, −90…90.
  /// - Returns: factors 0…1, whose squares add up to 1.
  /// - Complexity: O(n) in the number of channels.
  public func gains(azimuth: Float, elevation: Float = 0) -> [Float] {
    let ring = SpeakerRing(self)
    defer { ring.deallocate() }
    var gains = [Float](repeating: 0, count: azimuths.count)
    unsafe gains.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      unsafe ring.place(Direction(azimuth: azimuth, elevation: elevation), gain: 1, into: first)
    }
    return gains
  }
}
