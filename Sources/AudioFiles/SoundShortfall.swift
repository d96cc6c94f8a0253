// SPDX-License-Identifier: Apache-2.0

/// The missing part of a truncated file, calculated from the length that the file states.
public enum SoundShortfall: Hashable, Sendable {
  /// The number of missing frames, and the number of all frames.
  case frames(Int, of: Int)
  /// The number of missing bytes of the encoded sound, and the number of all its bytes.
  case bytes(Int, of: Int)
  /// The number of missing packets, and the number of all packets.
  case packets(Int, of: Int)
  /// The last page of an Ogg stream is missing.
  ///
  /// The number of missing frames is unknown.
  case lastPage
}

extension SoundShortfall: CustomStringConvertible {
  /// The message for the user, without the name of the file.
  public var description: String {
    switch self {
    case .frames(let missing, let all): "cut off: \(missing) of \(all) frames are missing"
    case .bytes(let missing, let all): "cut off: \(missing) of \(all) bytes of sound are missing"
    case .packets(let missing, let all): "cut off: \(missing) of \(all) packets are missing"
    case .lastPage: "cut off: its last page is missing"
    }
  }
}
