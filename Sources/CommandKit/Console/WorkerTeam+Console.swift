// SPDX-License-Identifier: Apache-2.0
package import Realtime

extension WorkerTeam {
  /// Runs the jobs 0..<`count` on several threads, each with the console of this thread.
  ///
  /// - Parameters:
  ///   - count: The number of jobs.
  ///   - job: Runs one job; several threads call it at the same time.
  package func runOnConsole(_ count: Int, _ job: (Int) -> Void) {
    let console = Console.current
    run(count) { index in
      Console.$current.withValue(console) { job(index) }
    }
  }
}
