// SPDX-License-Identifier: Apache-2.0

/// What another program calls, or answers.
package struct BusCall: Sendable {
  /// What kind of message it is.
  package enum Kind: Sendable {
    case call
    /// An answer to the message of a number.
    case answer(UInt64)
    case error(UInt64)
    case signal
  }

  /// What kind of message it is.
  package let kind: Kind
  /// The object that is called.
  package let path: String
  /// The interface; empty where none is named.
  package let interface: String
  /// The method or the signal.
  package let member: String
  /// What is given to it.
  package let arguments: [BusValue]

  /// Makes one.
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

/// What a call is answered.
package enum BusAnswer: Equatable, Sendable {
  case values([BusValue])
  /// An error by its name, and a sentence.
  case error(String, String)

  /// Nothing but that it is done.
  package static var done: BusAnswer { .values([]) }
}
