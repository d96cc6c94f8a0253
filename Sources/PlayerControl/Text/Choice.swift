// SPDX-License-Identifier: Apache-2.0

/// The sentence for a name that means nothing, or too much.
package enum Choice {
  private static let listed = 4

  package static func refusal(
    _ what: String, _ text: String, _ form: String, _ candidates: [String]
  ) -> ControlError {
    let shown = candidates.prefix(listed) + (candidates.count > listed ? ["…"] : [])
    return ControlError(
      .usage,
      "\(what) '\(text)': "
        + (candidates.isEmpty ? form : "ambiguous: \(shown.joined(separator: ", "))"))
  }
}
