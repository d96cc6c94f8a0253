// SPDX-License-Identifier: Apache-2.0

/// The reason that a `TimePitchUnit` cannot be created.
public enum TimePitchError: Error, Hashable, Sendable {
  /// Rubber Band is not installed or is older than version 3; `reason` is the loader's message.
  case libraryMissing(reason: String)
  /// Rubber Band does not support this sample rate and channel count.
  ///
  /// Supported are 1 to 32 channels at 8000 to 192 000 Hz.
  case refused(hertz: Int, channelCount: Int)
}

extension TimePitchError: CustomStringConvertible {
  /// One line for the user: the fault and the remedy.
  public var description: String {
    switch self {
    case .libraryMissing(let reason):
      "Rubber Band 3 cannot be loaded: \(reason) (install librubberband2)"
    case .refused(let hertz, let channelCount):
      "Rubber Band: cannot process \(channelCount) channels at \(hertz) Hz (use 1 to 32, 8000 to 192000 Hz)"
    }
  }
}
