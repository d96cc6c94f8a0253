// SPDX-License-Identifier: Apache-2.0

/// The exit status of a command that goes through several inputs.
package struct Tally {
  private var worst = ExitStatus.success
  private var total = 0
  private var failed = 0

  package init() {}

  package mutating func add(_ status: ExitStatus) {
    total += 1
    if status > .partial || status == .failure { failed += 1 }
    worst = max(worst, status)
  }

  /// The one input's status; of several the worst where all failed, `partial` where some did.
  package var status: ExitStatus {
    failed > 0 && failed < total ? .partial : worst
  }
}
