// SPDX-License-Identifier: Apache-2.0

/// A received message: a call, an answer, an error or a signal.
package struct BusCall: Sendable {
  /// The kind of message.
  package enum Kind: Sendable {
    case call
    /// An answer to the message with this number.
    case answer(UInt64)
    case error(UInt64)
    case signal
  }

  /// The kind of message.
  package let kind: Kind
  /// The path of the object that is called.
  package let path: String
  /// The interface; empty if not given.
  package let interface: String
  /// The name of the method or signal.
  package let member: String
  /// The arguments.
  package let arguments: [BusValue]

  /// Creates a message.
  package init(
    kind: Kind = .call, path: String, interface: String, member: String, arguments: [BusValue]
  ) {
    self.kind = kind
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// The answer to a call.
package enum BusAnswer: Equatable, Sendable {
  case values([BusValue])
  /// The name of an error, and a sentence.
  case error(String, String)

  /// An answer without values.
  package static var done: BusAnswer { .values([]) }
}
