// SPDX-License-Identifier: Apache-2.0

/// What is known of the length of what is played.
struct StreamLength: Hashable {
  /// In seconds; nil where it has no end, or that is not known.
  var seconds: Double?
  /// Whether other places of it can be gone to.
  var isSeekable: Bool
}
