// SPDX-License-Identifier: Apache-2.0

/// Why a soundfont's tables cannot be read at all.
public enum SoundFontError: Error, Hashable, Sendable {
  /// The file is something else.
  case notSoundFont(reason: String)
  /// The file ends before its own header says; both in bytes.
  case truncated(byteCount: Int, expected: Int)
  /// A table is missing, or points where nothing is.
  case damaged(reason: String)
  /// The bytes could not be read from the file.
  case unreadable(reason: String)
}

extension SoundFontError: CustomStringConvertible {
  /// The sentence for the user, to come after the file's name.
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
