// SPDX-License-Identifier: Apache-2.0

/// The reason that a soundfont cannot be read.
public enum SoundFontError: Error, Hashable, Sendable {
  /// The file is not a soundfont.
  case notSoundFont(reason: String)
  /// The file is shorter than its header states; both numbers are in bytes.
  case truncated(byteCount: Int, expected: Int)
  /// A table is missing, or contains an invalid index.
  case damaged(reason: String)
  /// The bytes could not be read from the file.
  case unreadable(reason: String)
}

extension SoundFontError: CustomStringConvertible {
  /// The message for the user, without the name of the file.
  public var description: String {
    switch self {
    case .notSoundFont(let reason): "not a soundfont: \(reason)"
    case .truncated(let byteCount, let expected):
      "the soundfont is truncated: \(byteCount) of \(expected) bytes (copy it again)"
    case .damaged(let reason):
      "the soundfont is damaged: \(reason) (copy it again, or choose another)"
    case .unreadable(let reason): "cannot be read: \(reason)"
    }
  }
}
