// SPDX-License-Identifier: Apache-2.0

/// What a file that was cut off is short of, by what it says of itself.
public enum SoundShortfall: Hashable, Sendable {
  /// Frames that are missing, and those that there should be.
  case frames(Int, of: Int)
  /// Bytes of the encoded sound that are missing, and those that there should be.
  case bytes(Int, of: Int)
  /// Packets that are missing, and those that there should be.
  case packets(Int, of: Int)
  /// The page that ends an Ogg stream is missing; how much went with it is not known.
  case lastPage
}

extension SoundShortfall: CustomStringConvertible {
  /// The sentence for a person, without the file's name.
  public var description: String {
    switch self {
    case .frames(let missing, let all): "cut off: \(missing) of \(all) frames are missing"
    case .bytes(let missing, let all): "cut off: \(missing) of \(all) bytes of sound are missing"
    case .packets(let missing, let all): "cut off: \(missing) of \(all) packets are missing"
    case .lastPage: "cut off: its last page is missing"
    }
  }
}
