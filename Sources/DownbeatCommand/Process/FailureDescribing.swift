// SPDX-License-Identifier: Apache-2.0

/// An error that reads as a sentence and knows the status the process ends with.
protocol FailureDescribing: Error, CustomStringConvertible {
  var exitStatus: ExitStatus { get }
  /// Whether something is missing on the machine that `downbeat doctor` looks at.
  var concernsMachine: Bool { get }
}

extension FailureDescribing {
  var concernsMachine: Bool { false }

  /// The sentence that ends the command.
  var sentence: String {
    concernsMachine ? "\(self); downbeat doctor says what to do" : "\(self)"
  }
}

/// A failure of the tool itself: a status and the sentence for it.
struct Failure: FailureDescribing {
  let exitStatus: ExitStatus
  let description: String
  let concernsMachine: Bool

  init(_ exitStatus: ExitStatus, _ description: String, concernsMachine: Bool = false) {
    self.exitStatus = exitStatus
    self.description = description
    self.concernsMachine = concernsMachine
  }
}
