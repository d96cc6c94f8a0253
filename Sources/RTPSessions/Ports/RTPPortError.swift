// SPDX-License-Identifier: Apache-2.0

/// Why a session of somebody else cannot be used.
package enum RTPPortError: Error, Hashable, Sendable {
  /// Nobody is there, or nobody answers.
  case unanswered(name: String)
  /// They are there and do not let us in.
  case refused(name: String)
}

extension RTPPortError: CustomStringConvertible {
  /// The sentence for the user.
  package var description: String {
    switch self {
    case .unanswered(let name):
      "port '\(name)': no answer (enable the session on its machine, and allow UDP in firewalls)"
    case .refused(let name):
      "port '\(name)': invitation rejected (the other machine must allow this one)"
    }
  }
}
