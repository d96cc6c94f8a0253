// SPDX-License-Identifier: Apache-2.0

/// An error that reads as a sentence and knows the status the process ends with.
protocol FailureDescribing: Error, CustomStringConvertible {
  var exitStatus: ExitStatus { get }
}

/// A failure of the tool itself: a status and the sentence for it.
struct Failure: FailureDescribing {
  let exitStatus: ExitStatus
  let description: String

  init(_ exitStatus: ExitStatus, _ description: String) {
    self.exitStatus = exitStatus
    self.description = description
  }
}
