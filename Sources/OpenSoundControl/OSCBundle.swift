// SPDX-License-Identifier: Apache-2.0

/// Packets that take effect together at a time.
package struct OSCBundle: Hashable, Sendable {
  /// The time at which they take effect.
  package var time: OSCTimeTag
  /// The messages and bundles, in order.
  package var elements: [OSCPacket]

  /// Creates a bundle, which takes effect immediately by default.
  package init(_ elements: [OSCPacket], at time: OSCTimeTag = .immediately) {
    self.time = time
    self.elements = elements
  }
}
