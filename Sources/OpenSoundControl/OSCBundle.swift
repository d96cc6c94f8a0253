// SPDX-License-Identifier: Apache-2.0

/// Packets that take effect together at an instant.
package struct OSCBundle: Hashable, Sendable {
  /// When they take effect.
  package var time: OSCTimeTag
  /// Messages and bundles, in their order.
  package var elements: [OSCPacket]

  /// Creates a bundle.
  package init(_ elements: [OSCPacket], at time: OSCTimeTag = .immediately) {
    self.time = time
    self.elements = elements
  }
}
