// SPDX-License-Identifier: Apache-2.0

/// An error of connecting to another machine's session.
package enum RTPPortError: Error, Hashable, Sendable {
  /// The machine did not answer.
  case unanswered(name: String)
  /// The session refused the invitation.
  case refused(name: String)
}

extension RTPPortError: CustomStringConvertible {
  /// The text of the error message.
  package var description: String {
    switch self {
    case .unanswered(let name):
      "port '\(name)': no answer (enable the session on its machine, and allow UDP in firewalls)"
    case .refused(let name):
      "port '\(name)': invitation rejected (the other machine must allow this one)"
    }
  }
}
