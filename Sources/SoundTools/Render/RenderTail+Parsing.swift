// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import Downbeat

extension RenderTail {
  /// A tail as a flag gives it: `auto`, `exact`, `none` or seconds.
  package init(parsing text: String) throws {
    switch text.lowercased() {
    case "auto": self = .auto
    case "exact": self = .exact
    case "none": self = .none
    case let other:
      let number = other.hasSuffix("s") ? String(other.dropLast()) : other
      guard let seconds = Double(number), (0...3600).contains(seconds) else {
        throw ValidationError("--tail \(text): not auto, exact, none or 0…3600 seconds")
      }
      self = .seconds(seconds)
    }
  }
}
