// SPDX-License-Identifier: Apache-2.0

/// The length of an item, as far as it is known.
struct StreamLength: Hashable {
  /// The duration in seconds; nil if it is endless or unknown.
  var seconds: Double?
  /// True if the player can seek in it.
  var isSeekable: Bool
}
