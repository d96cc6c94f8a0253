// SPDX-License-Identifier: Apache-2.0

/// A message: an address and arguments.
package struct OSCMessage: Hashable, Sendable {
  /// The address, which begins with `/`.
  ///
  /// It can be a pattern, which is not interpreted here.
  package var address: String
  /// The arguments.
  package var arguments: [OSCValue]

  /// Creates a message.
  package init(_ address: String, _ arguments: [OSCValue] = []) {
    self.address = address
    self.arguments = arguments
  }
}
