// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The sentence for a name that means nothing, or too much.
enum Choice {
  private static let listed = 4

  static func refusal(
    _ what: String, _ text: String, _ form: String, _ candidates: [String]
  ) -> ValidationError {
    let shown = candidates.prefix(listed) + (candidates.count > listed ? ["…"] : [])
    return ValidationError(
      "\(what) '\(text)': "
        + (candidates.isEmpty ? form : "which of \(shown.joined(separator: ", "))"))
  }
}
