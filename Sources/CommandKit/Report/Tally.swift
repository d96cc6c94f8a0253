// SPDX-License-Identifier: Apache-2.0

/// The exit status of a command with several inputs.
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

  /// The status of a single input; for several, the worst if all failed, or `partial` if some did.
  package var status: ExitStatus {
    failed > 0 && failed < total ? .partial : worst
  }
}
