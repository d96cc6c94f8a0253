// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl

/// The result of one check, with suggestions.
struct Finding: Sendable {
  enum Verdict: String {
    case ok, warning, problem
  }

  let name: String
  let found: String
  let verdict: Verdict
  /// The reason why the check matters, in one sentence.
  let why: String
  /// Commands that help.
  ///
  /// They change the system, and are only shown.
  let fixes: [String]
  /// The exit status if this is a problem.
  let status: ExitStatus

  private init(
    _ name: String, found: String, verdict: Verdict, why: String, fixes: [String] = [],
    status: ExitStatus = .success
  ) {
    (self.name, self.found, self.verdict) = (name, found, verdict)
    (self.why, self.fixes, self.status) = (why, fixes, status)
  }

  /// Creates the result of a check without problems.
  static func ok(_ name: String, _ found: String, why: String) -> Finding {
    Finding(name, found: found, verdict: .ok, why: why)
  }

  /// Creates a result for sound that could be better, or for another feature that does not work.
  static func warning(
    _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found: found, verdict: .warning, why: why, fixes: fixes)
  }

  /// Creates a result for a problem that prevents all sound.
  static func problem(
    _ status: ExitStatus, _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found: found, verdict: .problem, why: why, fixes: fixes, status: status)
  }
}
