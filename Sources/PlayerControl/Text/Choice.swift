// SPDX-License-Identifier: Apache-2.0

/// The error for a name that matches nothing, or too many names.
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
