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
    _ name: String, _ found: String, _ verdict: Verdict, _ why: String, _ fixes: [String],
    _ status: ExitStatus
  ) {
    (self.name, self.found, self.verdict) = (name, found, verdict)
    (self.why, self.fixes, self.status) = (why, fixes, status)
  }

  /// All is well.
  static func ok(_ name: String, _ found: String, why: String) -> Finding {
    Finding(name, found, .ok, why, [], .success)
  }

  /// A song sounds, but not as well as it could, or something else will not do.
  static func warning(
    _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found, .warning, why, fixes, .success)
  }

  /// Nothing will sound.
  static func problem(
    _ status: ExitStatus, _ name: String, _ found: String, why: String, fixes: [String] = []
  ) -> Finding {
    Finding(name, found, .problem, why, fixes, status)
  }
}
