// SPDX-License-Identifier: Apache-2.0

/// An address and arguments.
package struct OSCMessage: Hashable, Sendable {
  /// The address, which begins with `/`; or a pattern of addresses, which is not read as one here.
  package var address: String
  /// What comes with it.
  package var arguments: [OSCValue]

  /// Creates a message.
  package init(_ address: String, _ arguments: [OSCValue] = []) {
    self.address = address
    self.arguments = arguments
  }
}
