// SPDX-License-Identifier: Apache-2.0

/// Why time cannot be stretched.
public enum TimePitchError: Error, Hashable, Sendable {
  /// Rubber Band is not installed, or older than version 3; the loader's words.
  case libraryMissing(reason: String)
  /// Rubber Band refuses this rate or this number of channels.
  case refused(hertz: Int, channelCount: Int)
}

extension TimePitchError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .libraryMissing(let reason):
      "Rubber Band 3 cannot be loaded: \(reason) (install librubberband2)"
    case .refused(let hertz, let channelCount):
      "Rubber Band: cannot process \(channelCount) channels at \(hertz) Hz (use 1 to 32, 8000 to 192000 Hz)"
    }
  }
}
