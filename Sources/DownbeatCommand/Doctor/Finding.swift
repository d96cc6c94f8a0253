// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl

/// One thing that was looked at: what was found, whether it will do, and what to type where not.
struct Finding: Sendable {
  enum Verdict: String {
    case ok, warning, problem
  }

  let name: String
  let found: String
  let verdict: Verdict
  /// Why it matters, in one sentence.
  let why: String
  /// Commands that help; they change the machine, and are never run from here.
  let fixes: [String]
  /// How the command ends where this is a problem.
  let status: ExitStatus

  private init(
    _ name: String, found: String, verdict: Verdict, why: String, fixes: [String] = [],
    status: ExitStatus = .success
  ) {
    (self.name, self.found, self.verdict) = (name, found, verdict)
    (self.why, self.fixes, self.status) = (why, fixes, status)
  }

  /// All is well.
  static func ok(_ name: String, _ found: String, why: String) -> Finding {
    Finding(name, found: found, verdict: .ok, why: why)
  }

  /// A song sounds, but not as well as it could, or something else will not do.
  static func warning(
    _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found: found, verdict: .warning, why: why, fixes: fixes)
  }

  /// Nothing will sound.
  static func problem(
    _ status: ExitStatus, _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found: found, verdict: .problem, why: why, fixes: fixes, status: status)
  }
}
