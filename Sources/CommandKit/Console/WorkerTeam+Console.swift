// SPDX-License-Identifier: Apache-2.0
package import Realtime

extension WorkerTeam {
  /// Does the jobs 0..<`count` as `run` does, each with the console of this thread.
  ///
  /// - Parameters:
  ///   - count: the number of jobs.
  ///   - job: does one job; several threads call it at once.
  package func runOnConsole(_ count: Int, _ job: (Int) -> Void) {
    let console = Console.current
    run(count) { index in
      Console.$current.withValue(console) { job(index) }
    }
  }
}
